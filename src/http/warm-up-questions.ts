/** What a service asks itself over HTTP after a start: as people do, then what is short a thousand times. */
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
/** What the longer of the short questions are asked about, ms before the newest record. */
const shortRangeMs = 10 * 60_000
/** Characters of what may be an id. */
const idLengthMax = 64
/** The end of an id, of which there are so many that hardly any has been given to a record. */
const idEndLength = 8

/** From the first to the last time that a query may name. */
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
 * What the index or filters know, and what needs two threads for hardly a millisecond. Of these the way is
 * most, which V8 compiles as well as it can when it was gone a thousand times.
 */
export async function askAgainAndAgain(asked: Asked): Promise<void> {
  for (let round = 0; round < shortRounds && asked.workedMs < shortMs; round++) {
    const newest = await newestOf(asked)
    if (newest === undefined) return
    const ask = (query: string, about: object) =>
      asked.ask(selectPath, { query, ...always, limit: 1, ...about })
    const { 'service.name': service } = newest.attributes
    const ofBoth = selectorOf({ 'service.name': service!, log_level: newest.log_level })
    await ask(`count(${ofBoth})`, {})
    await ask(ofBoth, { ...before(newest, shortRangeMs), ...newestFirst })
    await ask(selectorOf({ log_level: newest.log_level }), { limit: 100 })
    await ask(selectorOf(idLike(newest)), {})
    await ask('count by (service.name, log_level) (logs)', {})
  }
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

/** The longest value of a record that may be an id, with another end: of an id that no record has. */
function idLike({ attributes }: AnswerRecord): Record<string, string> {
  const [longest] = Object.entries(attributes)
    .filter(([, { length }]) => length <= idLengthMax)
    .toSorted(([, a], [, b]) => b.length - a.length)
  const [label, value] = longest!
  const end = randomBytes(idEndLength / 2).toString('hex')
  return { [label]: value.slice(0, -idEndLength) + end }
}

function selectorOf(labels: Readonly<Record<string, string>>): string {
  const matchers = Object.entries(labels).map(
    ([label, value]) => ({ label, operator: '=', value }) as const,
  )
  const selector: Selector = { kind: 'selector', matchers, filters: [] }
  return printQuery(selector)
}
