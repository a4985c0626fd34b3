/** Collectors that are filled plainly, and by what ClickHouse tells of the same records. */
import assert from 'node:assert/strict'
import { patternOfMessage } from '../../src/columns/patterns/message-pattern.ts'
import type { Selector } from '../../src/language/ast.ts'
import {
  type Collector,
  type CollectorRequest,
  newCollector,
  wantedLabels,
} from '../../src/query/collect/collector.ts'
import type { PlainFirsts } from '../../src/query/collect/firsts.ts'
import { Numbers } from '../../src/query/collect/numbers.ts'
import { Patterns } from '../../src/query/collect/patterns.ts'
import { Predicate } from '../../src/query/predicate.ts'
import { SeriesCollector } from '../../src/query/series/series-collector.ts'
import { timeMax } from '../../src/record.ts'
import type { QueryParams } from '../../src/store/clickhouse/connection.ts'
import { conditionOf } from '../../src/store/clickhouse/sql/condition.ts'
import { stagedTable, type Told, toldOf } from '../../src/store/clickhouse/sql/told.ts'
import { batchOf } from '../query/parts.ts'
import type { EngineProcess } from './engine-process.ts'
import { rowsOf, rowsOfQuestion, type Stored } from './table.ts'

/** Every so many-th record, from one on. */
export interface Part {
  readonly every: number
  readonly first: number
}

/** A collector each, and how many records were left to us. Undefined where ClickHouse is not asked,
 *  or does not tell it. */
export async function bothWays(
  engine: EngineProcess,
  stored: readonly Stored[],
  request: CollectorRequest,
  { every, first }: Part,
  selector: Selector,
) {
  const told = toldOf(selector, request)
  if (told === undefined) return undefined
  const isAsked = (at: number) => at % every === first
  const plainly = newCollector(request)
  const matching = addPlainly(plainly, stored, selector, isAsked)

  const counted = newCollector(request)
  const condition = conditionOf(selector, false)
  const of = `Sequence % ${every} = ${first} AND (${condition.sql})`
  const { question, from, ...known } = asked(told, of, told.staging?.isKnown)
  const params = { ...known.params, ...condition.params }
  const rows = await rowsOfQuestion(engine, { ...question, params }, from)
  const plain = await question.plainOf(rows)
  if (plain === undefined) return undefined
  counted.addPlain(plain)
  const left = told.staging === undefined ? [] : await placesOf(engine, told, of, condition.params)
  addPlainly(counted, stored, selector, at => left.includes(at))
  return { plainly: shown(plainly), counted: shown(counted), matching, left: left.length }
}

/** Fails where they are not the same. Returns what `bothWays` does. */
export async function sameBothWays(...all: Parameters<typeof bothWays>) {
  const found = await bothWays(...all)
  if (found !== undefined) assert.deepEqual(found.counted, found.plainly)
  return found
}

/** How many questions were asked, and told by ClickHouse; of these, how many records matched and were left to us. */
export class Tally {
  asked = 0
  told = 0
  matching = 0
  left = 0

  add(found: Awaited<ReturnType<typeof bothWays>>): void {
    this.asked++
    if (found === undefined) return
    this.told++
    this.matching += found.matching
    this.left += found.left
  }
}

function asked({ question, staging }: Told, of: string, condition = '1') {
  const params = { ...question!.params, ...staging?.params }
  const own = `otel_logs WHERE ${of}`
  const from = staging === undefined ? own : `${stagedTable(own, staging)} WHERE ${condition}`
  return { question: question!, from, params }
}

async function placesOf(
  engine: EngineProcess,
  told: Told,
  of: string,
  more: QueryParams,
): Promise<number[]> {
  const { from, params } = asked(told, of, told.staging!.isUnknown)
  const sql = `SELECT Sequence AS at FROM ${from}`
  const rows = await rowsOf<{ at: number | string }>(engine, sql, { ...params, ...more })
  return rows.map(({ at }) => Number(at))
}

/** Returns how many of those that are asked match. */
function addPlainly(
  collector: Collector,
  stored: readonly Stored[],
  selector: Selector,
  isAsked: (at: number) => boolean,
): number {
  const records = stored.map(({ record, stream }) => ({ ...record, stream }))
  const all = batchOf(records, 0)
  const predicate = new Predicate(selector)
  const marks = predicate.select(all, -timeMax, timeMax)?.slice() ?? new Uint8Array(stored.length)
  for (const at of stored.keys()) if (!isAsked(at)) marks[at] = 0
  if (!marks.includes(1)) return 0
  collector.add(predicate.staged(all, marks, wantedLabels(collector.request)), marks)
  return marks.reduce((sum, mark) => sum + mark, 0)
}

/** What of a collector goes into an answer, in one order; which messages of many are shown may differ. */
export function shown(collector: ReturnType<typeof newCollector>): unknown {
  if (collector instanceof SeriesCollector) {
    return [collector.toSeries(), collector.skippedCount, collector.refusal]
  }
  if (collector instanceof Patterns) return shownKinds(collector)
  if (collector instanceof Numbers) return [collector.run, collector.toPlain().skippedCount]
  if (collector.request.kind === 'firsts') {
    const { keys, timestamps, sequences } = collector.toPlain() as PlainFirsts
    return sorted(keys.map((key, i) => [key, timestamps[i], sequences[i]]))
  }
  const plain = collector.toPlain() as unknown[]
  if (collector.request.kind === 'facets') {
    return (plain as [number, { values: string[]; counts: number[] } | undefined][]).map(
      ([present, found]) => [present, found?.values.map((v, i) => [v, found.counts[i]]).sort()],
    )
  }
  if (collector.request.kind !== 'histogram') return sorted(plain)
  const levels = plain as [string, { first: number; counts: Float64Array }][]
  return sorted(
    levels.flatMap(([level, { first, counts }]) =>
      Array.from(counts, (count, i) => [level, first + i, count]).filter(([, , count]) => count),
    ),
  )
}

function shownKinds({ all }: Patterns) {
  const shown = all.map(({ samples, sampledCount: _, ...rest }) => ({
    ...rest,
    levels: [...rest.levels].sort(),
    services: [...rest.services].sort(),
    buckets: rest.buckets.toPlain(),
    areOfKind: samples.every(sample => patternOfMessage(sample).text === rest.text),
    isShown: samples.length > 0,
  }))
  return shown.sort((a, b) => (a.text < b.text ? -1 : 1))
}

function sorted(values: readonly unknown[]): string[] {
  return values.map(value => JSON.stringify(value)).sort()
}
