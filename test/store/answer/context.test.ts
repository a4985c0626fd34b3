import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { recordId } from '../../../src/store/answer/place-text.ts'
import type { Store } from '../../../src/store/store.ts'
import { forAllAsync } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import { appendTogether, openRandomStore } from '../random-store.ts'
import { allRecords, neverAborted, openStoreOf } from '../store-in.ts'

/** The ids of all records in order of time and arrival, with their streams. */
async function everything(store: Store) {
  const { records } = await store.select(allRecords, neverAborted)
  return records.map(({ id, attributes, message }) => ({
    id,
    message,
    stream: `${attributes['service.name']} ${attributes.environment}`,
  }))
}

t.test('the records around each one are those of its stream, nearest first', async t => {
  // Few times and many records of each: ties are decided by arrival.
  const { store } = await openRandomStore(t, fc.integer({ min: 0, max: 12 }))
  const found = await everything(store)
  t.equal(found.length, 600)
  const property = (runs: number) =>
    forAllAsync(
      longRuns(runs),
      fc.nat(found.length - 1),
      fc.oneof(fc.nat(5), fc.nat(500)),
      fc.oneof(fc.nat(5), fc.nat(500)),
      async (at, before, after) => {
        const { id, stream } = found[at]!
        const context = await store.context({ id, before, after }, neverAborted)
        const isOfStream = (other: { stream: string }) => other.stream === stream
        const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id)
        const earlier = found.slice(0, at).filter(isOfStream)
        const later = found.slice(at + 1).filter(isOfStream)
        assert.deepEqual(idsOf(context.before), idsOf(before > 0 ? earlier.slice(-before) : []))
        assert.deepEqual(idsOf(context.after), idsOf(later.slice(0, after)))
        assert.equal(context.record.id, id)
        assert.equal(context.record.message, found[at]!.message)
      },
    )
  await property(60)
  await store.settle()
  t.equal(store.stats().journalRecords, 0)
  await property(60) // The same ids, now that all of them are sealed and compacted.
})

t.test('the whole range of time has contexts', async t => {
  const store = await openStoreOf(t, t.testdir())
  const stream = { service: 'a', environment: 'b' }
  const times = [-8.64e15, -1, 0, 8.64e15]
  await appendTogether(
    store,
    times.map(timestamp => ({
      record: { timestamp, level: 'info', message: `${timestamp}`, attributes: [] },
      stream,
    })),
  )
  const ofMidnight = { ...allRecords, startTime: 0, endTime: 0 }
  const { records } = await store.select(ofMidnight, neverAborted)
  for (const state of ['in the journal', 'in segments']) {
    const ask = (id: string) => store.context({ id, before: 9, after: 9 }, neverAborted)
    const context = await ask(records[0]!.id)
    const timesOf = (some: readonly { timestamp: number }[]) => some.map(r => r.timestamp)
    t.same(timesOf(context.before), [-8.64e15, -1], state)
    t.same(timesOf(context.after), [8.64e15], state)
    t.same(timesOf((await ask(context.before[0]!.id)).after), [-1, 0, 8.64e15], state)
    t.ok(context.stats.elapsedMs > 0)
    await store.settle()
  }
})

t.test('an id that no record has is 404, and what is no id is 400', async t => {
  const store = await openStoreOf(t, t.testdir())
  const record = { timestamp: 1_000, level: 'info', message: 'm', attributes: [] }
  await store.append(record, { service: 'a', environment: 'b' })
  const refuses = (id: string, expected: { code: string; extras?: object }) =>
    t.rejects(store.context({ id, before: 1, after: 1 }, neverAborted), expected, id)
  await refuses(recordId({ timestamp: 1_000, sequence: 999 }), { code: 'record_unknown' })
  await refuses(recordId({ timestamp: 999, sequence: 1 }), { code: 'record_unknown' })
  await refuses(recordId({ timestamp: -5, sequence: 0 }), { code: 'record_unknown' })
  await refuses('1jgggg.zzzzzz', { code: 'record_unknown' })
  const malformed = { code: 'field_invalid', extras: { field: 'id' } }
  for (const id of [
    '',
    '.',
    'a',
    'a.',
    '.a',
    'a.b.c',
    'A.b',
    'a.-b',
    '01.1',
    '-0.1',
    'a.b\n',
    ' a.b',
  ]) {
    await refuses(id, malformed)
  }
  await refuses('zzzzzzzzzzzz.1', malformed)
  await refuses(`asc.${recordId({ timestamp: 1_000, sequence: 1 })}`, malformed)
})
