import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Selector } from '../../src/language/ast.ts'
import type { AnswerRecord, SelectResult, Store } from '../../src/store/store.ts'
import { forAllAsync } from '../for-all.ts'
import { longRuns, share } from '../long-runs.ts'
import { arbitraryGrouping, type Grouping, labelValue, matchesPlainly } from '../query/plain.ts'
import { appendTogether, type Stored, sampleOf, smallFiles, storedAt } from './random-store.ts'
import { allRecords, neverAborted, openStoreIn, openStoreOf } from './store-in.ts'

/** Few different times, so that many records share one and the order of arrival matters. */
const arbitraryStored = storedAt(fc.integer({ min: 1_000, max: 1_060 }))

/** Appends in the ways in which records come: one by one, several at once, whole batches. */
async function fill(store: Store, rows: readonly Stored[]): Promise<void> {
  for (let i = 0; i < rows.length; ) {
    const group = rows.slice(i, i + 1 + (i % 7))
    i += group.length
    if (i % 3 === 0) {
      await appendTogether(store, group)
    } else {
      await Promise.all(group.map(({ record, stream }) => store.append(record, stream)))
    }
  }
}

/** What the answer must be, worked out in the plainest way. */
function answerPlainly(
  rows: readonly Stored[],
  { selector, by }: Grouping,
  range: Range,
  order: 'asc' | 'desc',
) {
  const matching = rows.filter(
    ({ record, stream }) =>
      record.timestamp >= range.startTime &&
      record.timestamp <= range.endTime &&
      matchesPlainly(selector, record, stream),
  )
  const ascending = matching.toSorted((a, b) => a.record.timestamp - b.record.timestamp)
  const records = order === 'asc' ? ascending : ascending.reverse()
  const groups = new Map<string, number>()
  if (by.length > 0) {
    for (const { record, stream } of matching) {
      const key = JSON.stringify(by.map(label => labelValue(label, record, stream)))
      groups.set(key, (groups.get(key) ?? 0) + 1)
    }
  }
  return { records, groups }
}

interface Range {
  readonly startTime: number
  readonly endTime: number
}

const arbitraryRange: fc.Arbitrary<Range> = fc
  .tuple(fc.integer({ min: 990, max: 1_070 }), fc.integer({ min: 0, max: 80 }))
  .map(([startTime, length]) => ({ startTime, endTime: startTime + length }))

function attributesOf({ record, stream }: Stored): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null)
  attributes['service.name'] = stream.service
  attributes.environment = stream.environment
  for (let i = 0; i < record.attributes.length; i += 2) {
    attributes[record.attributes[i]!] = record.attributes[i + 1]!
  }
  return attributes
}

function sameRecords(actual: readonly AnswerRecord[], expected: readonly Stored[]): void {
  assert.deepEqual(
    actual.map(({ timestamp, log_level, message, attributes }) => ({
      timestamp,
      log_level,
      message,
      attributes: Object.fromEntries(Object.entries(attributes)),
    })),
    expected.map(stored => ({
      timestamp: stored.record.timestamp,
      log_level: stored.record.level,
      message: stored.record.message,
      attributes: Object.fromEntries(Object.entries(attributesOf(stored))),
    })),
  )
}

function sameGroups(
  by: readonly string[],
  result: SelectResult,
  expected: Map<string, number>,
): void {
  if (by.length === 0) {
    assert.equal(result.groups, undefined)
    return
  }
  const actual = result.groups!.map(
    ({ labels, count }) => [JSON.stringify(by.map(label => labels[label])), count] as const,
  )
  assert.deepEqual(new Map(actual), expected)
}

t.test('every answer is what a plain look at every record gives', async t => {
  const rows = sampleOf(arbitraryStored, 900)
  const dataDir = t.testdir()
  // Some records from an earlier process, some in segments, some in the journal.
  const earlier = await openStoreIn(dataDir, { flags: smallFiles, scanThreads: 2 })
  await fill(earlier, rows.slice(0, 400))
  await earlier.close()
  const store = await openStoreOf(t, dataDir, { flags: smallFiles, scanThreads: 2 })
  await fill(store, rows.slice(400, 600))
  await store.settle()
  await fill(store, rows.slice(600))
  const { journalRecords, segmentRecords } = store.stats()
  t.equal(journalRecords + segmentRecords, 900)
  t.ok(segmentRecords >= 600, `${segmentRecords} are in segments`)

  let matched = 0
  await forAllAsync(
    longRuns(400),
    arbitraryGrouping,
    arbitraryRange,
    fc.integer({ min: 1, max: 40 }),
    fc.constantFrom('asc' as const, 'desc' as const),
    async (asked, range, limit, order) => {
      const expected = answerPlainly(rows, asked, range, order)
      const request = { ...asked, ...range, limit, order, cursor: undefined }
      const first = await store.select(request, neverAborted)
      assert.equal(first.count, expected.records.length)
      sameGroups(asked.by, first, expected.groups)
      sameRecords(first.records, expected.records.slice(0, limit))
      assert.equal(first.nextCursor !== undefined, expected.records.length > limit)
      matched += first.count > 0 ? 1 : 0
      if (first.nextCursor === undefined) return
      const second = await store.select({ ...request, cursor: first.nextCursor }, neverAborted)
      assert.equal(second.count, expected.records.length)
      sameRecords(second.records, expected.records.slice(limit, 2 * limit))
    },
  )
  t.ok(matched > share(100), `${matched} of ${share(400)} queries matched something`)
})

t.test('pages through everything give each record once, while more arrive', async t => {
  const store = await openStoreOf(t, t.testdir(), { flags: smallFiles, scanThreads: 2 })
  const stream = { service: 'a', environment: 'b' }
  const append = (message: string, timestamp: number) =>
    store.append({ timestamp, level: 'info', message, attributes: [] }, stream)
  for (let i = 0; i < 100; i++) await append(`early ${i}`, 5)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await store.select({ ...allRecords, limit: 7, cursor }, neverAborted)
    seen.push(...page.records.map(record => record.message))
    cursor = page.nextCursor
    if (seen.length === 35) await append('late', 4)
  } while (cursor !== undefined)
  t.same(
    seen,
    Array.from({ length: 100 }, (_, i) => `early ${i}`),
  )
})

t.test('counts by stream and level come from the index, without reading a block', async t => {
  const store = await openStoreOf(t, t.testdir(), { flags: smallFiles, scanThreads: 2 })
  for (const [i, service] of ['early', 'late'].entries()) {
    const stream = { service, environment: 'b' }
    for (let n = 0; n < 100; n++) {
      const level = n % 4 === 0 ? 'error' : 'info'
      const timestamp = 1_000 * i + n
      await store.append({ timestamp, level, message: 'x'.repeat(100), attributes: [] }, stream)
    }
  }
  await store.settle()
  const selector: Selector = {
    kind: 'selector',
    matchers: [{ label: 'log_level', operator: '=', value: 'error' }],
    filters: [],
  }
  const by = ['service.name', 'log_level']
  const result = await store.select({ ...allRecords, selector, by, limit: 1 }, neverAborted)
  t.equal(result.count, 50)
  t.same(result.groups, [
    { labels: { 'service.name': 'early', log_level: 'error' }, count: 25 },
    { labels: { 'service.name': 'late', log_level: 'error' }, count: 25 },
  ])
  t.ok(result.stats.sourcesFromIndex >= 1, 'the late stream was not read')
  t.ok(result.stats.recordsScanned <= 100, 'the first record is all that was looked for')
})

t.test(
  'there is a cursor whenever more records match, also across files apart in time',
  async t => {
    const store = await openStoreOf(t, t.testdir())
    const stream = { service: 'a', environment: 'b' }
    for (let file = 0; file < 3; file++) {
      for (let n = 0; n < 10; n++) {
        const timestamp = 1_000 * file + n
        await store.append(
          { timestamp, level: 'info', message: `${file}.${n}`, attributes: [] },
          stream,
        )
      }
      await store.settle()
    }
    for (const order of ['asc', 'desc'] as const) {
      for (const limit of [1, 9, 10, 11, 20, 29]) {
        const request = { ...allRecords, limit, order }
        const { count, records, nextCursor } = await store.select(request, neverAborted)
        t.same([count, records.length], [30, limit])
        t.type(nextCursor, 'string', `limit ${limit}, ${order}`)
      }
    }
  },
)

t.test('an aborted query throws the reason and leaves the store working', async t => {
  const store = await openStoreOf(t, t.testdir())
  const stream = { service: 'a', environment: 'b' }
  await store.append({ timestamp: 1, level: 'info', message: 'x', attributes: [] }, stream)
  const selector: Selector = {
    kind: 'selector',
    matchers: [],
    filters: [{ operator: '|=', text: 'x' }],
  }
  const request = { ...allRecords, selector }
  const abort = new AbortController()
  const answer = store.select(request, abort.signal)
  abort.abort(new Error('the client went away'))
  await t.rejects(answer, { message: 'the client went away' })
  t.equal((await store.select(request, neverAborted)).count, 1)
})

t.test('a cursor that no answer gave is refused', async t => {
  const store = await openStoreOf(t, t.testdir())
  const refuses = (cursor: string) =>
    t.rejects(store.select({ ...allRecords, cursor }, neverAborted), { code: 'cursor_invalid' })
  await refuses('')
  await refuses('asc')
  await refuses('asc.1.')
  await refuses('desc.1.1')
  await refuses('asc.zzzzzzzzzzzz.1')
  await refuses('asc.1.1.1')
})
