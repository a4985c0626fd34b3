/** What the service on ClickHouse and the one on files answer, compared. */
import assert from 'node:assert/strict'
import { patternOfMessage } from '../../src/columns/patterns/message-pattern.ts'
import { variablesIn } from '../../src/columns/patterns/variables.ts'
import { parseSelector } from '../../src/language/tail-query.ts'
import { labelsOfAll } from '../../src/query/collect/fields.ts'
import { stagedCandidatesMax } from '../../src/query/collect/useful-fields.ts'
import type { ChangedValue, ChangesResult } from '../../src/store/answer/pattern-answers.ts'
import { timeBase, timeSpanMs } from '../differential/events.ts'
import type { Question, StoredRecord } from '../differential/questions.ts'
import { adminKey, type ServiceProcess } from '../service/service-process.ts'

/** All times of the events, which are days apart. */
export const always = { startTime: timeBase, endTime: timeBase + timeSpanMs }

/** Where two answers differ first, and how; undefined where they do not. */
export function firstDifference(actual: unknown, expected: unknown, path = ''): string | undefined {
  const areObjects = [actual, expected].every(one => typeof one === 'object' && one !== null)
  if (!areObjects) {
    const texts = [actual, expected].map(one => JSON.stringify(one))
    return actual === expected ? undefined : `${path} is ${texts[0]} and not ${texts[1]}`
  }
  const [a, b] = [actual, expected] as Record<string, unknown>[]
  for (const key of new Set([...Object.keys(a!), ...Object.keys(b!)])) {
    const found = firstDifference(a![key], b![key], `${path}/${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** What may differ: what an answer has cost, and which ones of many are shown of a kind (`shownOfKinds`). */
const unlike = ['stats', 'samples']

/** Without what may differ. */
export function comparable(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (key, value) => (unlike.includes(key) ? undefined : value)),
  )
}

/**
 * Whether a question is what changed, and stages make more fields than are counted: a sample of each batch or
 * block says which ones are, and batches end elsewhere in another store.
 */
export async function isOfSomeFields(
  service: ServiceProcess,
  operation: string,
  body: object,
): Promise<boolean> {
  const { query } = body as { query: string }
  if (operation !== 'query/logs/changes') return false
  if ((parseSelector(query, {}).stages ?? []).length === 0) return false
  const asked = { query, ...always }
  const answer = await service.call('POST', '/api/v1/query/logs/fields', { body: asked })
  assert.equal(answer.status, 200, query)
  return answer.body.fields.length > labelsOfAll.length + stagedCandidatesMax
}

type Changes = Pick<ChangesResult, 'values' | 'fieldsLeftOut'>

/** Of two answers, of what changed, each without the fields that only it tells of. Refusals stay as they are. */
export function toldByBoth(answers: readonly unknown[]): unknown[] {
  const [a, b] = answers as { body: Changes }[]
  if (![a, b].every(one => Array.isArray(one?.body.values))) return [...answers]
  return [onlyAsIn(a!, b!), onlyAsIn(b!, a!)]
}

function onlyAsIn(answer: { body: Changes }, other: { body: Changes }): { body: Changes } {
  const name = ({ field, value }: ChangedValue) => JSON.stringify([field, value])
  const told = new Set(other.body.values.map(name))
  const values = answer.body.values.filter(one => told.has(name(one)))
  const fieldsLeftOut = answer.body.fieldsLeftOut.filter(field =>
    other.body.fieldsLeftOut.includes(field),
  )
  return { ...answer, body: { ...answer.body, values, fieldsLeftOut } }
}

type Both = readonly [ServiceProcess, ServiceProcess]
type Asked = Pick<Question, 'selector' | 'startTime' | 'endTime' | 'order'>

function askBoth<Answer>([a, b]: Both, ask: (service: ServiceProcess) => Promise<Answer>) {
  return Promise.all([ask(a), ask(b)])
}

/**
 * Pages of a query, from cursor to cursor to the end: the same on both, each record once, under one id.
 * Resolves with how many records these are.
 */
export async function comparePages(
  both: Both,
  { selector: query, startTime, endTime, order }: Asked,
): Promise<number> {
  const seen = new Set<string>()
  const asked = { query, startTime, endTime, order }
  let cursor: string | undefined
  // The first page is of one record, then three or four are all.
  let limit = 1
  do {
    const body = { ...asked, limit, ...(cursor !== undefined && { cursor }) }
    const [actual, expected] = await askBoth(both, async service => {
      return (await service.call('POST', '/api/v1/query/logs', { body })).body
    })
    const differing = firstDifference(comparable(actual), comparable(expected))
    assert.equal(differing, undefined, `${query}: ${differing}`)
    for (const { id } of actual.logs) {
      assert.ok(!seen.has(id), `${id} is on two pages of ${query}`)
      seen.add(id)
    }
    cursor = actual.nextCursor
    limit = Math.ceil(actual.count / 3)
    if (cursor === undefined) assert.equal(seen.size, actual.count, query)
  } while (cursor !== undefined)
  return seen.size
}

/**
 * Of the kinds of messages both show only what stands in messages of that kind, and something where the other
 * does. Resolves with how much is shown.
 */
export async function shownOfKinds(
  both: Both,
  query: string,
  records: readonly StoredRecord[],
): Promise<number> {
  const body = { query, ...always, limit: 10 }
  const [ours, theirs] = await askBoth(both, async service => {
    return (await service.call('POST', '/api/v1/query/logs/patterns', { body })).body.patterns
  })
  let shown = 0
  for (const [at, { pattern, text, variables }] of ours.entries()) {
    const ofKind = records.filter(({ message }) => patternOfMessage(message).id === pattern)
    const found = ofKind.map(({ message }) => variablesIn(text, message) ?? [])
    for (const [i, { samples }] of variables.entries()) {
      const known = new Set(found.map(values => values[i]))
      const others = theirs[at].variables[i].samples
      assert.equal(samples.length > 0, others.length > 0, `${query}: variable ${i} of ${text}`)
      for (const one of [...samples, ...others]) assert.ok(known.has(one), `${text}: ${one}`)
      shown += samples.length
    }
  }
  return shown
}

/** An export as CSV has the same cells, in which attributes may stand in another order. */
export async function compareTables(
  both: Both,
  { selector: query, startTime, endTime, order }: Asked,
): Promise<void> {
  const [actual, expected] = await askBoth(both, async ({ url }) => {
    const answer = await fetch(`${url}/api/v1/query/logs/export`, {
      method: 'POST',
      body: JSON.stringify({ query, startTime, endTime, order }),
      headers: {
        ...{ authorization: `Bearer ${adminKey}`, accept: 'text/csv' },
        'content-type': 'application/json',
      },
    })
    assert.match(answer.headers.get('content-type')!, /^text\/csv/)
    return cellsOf(await answer.text())
  })
  assert.equal(actual[0]![0], 'id')
  const differing = firstDifference(actual, expected)
  assert.equal(differing, undefined, `an export of ${query}: ${differing}`)
}

/** As RFC 4180 has them; the last of each row but the first is JSON. */
function cellsOf(csv: string): unknown[][] {
  const rows: unknown[][] = [[]]
  for (const [, text, end] of csv.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    const cell = text!.startsWith('"') ? text!.slice(1, -1).replaceAll('""', '"') : text!
    const isJson = end !== ',' && rows.length > 1
    rows.at(-1)!.push(isJson ? JSON.parse(cell) : cell)
    if (end !== ',') rows.push([])
  }
  return rows
}
