/** What a tail does at its bounds: too much, too slow, too many, and the end. */
import t from 'tap'
import { everyRecord, type Selector } from '../../../src/language/ast.ts'
import { limits } from '../../../src/limits.ts'
import type { AnswerRecord } from '../../../src/store/store.ts'
import { openStoreIn } from '../store-in.ts'
import { read, readMessages } from './reading.ts'
import { append, appendMany, open, openStore, startNow } from './store.ts'

t.test('who missed more than may wait is told how many, and gets the latest', async t => {
  const store = await openStore(t)
  const { position } = await open(store, startNow)
  const { tailQueueRecordsMax } = limits
  await appendMany(store, 0, 7_000)
  await store.settle()
  await appendMany(store, 7_000, 7_000)
  const { items } = await read(await open(store, { after: position }), 14_000)
  t.equal(items[0], 14_000 - tailQueueRecordsMax)
  t.equal((items[1] as AnswerRecord).message, `m${14_000 - tailQueueRecordsMax}`)
  t.equal(items.length, 1 + tailQueueRecordsMax)
})

t.test('a client that does not read loses the oldest, and is told exactly how many', async t => {
  const store = await openStore(t)
  const slow = await open(store, startNow)
  const fast = await open(store, startNow)
  let got = 0
  for (let i = 0; i < 40; i++) {
    await appendMany(store, i * 1_000, 1_000)
    got += (await readMessages(fast, 1_000)).length
  }
  t.equal(got, 40_000)
  const { items } = await read(slow, 40_000)
  const [dropped, ...records] = items
  t.ok(Number(dropped) >= 40_000 - limits.tailQueueRecordsMax)
  t.same(
    (records as AnswerRecord[]).map(({ message }) => message),
    Array.from({ length: records.length }, (_, i) => `m${Number(dropped) + i}`),
  )
  t.equal(store.stats().tailDroppedRecords, dropped)
})

t.test('what is not the id of an event is refused', async t => {
  const store = await openStore(t)
  const refuses = (after: string) =>
    t.rejects(open(store, { after }), { code: 'field_invalid' }, JSON.stringify(after))
  for (const id of ['', 'x', '1.2.3', '~', '~-1', '1.', '.1', '1.~1', '1 .2', 'zzzzzzzzzzzzz.1']) {
    await refuses(id)
  }
  await refuses('1.zzzzzzzzzzzz')
  t.equal(store.stats().tailingClients, 0)
})

t.test('an id of the future is as good as the latest', async t => {
  const store = await openStore(t)
  await append(store, 'a')
  const tail = await open(store, { after: '1.zzzz' })
  await append(store, 'b')
  t.same(await readMessages(tail, 1), ['b'])
})

t.test('only so many may tail at once', async t => {
  const store = await openStore(t)
  const tails = await Promise.all(
    Array.from({ length: limits.tailsMax }, () => open(store, startNow)),
  )
  t.equal(store.stats().tailingClients, limits.tailsMax)
  await t.rejects(open(store, startNow), {
    code: 'tails_too_many',
    extras: { retryAfterSeconds: Number },
  })
  tails[7]!.close()
  tails[7]!.close()
  await append(store, 'a')
  t.same(await readMessages(await open(store, { last: 1 }), 1), ['a'])
})

t.test('a query that takes too long ends its tails, and no others', async t => {
  const store = await openStore(t)
  // States that cannot be collected, nor advanced as bits (`bit-automaton.ts`).
  const text = '[xy]*x[xy]{900}(?:[xy]?){100}[uv]'
  const costly: Selector = { ...everyRecord, filters: [{ operator: '|~', text }] }
  const tail = await open(store, startNow)
  const stuck = await open(store, startNow, costly)
  const letter = (i: number) => 'xy'[(Math.imul(i * i, 2_654_435_761) >>> 16) & 1]
  // Ten seconds of work for a quick machine, most of which is not done: two are allowed.
  const message = Array.from({ length: 1_000_000 }, (_, i) => letter(i)).join('')
  await append(store, message)
  t.match((await read(stuck, 1)).ended, /regular expression/)
  t.same(await readMessages(tail, 1), [message])
  t.equal(store.stats().tailingClients, 1)
})

t.test('closing the store ends all tails, behind what they have yet to read', async t => {
  const store = await openStoreIn(t.testdir())
  await append(store, 'a')
  const tail = await open(store, { last: 1 })
  const idle = await open(store, startNow)
  const waiting = idle.next(60_000)
  await store.close()
  t.match(await waiting, { kind: 'ended' })
  t.match(await read(tail, 2), { items: [{ message: 'a' }], ended: 'the service is stopping' })
})
