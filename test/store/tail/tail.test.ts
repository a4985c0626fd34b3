import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord, type Selector } from '../../../src/language/ast.ts'
import type { AnswerRecord } from '../../../src/store/store.ts'
import { forAllAsync } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import {
  arbitraryRecord,
  arbitrarySelector,
  arbitraryStream,
  matchesPlainly,
} from '../../query/plain.ts'
import { allRecords, neverAborted } from '../store-in.ts'
import { read, readMessages } from './reading.ts'
import { append, appendMany, open, openStore, record, startNow } from './store.ts'

t.test('a tail gives the last records in order of arrival, then each new one', async t => {
  const store = await openStore(t)
  for (let i = 0; i < 5; i++) await append(store, `old ${i}`, 9_000 - i)
  const tail = await open(store, { last: 3 })
  t.same(await readMessages(tail, 3), ['old 2', 'old 3', 'old 4'])
  await append(store, 'new 0', 1)
  t.same(await readMessages(tail, 1), ['new 0'])
  await append(store, 'new 1', 99_000)
  t.same(await readMessages(tail, 1), ['new 1'])
  t.equal(await tail.next(0), undefined)
})

t.test('none of the last, all of the last, and more than there are', async t => {
  const store = await openStore(t)
  for (let i = 0; i < 3; i++) await append(store, `old ${i}`)
  const none = await open(store, { last: 0 })
  t.equal(await none.next(0), undefined)
  const more = await open(store, { last: 1_000 })
  t.same(await readMessages(more, 3), ['old 0', 'old 1', 'old 2'])
  t.equal(await more.next(0), undefined)
})

t.test('the last few that match are found however long ago they came', async t => {
  const store = await openStore(t)
  await append(store, 'needle 1')
  await appendMany(store, 0, 30_000)
  await append(store, 'needle 2')
  await store.settle()
  const selector: Selector = { ...everyRecord, filters: [{ operator: '|=', text: 'needle' }] }
  t.same(await readMessages(await open(store, { last: 2 }, selector), 2), ['needle 1', 'needle 2'])
})

t.test('clients that come while records do get each record once', async t => {
  const store = await openStore(t, ['--journal-file-bytes', '64KiB'])
  const count = 600
  const sending = (async () => {
    for (let i = 0; i < count; i += 3) {
      await Promise.all([0, 1, 2].map(j => append(store, `m${i + j}`, 5_000 - i)))
    }
  })()
  const reading = Array.from({ length: 8 }, async (_, client) => {
    while (store.stats().journalRecords < client * 60) await new Promise(setImmediate)
    const tail = await open(store, { last: 1_000 })
    return readMessages(tail, count)
  })
  await sending
  await store.settle()
  const expected = Array.from({ length: count }, (_, i) => `m${i}`)
  for (const messages of await Promise.all(reading)) t.same(messages, expected)
})

t.test('a client that comes back gets what it has missed, sealed meanwhile or not', async t => {
  const store = await openStore(t)
  await append(store, 'a')
  const first = await open(store, { last: 1 })
  const [seen] = (await read(first, 1)).items as AnswerRecord[]
  first.close()
  for (const message of ['b', 'c']) await append(store, message, 1)
  await store.settle()
  for (const message of ['d', 'e']) await append(store, message, 9_999)
  const again = await open(store, { after: seen!.id })
  t.same(await readMessages(again, 4), ['b', 'c', 'd', 'e'])
  await append(store, 'f')
  t.same(await readMessages(again, 1), ['f'])
})

t.test('a position stands for all that was looked at, matching or not', async t => {
  const store = await openStore(t)
  const empty = await open(store, startNow)
  const beginning = empty.position
  empty.close()
  await append(store, 'a')
  const tail = await open(store, { last: 10 })
  await readMessages(tail, 1)
  await append(store, 'b')
  await readMessages(tail, 1)
  t.same(await readMessages(await open(store, { after: beginning }), 2), ['a', 'b'])
  t.equal(await tail.next(0), undefined)
  const behind = await open(store, { after: tail.position })
  t.equal(await behind.next(0), undefined)
})

t.test('what is tailed is what a query finds, whatever the query', async t => {
  const store = await openStore(t, ['--journal-file-bytes', '8KiB'])
  const times = fc.integer({ min: 1_000, max: 1_060 })
  const rows = fc.array(fc.tuple(arbitraryRecord, arbitraryStream, times), {
    minLength: 1,
    maxLength: 12,
  })
  const selectors = fc.array(arbitrarySelector, { maxLength: 4 })
  await forAllAsync(longRuns(60), rows, selectors, fc.boolean(), async (rows, some, isSealed) => {
    const stored = rows.map(([made, stream, timestamp]) => ({
      record: { ...made, timestamp },
      stream,
    }))
    const asked = [everyRecord, ...some, ...some]
    const tails = await Promise.all(asked.map(selector => open(store, startNow, selector)))
    const before = tails[0]!.position
    const half = Math.ceil(stored.length / 2)
    const sendAll = (rows: typeof stored) =>
      Promise.all(rows.map(({ record, stream }) => store.append(record, stream)))
    await sendAll(stored.slice(0, half))
    if (isSealed) await store.settle()
    await sendAll(stored.slice(half))
    for (const [i, selector] of asked.entries()) {
      const expected = stored
        .filter(({ record, stream }) => matchesPlainly(selector, record, stream))
        .map(({ record }) => [record.timestamp, record.message])
      const live = await read(tails[i]!, expected.length)
      const resuming = await open(store, { after: before }, selector)
      const resumed = await read(resuming, expected.length)
      resuming.close()
      const plain = (items: readonly (AnswerRecord | number)[]) =>
        (items as AnswerRecord[]).map(({ timestamp, message }) => [timestamp, message])
      assert.deepEqual(plain(live.items), expected)
      assert.deepEqual(live.items, resumed.items)
    }
    for (const tail of tails) tail.close()
  })
})

t.test('a record comes as a query answers it, whatever a sender wrote', async t => {
  const store = await openStore(t)
  const tail = await open(store, startNow)
  const texts = [
    'a\nb',
    '\r',
    '\r\n\r\ndata: x',
    '\u2028\u2029',
    '\0',
    '\ud800',
    '\ufeff',
    'id: 7\n\n',
  ]
  for (const text of texts) {
    const hostile = { ...record(text), attributes: [text, text, '__proto__', text] }
    await store.append(hostile, { service: text, environment: text })
  }
  const { items } = await read(tail, texts.length)
  const { records } = await store.select(allRecords, neverAborted)
  t.same(JSON.stringify(items), JSON.stringify(records))
})
