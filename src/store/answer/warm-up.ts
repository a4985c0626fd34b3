/**
 * What a service asks itself after a start, so that the first question of a client is answered at
 * speed: V8 compiles what runs often, in each thread for itself, and a thread that has just begun takes
 * ten times as long. The questions are of all kinds that people ask, about the newest records, whose
 * columns are then decoded, too, and about older ones: blocks are opened by code that has to be compiled
 * as well. What opens no blocks is asked about all of time: a plan over a thousand blocks is no plan over
 * twenty. It stops as soon as somebody asks, and continues when nobody does.
 */
import { forEachLevel, type IndexEntry } from '../../index/entry.ts'
import type { Selector } from '../../language/ast.ts'
import { parseSingle } from '../../language/grammar.ts'
import { printQuery } from '../../language/print.ts'
import { machineMemoryBytes, warmUpMs } from '../../memory-policy.js'
import { ProblemError } from '../../problems.ts'
import type { Collector } from '../../query/collect/collector.ts'
import { Groups } from '../../query/collect/groups.ts'
import { Histogram } from '../../query/collect/histogram.ts'
import { Patterns } from '../../query/collect/patterns.ts'
import { SeriesCollector } from '../../query/series/series-collector.ts'
import type { Order } from '../../query/top-k.ts'
import { levelLabel, type Stream, streamLabels, type TimeRange } from '../../record.ts'
import { type OthersFirst, othersFirst } from '../../threads/others-first.ts'
import { facetsOf, type RunQuery } from './explore.ts'

/** All questions together may take this long, ms. */
const workMs = warmUpMs(machineMemoryBytes)
/** What took longer is not asked again, ms: it would leave no time for others. */
const longMs = 500
/** Attributes that are asked for. */
const attributesMax = 6
const pointCount = 60
/** Characters of what may be an id. */
const idLengthMax = 64
/** Levels that are asked for, of all records. */
const levelsMax = 6
/** Blocks and ranges of the journal whose time is asked for. */
const sourcesPerRange = 8
/** Ranges that are asked about, from the newest to the oldest time. */
const rangesMax = 24

/** A time that has records, and not more than a few blocks of each stream. */
export type WarmUpRange = TimeRange

export interface WarmUpTurns extends OthersFirst {
  /** The clock by which questions take time, ms; `performance.now` when left out. */
  readonly now?: () => number
}

/**
 * Asks until it has asked enough; rejects with the signal's reason, and with what a query throws. Absent
 * `whole`: nothing is asked about all records.
 */
export async function warmUp(
  run: RunQuery,
  ranges: readonly WarmUpRange[],
  { now = () => performance.now(), ...turns }: WarmUpTurns,
  whole?: Whole,
): Promise<void> {
  const [newestRange] = ranges
  if (newestRange === undefined) return
  const newest = await run(asked(newestRange, selectorOf(), 1), () => undefined)
  const [record] = newest.result.records
  if (record === undefined) return
  const questions = [...wholeQuestions(record, whole, run), ...questionsFor(record, run)]
  /** Not to be asked again. */
  const left = new Set<Question>()
  let worked = 0
  for (let round = 0; worked < workMs; round++) {
    for (const [i, question] of questions.entries()) {
      if (left.has(question)) continue
      await othersFirst(turns)
      const startedAt = now()
      try {
        await question(ranges[(i + round) % ranges.length]!)
      } catch (error) {
        // Nobody can know what an attribute holds: too many groups, perhaps.
        if (!(error instanceof ProblemError)) throw error
        left.add(question)
      }
      const tookMs = now() - startedAt
      if (tookMs > longMs) left.add(question)
      worked += tookMs
      if (worked >= workMs) return
    }
  }
}

/**
 * Times in which not many of these lie, from the newest back to the oldest and evenly spread: a question
 * asked again and again of the same blocks would find them decoded, and warm nothing that opens one.
 */
export function warmUpRanges(entries: readonly IndexEntry[]): WarmUpRange[] {
  const newestFirst = entries.toSorted((a, b) => b.maxTimestamp - a.maxTimestamp)
  const apart = Math.max(sourcesPerRange, Math.ceil(newestFirst.length / rangesMax))
  const ranges: WarmUpRange[] = []
  for (let i = 0; i < newestFirst.length; i += apart) {
    const some = newestFirst.slice(i, i + sourcesPerRange)
    const startTime = Math.max(...some.map(({ minTimestamp }) => minTimestamp))
    ranges.push({ startTime, endTime: some[0]!.maxTimestamp })
  }
  return ranges
}

/** Asks one thing about the records of a range. */
type Question = (range: WarmUpRange) => Promise<unknown>

/** All records: when they are logged, and which levels most of them have. */
export interface Whole {
  readonly range: TimeRange
  readonly levels: readonly string[]
}

/** What the index says of all records; undefined of none. */
export function wholeOf(entries: readonly IndexEntry[]): Whole | undefined {
  if (entries.length === 0) return undefined
  const startTime = entries.reduce((least, entry) => Math.min(least, entry.minTimestamp), Infinity)
  const endTime = entries.reduce((most, entry) => Math.max(most, entry.maxTimestamp), -Infinity)
  const counts = new Map<string, number>()
  for (const entry of entries) {
    forEachLevel(entry, (level, count) => counts.set(level, (counts.get(level) ?? 0) + count))
  }
  const byCount = [...counts].sort((a, b) => b[1] - a[1])
  const levels = byCount.slice(0, levelsMax).map(([level]) => level)
  return { range: { startTime, endTime }, levels }
}

function asked(range: TimeRange, selector: Selector, limit: number, order: Order = 'desc') {
  return { selector, ...range, limit, order, after: undefined } as const
}

/**
 * All kinds of questions that somebody may have who sees this record. First one of each kind, and what takes
 * long among them last: a slow machine comes no further. What is left then is the same asked in other ways.
 */
function questionsFor(record: NewestRecord, run: RunQuery): Question[] {
  const selectors = [...selectorsFor(record)]
  const ofEach = (ask: (selector: Selector, range: WarmUpRange) => Promise<unknown>) =>
    selectors.map(
      (one): Question =>
        range =>
          ask(one, range),
    )
  const everything = { selector: selectorOf(), fields: undefined, limit: 10 }
  const facets: Question = range => facetsOf({ ...everything, ...range }, run)
  const collectors = [...collectorsFor(record)].map(
    (newCollector): Question =>
      range =>
        run(asked(range, selectorOf(), 0), () => newCollector(range)),
  )
  return [
    // As text, so that the parser is warm as well.
    ...ofEach((one, range) => run(asked(range, readAgain(one), 100), () => undefined)),
    ...collectors,
    facets,
    ...ofEach((one, range) => run(asked(range, one, 1, 'asc'), () => undefined)),
  ]
}

/**
 * What is answered of all records with hardly a block opened: by the index a count, by skip indexes what is
 * nowhere, of which token filters then stay.
 */
function wholeQuestions(
  { level, stream, attributes }: NewestRecord,
  whole: Whole | undefined,
  run: RunQuery,
): Question[] {
  if (whole === undefined) return []
  const { range, levels } = whole
  const ofLevel = matched(levelLabel, '=', level)
  const ofService = matched(streamLabels.service, '=', stream.service)
  const ofBoth = { ...ofLevel, matchers: [...ofService.matchers, ...ofLevel.matchers] }
  const byLevel = () => new Groups([streamLabels.service, levelLabel])
  const counted = [selectorOf(), ofBoth, ...levels.map(one => matched(levelLabel, '=', one))]
  const ask = (selector: Selector) => run(asked(range, selector, 1, 'asc'), () => undefined)
  const nowhere = [...absentValue(attributes), filtered('|=', absentText)]
  const aboutNowhere = nowhere.map(selector => () => ask(selector))
  return [
    ...counted.map(selector => () => ask(selector)),
    ...aboutNowhere,
    () => run(asked(range, selectorOf(), 1), () => undefined),
    () => run(asked(range, selectorOf(), 1, 'asc'), byLevel),
    // Again: scan threads keep no filter that is asked once, unless the main thread has got it meanwhile.
    ...aboutNowhere,
  ]
}

/** What no record has, of the attribute with the longest value: an id, where there are any. */
function absentValue(attributes: readonly string[]): Selector[] {
  const longest = byLength(attributes).find(([, value]) => value.length <= idLengthMax)
  if (longest === undefined) return []
  const [label, value] = longest
  return [matched(label, '=', `${value.slice(0, -1)}x`)]
}

/** Labels and values, from the longest value to the shortest. */
function byLength(attributes: readonly string[]): [label: string, value: string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i < attributes.length; i += 2) pairs.push([attributes[i]!, attributes[i + 1]!])
  return pairs.sort(([, a], [, b]) => b.length - a.length)
}

function readAgain(selector: Selector): Selector {
  return parseSingle(printQuery(selector)).selector
}

interface NewestRecord {
  readonly message: string
  readonly level: string
  readonly attributes: readonly string[]
  readonly stream: Stream
}

function selectorOf(parts: Partial<Selector> = {}): Selector {
  return { kind: 'selector', matchers: [], filters: [], ...parts }
}

function filtered(operator: '|=' | '!=' | '|~', text: string): Selector {
  return selectorOf({ filters: [{ operator, text }] })
}

const absentText = 'text that is nowhere'

function matched(label: string, operator: '=' | '!=' | '=~', value: string): Selector {
  return selectorOf({ matchers: [{ label, operator, value }] })
}

/**
 * Texts, pieces of them, values: what somebody may look for who sees this record; last digits and
 * expressions, which take a tenth of a second and more where code has not been compiled.
 */
function* selectorsFor({ message, level, attributes }: NewestRecord): Generator<Selector> {
  const words = message.match(/[A-Za-z]{4,}/g) ?? ['word']
  const word = words.reduce((longest, other) => (other.length > longest.length ? other : longest))
  yield selectorOf()
  yield filtered('|=', word)
  yield filtered('|=', word.slice(1, -1))
  yield filtered('|=', message.slice(0, 40))
  yield filtered('|=', absentText)
  yield filtered('!=', word)
  yield matched(levelLabel, '=', level)
  for (let i = 0; i < Math.min(attributes.length, 2 * attributesMax); i += 2) {
    const [label, value] = [attributes[i]!, attributes[i + 1]!]
    yield matched(label, '=', value)
    yield matched(label, '=', `${value.slice(0, -1)}x`)
  }
  // Of an id all values would be different.
  const shortest = byLength(attributes).at(-1)
  if (shortest !== undefined) yield matched(shortest[0], '=~', '[a-z]+.*')
  const [digits = '12'] = message.match(/\d{2,}/g) ?? []
  yield filtered('|=', `${digits.slice(-2)} `)
  yield filtered('|~', `${word}.*[a-z0-9.]+$`)
  yield filtered('|~', String.raw`\d+ [a-z]+`)
}

/** Groups, values and aggregates of attributes. */
function* collectorsFor({
  attributes,
}: NewestRecord): Generator<(range: WarmUpRange) => Collector> {
  const names = attributes.filter((_, i) => i % 2 === 0).slice(0, attributesMax)
  const values = attributes.filter((_, i) => i % 2 === 1)
  yield range => new Histogram(stepOf(range))
  yield newPatterns
  yield () => new Groups([streamLabels.service, levelLabel])
  for (const name of names) yield () => new Groups([name])
  const numbers = names.filter((_, i) => /^\d+(\.\d+)?$/.test(values[i]!))
  const by = [streamLabels.service]
  for (const unwrap of numbers) {
    for (const operation of ['avg', 'quantile'] as const) {
      const quantile = operation === 'quantile' ? 0.95 : undefined
      // Many numbers in one point are counted by other code than few in each of many.
      for (const points of [1, pointCount]) {
        yield range => {
          const buckets = { origin: range.startTime, stepMs: stepOf(range, points) }
          const what = { kind: 'series', by, operation, unwrap, quantile } as const
          return new SeriesCollector({ ...what, ...buckets, pointCount: points })
        }
      }
    }
  }
}

function stepOf({ startTime, endTime }: WarmUpRange, points = pointCount): number {
  return Math.max(1, Math.ceil((endTime - startTime + 1) / points))
}

function newPatterns(range: Parameters<typeof stepOf>[0]): Patterns {
  return new Patterns({ bucketMs: stepOf(range), samples: 1 })
}
