import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Store, TraceRequest } from '../../../src/store/store.ts'
import { traceIdNames } from '../../../src/trace-ids.ts'
import { forAllAsync } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import { openFilledStore, type Stored, sampleOf } from '../random-store.ts'
import { allRecords, neverAborted } from '../store-in.ts'

/** Ids that are parts of each other, that an expression would read otherwise, in any script. */
const ids = ['4bf92f35', '4bf92f3577b34da6', 'a.b', 'axb', '(', '7', 'é😀', 'id with words']
const google = 'logging.googleapis.com/trace'
const googleValue = (id: string) => `projects/shop-1/traces/${id}`

const arbitraryStored: fc.Arbitrary<Stored> = fc
  .record({
    timestamp: fc.integer({ min: 0, max: 60 }),
    service: fc.constantFrom('api', 'checkout', 'würfel'),
    environment: fc.constantFrom('prod', 'test'),
    level: fc.constantFrom('info', 'warn', 'error', 'fatal'),
    ofTraces: fc.uniqueArray(fc.tuple(fc.constantFrom(...traceIdNames), fc.constantFrom(...ids)), {
      maxLength: 2,
      selector: ([name]) => name,
    }),
    isLong: fc.boolean(),
  })
  .map(({ timestamp, service, environment, level, ofTraces, isLong }) => {
    const values = ofTraces.map(([name, id]) => [
      name,
      name === google && isLong ? googleValue(id) : id,
    ])
    const attributes = ['other', ids[timestamp % ids.length]!, ...values.flat()]
    return {
      record: { timestamp, level, message: `message ${timestamp} ${ids[1]}`, attributes },
      stream: { service, environment },
    }
  })

/** The trace ids of a record, by name. */
function traceIdsOf({ record: { attributes } }: Stored): string[] {
  return traceIdNames.flatMap(name => {
    const at = attributes.findIndex((text, i) => i % 2 === 0 && text === name)
    if (at === -1) return []
    const value = attributes[at + 1]!
    return [name === google ? value.replace('projects/shop-1/traces/', '') : value]
  })
}

interface Placed extends Stored {
  readonly id: string
}

/** All records in order of time and arrival, with their ids. */
async function placed(store: Store, rows: readonly Stored[]): Promise<Placed[]> {
  const inOrder = [...rows.entries()]
    .sort(([i, a], [j, b]) => a.record.timestamp - b.record.timestamp || i - j)
    .map(([, row]) => row)
  const { records } = await store.select(allRecords, neverAborted)
  assert.equal(records.length, rows.length)
  return inOrder.map((row, i) => ({ ...row, id: records[i]!.id }))
}

function servicesPlainly(rows: readonly Stored[]) {
  return [...Map.groupBy(rows, ({ stream }) => stream.service)]
    .map(([service, own]) => ({
      service,
      count: own.length,
      errors: own.filter(({ record }) => /error|fatal/.test(record.level)).length,
      firstAt: own[0]!.record.timestamp,
      lastAt: own.at(-1)!.record.timestamp,
    }))
    .sort((a, b) => a.firstAt - b.firstAt || (a.service < b.service ? -1 : 1))
}

t.test('a trace is all records that have its id, under whatever name', async t => {
  const rows = sampleOf(arbitraryStored, 500, 7)
  const store = await openFilledStore(t, rows, 300, 30)
  const all = await placed(store, rows)

  const time = fc.oneof(fc.constant(undefined), fc.integer({ min: -5, max: 65 }))
  const range = fc.tuple(time, time)
  const property = (runs: number) =>
    forAllAsync(
      longRuns(runs),
      fc.oneof(fc.constantFrom(...ids, 'nowhere', ''), fc.nat(all.length - 1)),
      range,
      fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(1_000)),
      async (asked, [startTime, endTime], limit) => {
        const byRecord = typeof asked === 'number' ? all[asked]! : undefined
        const traceId = byRecord === undefined ? String(asked) : traceIdsOf(byRecord)[0]
        if (traceId === '') return // The empty text stands for no id.
        const of = byRecord === undefined ? { traceId: traceId! } : { recordId: byRecord.id }
        const request: TraceRequest = { of, startTime, endTime, limit, cursor: undefined }
        if (traceId === undefined) {
          const refused = { code: 'trace_unknown', extras: { field: 'id' } }
          await assert.rejects(store.trace(request, neverAborted), refused)
          return
        }
        const expected = all.filter(
          row =>
            (startTime ?? 0) <= row.record.timestamp &&
            row.record.timestamp <= (endTime ?? 60) &&
            traceIdsOf(row).includes(traceId),
        )
        await isTrace(store, request, traceId, expected)
      },
    )
  await property(100)
  await store.settle()
  t.equal(store.stats().journalRecords, 0)
  await property(60)
})

/** The answer, and all that its cursors lead to. */
async function isTrace(
  store: Store,
  request: TraceRequest,
  traceId: string,
  expected: readonly Placed[],
): Promise<void> {
  const found: string[] = []
  for (let cursor: string | undefined; ; ) {
    const answer = await store.trace({ ...request, cursor }, neverAborted)
    const { records, services, count, startTime, endTime, truncated, nextCursor } = answer
    assert.equal(answer.traceId, traceId)
    assert.equal(count, expected.length)
    assert.deepEqual(services, servicesPlainly(expected))
    assert.equal(startTime, expected[0]?.record.timestamp)
    assert.equal(endTime, expected.at(-1)?.record.timestamp)
    found.push(...records.map(({ id }) => id))
    assert.equal(truncated ?? false, found.length < expected.length)
    assert.equal(nextCursor !== undefined, truncated ?? false)
    cursor = nextCursor
    if (cursor === undefined) break
    assert.equal(records.length, request.limit)
  }
  const ofExpected = expected.map(({ id }) => id)
  assert.deepEqual(found, ofExpected)
}
