/** Asks a running service, and compares every answer with the plain one. Throws where they differ. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Test } from 'tap'
import { seed, share } from '../long-runs.ts'
import type { ServiceProcess } from '../service/service-process.ts'
import { countsOf } from '../store/random-store.ts'
import {
  arbitraryQuestion,
  hasField,
  labelOf,
  type Question,
  type StoredRecord,
} from './questions.ts'
import type { SentRecord } from './senders.ts'

/** A record of an answer. */
interface Answered {
  readonly id: string
  readonly timestamp: number
  readonly log_level: string
  readonly message: string
  readonly attributes: Record<string, string>
}

/** More than this has no page, list of groups or of values in these tests. */
const listMax = 1_000

/**
 * What is stored, in order of arrival: what was sent, with the times of receipt as the service gave
 * them, which must lie between sending and the answer.
 */
export async function storedRecords(
  service: ServiceProcess,
  sent: readonly SentRecord[],
): Promise<StoredRecord[]> {
  const received = sent.filter(({ timestamp }) => timestamp === undefined)
  const first = received[0]?.sentAt ?? 0
  const found = await allPages(service, {
    query: 'logs',
    startTime: first,
    endTime: Date.now() + 1,
  })
  const own = found.filter(({ timestamp }) => timestamp >= first)
  assert.equal(own.length, received.length, 'records with the time of receipt')
  let next = 0
  return sent.map(({ sentAt, answeredAt, ...record }) => {
    const timestamp = record.timestamp ?? own[next++]!.timestamp
    const isReceived = record.timestamp === undefined
    if (isReceived) assert.ok(timestamp >= sentAt && timestamp <= answeredAt, 'received when sent')
    return { ...record, timestamp }
  })
}

/** All records of a query, page by page. */
async function allPages(service: ServiceProcess, request: object): Promise<Answered[]> {
  const found: Answered[] = []
  let cursor: string | undefined
  do {
    const body = await ask(service, '', { limit: listMax, ...request, ...(cursor && { cursor }) })
    found.push(...body.logs)
    cursor = body.nextCursor
  } while (cursor !== undefined)
  return found
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
async function ask(service: ServiceProcess, operation: string, body: object): Promise<any> {
  const answer = await service.call('POST', `/api/v1/query/logs${operation}`, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

/** Asks a share of 40 questions of all that was sent, in every operation. */
export async function compareAll(
  t: Test,
  service: ServiceProcess,
  sent: readonly SentRecord[],
): Promise<void> {
  const records = await storedRecords(service, sent)
  let matched = 0
  const property = fc.asyncProperty(arbitraryQuestion(records), async question => {
    matched += await compare(service, records, question)
  })
  await fc.assert(property, { numRuns: share(40), seed })
  t.ok(matched > share(40), `${matched} records matched`)
}

/** Tries one question in every operation. */
export async function compare(
  service: ServiceProcess,
  records: readonly StoredRecord[],
  question: Question,
): Promise<number> {
  const { selector, startTime, endTime } = question
  const matching = records.filter(question.matches)
  await comparePages(service, matching, question)
  await compareGroups(service, matching, question)
  await compareHistogram(service, matching, question)
  await compareValues(service, matching, question)
  same(await service.exported(selector, { startTime, endTime }), inOrder(matching, 'asc'))
  return matching.length
}

function inOrder(records: readonly StoredRecord[], order: 'asc' | 'desc'): StoredRecord[] {
  const ascending = records.toSorted((a, b) => a.timestamp - b.timestamp)
  return order === 'asc' ? ascending : ascending.reverse()
}

async function comparePages(
  service: ServiceProcess,
  matching: readonly StoredRecord[],
  { selector: query, startTime, endTime, order, limit }: Question,
): Promise<void> {
  const expected = inOrder(matching, order)
  const request = { query, startTime, endTime, order, limit }
  let cursor: string | undefined
  let seen = 0
  do {
    const body = await ask(service, '', { ...request, ...(cursor && { cursor }) })
    assert.equal(body.count, matching.length, 'the count')
    same(body.logs, expected.slice(seen, seen + limit))
    seen += body.logs.length
    cursor = body.nextCursor
  } while (cursor !== undefined && seen < 4 * limit) // The rest is like it.
  assert.equal(cursor === undefined, seen >= expected.length, 'a cursor while there is more')
}

async function compareGroups(
  service: ServiceProcess,
  matching: readonly StoredRecord[],
  { selector, startTime, endTime, groupBy }: Question,
): Promise<void> {
  const labels = groupBy.map(label => JSON.stringify(label)).join(', ')
  const query = `count by (${labels}) (${selector})`
  const body = await ask(service, '', { query, startTime, endTime, limit: 1 })
  const keys = matching.map(record => JSON.stringify(groupBy.map(label => labelOf(record, label))))
  const groups: { labels: Record<string, string>; count: number }[] = body.groups
  const actual = groups.map(group => [
    JSON.stringify(groupBy.map(label => group.labels[label])),
    group.count,
  ])
  assert.deepEqual(new Map(actual as [string, number][]), new Map(countsOf(keys)), query)
}

async function compareHistogram(
  service: ServiceProcess,
  matching: readonly StoredRecord[],
  { selector: query, startTime, endTime, bucketMs }: Question,
): Promise<void> {
  // Records with the time of receipt lie far behind the others: that would be too many buckets.
  const end = Math.min(endTime, startTime + 900 * bucketMs)
  const body = await ask(service, '/histogram', { query, startTime, endTime: end, bucketMs })
  const expected = new Map<string, number>()
  for (const { timestamp, level } of matching) {
    if (timestamp > end) continue
    const key = `${Math.floor(timestamp / bucketMs) * bucketMs} ${level}`
    expected.set(key, (expected.get(key) ?? 0) + 1)
  }
  const buckets: { start: number; count: number; levels: Record<string, number> }[] = body.buckets
  const actual = buckets.flatMap(({ start, levels }) =>
    Object.entries(levels).map(([level, count]) => [`${start} ${level}`, count] as const),
  )
  assert.deepEqual(new Map(actual), expected, 'the histogram')
  for (const { count, levels } of buckets) {
    const sum = Object.values(levels).reduce((a, b) => a + b, 0)
    assert.equal(count, sum, 'a bucket is the sum of its levels')
  }
}

async function compareValues(
  service: ServiceProcess,
  matching: readonly StoredRecord[],
  { selector: query, startTime, endTime, field }: Question,
): Promise<void> {
  const request = { query, startTime, endTime, limit: 5 }
  const { facets } = await ask(service, '/facets', { ...request, fields: [field] })
  const having = matching.filter(record => hasField(record, field))
  const counts = countsOf(having.map(record => labelOf(record, field)))
  const top = counts.slice(0, 5).map(([, count]) => count)
  const [facet] = facets
  assert.deepEqual(
    facet.values.map(({ count }: { count: number }) => count),
    top,
    'top counts',
  )
  const all = new Map(counts)
  for (const { value, count } of facet.values) assert.equal(count, all.get(value), `of ${value}`)
  assert.equal(facet.missing, matching.length - having.length, 'records without the field')
  const shown = top.reduce((a, b) => a + b, 0)
  assert.equal(facet.others, having.length - shown, 'records with other values')
}

/** Throws at the first record that is not the expected one in its place. */
export function same(actual: readonly Answered[], expected: readonly StoredRecord[]): void {
  for (const [i, { timestamp, log_level, message, attributes }] of actual.entries()) {
    const found = { timestamp, level: log_level, message, attributes: { ...attributes } }
    const wanted = expected[i] && {
      ...expected[i],
      attributes: Object.fromEntries(expected[i].attributes),
    }
    if (!isDeepStrictEqual(found, wanted)) {
      assert.fail(`record ${i} is ${JSON.stringify(found)} and must be ${JSON.stringify(wanted)}`)
    }
  }
  assert.equal(actual.length, expected.length, 'how many records')
}
