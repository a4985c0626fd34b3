/** What a service asks itself over HTTP after a start: as people do, then what is short, many times. */
import { randomBytes } from 'node:crypto'
import type { Selector } from '../language/ast.ts'
import { printQuery } from '../language/print.ts'
import type { TimeRange } from '../record.ts'
import type { AnswerRecord } from '../store/store.ts'
import { selectPath } from './resources/query/select.ts'

/** Who is asked. */
export interface Asked {
  /** Posts a question, and resolves with its answer's text. */
  ask(path: string, body: object): Promise<string>
  /** How long all answers took, ms. */
  readonly workedMs: number
}

/** Enough for what is on the way to be compiled; all of it takes some 300 ms. */
const rounds = 15
/** Rounds that ask what goes over all columns of a range, too, whose code runs often in one question. */
const exploringRounds = 4
/** What times are asked about when records are found, ms before the newest one. */
const rangeMs = 60_000

/** Enough of each short question for V8 to compile its way once more, and better: some 1,800 questions. */
const shortRounds = 300
/** No more than this, ms, where they take longer. */
const shortMs = 4_000
/** What took longer is not short, ms: here, or of these records. */
const longMs = 50
/** What the longer of the short questions are asked about, ms before the newest record. */
const shortRangeMs = 10 * 60_000
/** Characters of what may be an id. */
const idLengthMax = 64
/** The end of an id, of which there are so many that hardly any has been given to a record. */
const idEndLength = 8

/** From 1970 to the last time that a query may name. */
const always = { startTime: 0, endTime: 8.64e15 } as const
const newestFirst = { order: 'desc', limit: 100 } as const

/** What a program asks, and what a person's first look at the page does. */
export async function askAsPeople(asked: Asked): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const newest = await newestOf(asked)
    if (newest === undefined) continue
    const recently = before(newest, rangeMs)
    await askBriefly(asked, recently)
    if (round < exploringRounds) await explore(asked, recently)
  }
}

/**
 * What the index or filters know, and what two threads look for in hardly a millisecond: most of such a
 * question's time is its way, which V8 compiles as well as it can when it was gone a thousand times. What
 * turns out to take long is left out.
 */
export async function askAgainAndAgain(asked: Asked): Promise<void> {
  const left = new Set<number>()
  for (let round = 0; round < shortRounds && asked.workedMs < shortMs; round++) {
    const newest = await newestOf(asked)
    if (newest === undefined) return
    for (const [i, body] of shortQuestions(newest).entries()) {
      if (left.has(i)) continue
      if (asked.workedMs >= shortMs) return
      const workedBefore = asked.workedMs
      await asked.ask(selectPath, body)
      if (asked.workedMs - workedBefore > longMs) left.add(i)
    }
  }
}

function shortQuestions(newest: AnswerRecord): object[] {
  const { 'service.name': service } = newest.attributes
  const ofBoth = selectorOf({ 'service.name': service!, log_level: newest.log_level })
  const one = { ...always, limit: 1 }
  const questions: object[] = [
    { query: `count(${ofBoth})`, ...one },
    { query: ofBoth, ...before(newest, shortRangeMs), ...newestFirst },
    { query: selectorOf({ log_level: newest.log_level }), ...always, limit: 100 },
    { query: 'count by (service.name, log_level) (logs)', ...one },
  ]
  const id = idLike(newest)
  return id === undefined ? questions : [...questions, { query: selectorOf(id), ...one }]
}

async function newestOf(asked: Asked): Promise<AnswerRecord | undefined> {
  const body = { query: 'count(logs)', ...always, ...newestFirst, limit: 1 }
  return JSON.parse(await asked.ask(selectPath, body)).logs?.[0]
}

function before({ timestamp }: AnswerRecord, ms: number): TimeRange {
  return { startTime: timestamp - ms, endTime: timestamp }
}

async function askBriefly({ ask }: Asked, recently: TimeRange): Promise<void> {
  const ofErrors = 'count(logs{log_level="error"})'
  await ask(selectPath, { query: ofErrors, ...recently, ...newestFirst })
  await ask(selectPath, { query: 'logs |= "error"', ...recently, ...newestFirst })
  await ask(selectPath, { query: 'count by (service.name) (logs)', ...recently, limit: 1 })
}

async function explore({ ask }: Asked, range: TimeRange): Promise<void> {
  for (const sort of ['histogram', 'facets', 'fields']) {
    await ask(`${selectPath}/${sort}`, { query: 'logs', ...range })
  }
}

/** The longest value of a record's own that may be an id, with another end, which hardly any record has. */
function idLike({ attributes }: AnswerRecord): Record<string, string> | undefined {
  const { 'service.name': _service, environment: _environment, ...own } = attributes
  const [longest] = Object.entries(own)
    .filter(([, { length }]) => length > idEndLength && length <= idLengthMax)
    .toSorted(([, a], [, b]) => b.length - a.length)
  if (longest === undefined) return undefined
  const [label, value] = longest
  const end = randomBytes(idEndLength / 2).toString('hex')
  return { [label]: value.slice(0, -idEndLength).toWellFormed() + end }
}

function selectorOf(labels: Readonly<Record<string, string>>): string {
  const matchers = Object.entries(labels).map(
    ([label, value]) => ({ label, operator: '=', value }) as const,
  )
  const selector: Selector = { kind: 'selector', matchers, filters: [] }
  return printQuery(selector)
}
