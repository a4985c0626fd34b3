import t from 'tap'
import { checkout, keyOf, openIngestIn, openIngestOf, other } from './ingest-on-store.ts'

const lines = (...messages: string[]) =>
  messages.map(message => JSON.stringify({ message })).join('\n')
const half = `${lines('good')}\n{"message":\n${lines('good too')}`

t.test('a request that is sent again is stored once and answered as the first time', async t => {
  const there = await openIngestOf(t, t.testdir())
  await there.one('{"message":"one"}', 'a')
  await there.one('{"message":"one"}', 'a')
  await there.one('{"message":"one"}', 'b')
  await there.one('{"message":"one"}', undefined)
  t.same(await there.messages(), ['one', 'one', 'one'])

  const first = await there.batch(half, keyOf('batch'))
  t.match(first, { accepted: 2, rejected: 1, errors: [{ index: 1, code: 'json_invalid' }] })
  t.same(await there.batch(half, keyOf('batch')), first, 'what was refused is told again')
  t.same((await there.messages()).slice(3), ['good', 'good too'])
  t.same(there.counted, { accepted: 5, repeated: 3 })
})

t.test('what another request under the same key is', async t => {
  const there = await openIngestOf(t, t.testdir())
  const reused = { code: 'idempotency_key_reused', extras: { field: 'Idempotency-Key' } }
  await there.one('{"message":"one"}', 'a')
  await t.rejects(there.one('{"message":"two"}', 'a'), reused)
  await t.rejects(there.batch('{"message":"one"}', keyOf('a')), reused, 'to the other operation')
  const otherField = { ...keyOf('a'), timestampField: 'at' }
  await there.batch('{"message":"three"}', { ...keyOf('b') })
  await t.rejects(there.batch('{"message":"three"}', { ...otherField, ...keyOf('b') }), reused)
  await there.one('{"message":"two"}', 'a', other)
  t.same((await there.messages()).sort(), ['one', 'three', 'two'], 'keys are those of a token')
})

t.test('what was refused as a whole is not remembered', async t => {
  const there = await openIngestOf(t, t.testdir())
  await t.rejects(there.one('{"message":', 'a'), { code: 'json_invalid' })
  await there.one('{"message":"one"}', 'a')
  await t.rejects(there.batch('{"message":', keyOf('b')), { code: 'events_unreadable' })
  await there.batch('{"message":"two"}', keyOf('b'))
  t.same(await there.batch('[]', keyOf('c')), { accepted: 0, rejected: 0, errors: [] })
  await there.batch('{"message":"three"}', keyOf('c'))
  t.same(await there.messages(), ['one', 'two', 'three'])
})

t.test('of two that come at once the second waits for the first', async t => {
  const there = await openIngestOf(t, t.testdir())
  const large = lines(...Array.from({ length: 4_000 }, (_, i) => `event ${i} ${'x'.repeat(30)}`))
  for (const body of [half, large]) {
    const key = keyOf(`at once ${body.length}`)
    const answers = await Promise.all([1, 2, 3].map(() => there.batch(body, key)))
    t.same(answers[1], answers[0])
    t.same(answers[2], answers[0])
  }
  t.equal((await there.messages()).length, 4_002)
  await Promise.all([1, 2, 3].map(() => there.one('{"message":"last"}', 'last')))
  t.equal((await there.messages()).length, 4_003)
})

t.test('one that waits for a first that fails is stored itself', async t => {
  const there = await openIngestOf(t, t.testdir())
  const { appendBatches } = there.store
  let failures = 1
  there.store.appendBatches = async batches => {
    await new Promise(resolve => setImmediate(resolve))
    if (failures-- > 0) throw new Error('the disk is full')
    return appendBatches.call(there.store, batches)
  }
  const first = there.batch(half, keyOf('a'))
  const second = there.batch(half, keyOf('a'))
  await t.rejects(first, /full/)
  t.match(await second, { accepted: 2, rejected: 1 })
  t.same(await there.messages(), ['good', 'good too'])
})

t.test('keys are remembered across restarts, sealed or not', async t => {
  const dataDir = t.testdir()
  let there = await openIngestIn(dataDir)
  await there.one('{"message":"one"}', 'a')
  const answer = await there.batch(half, keyOf('b'))
  for (const step of ['in the journal', 'sealed', 'sealed long ago']) {
    if (step === 'sealed') await there.store.settle()
    await there.close()
    there = await openIngestIn(dataDir)
    await there.one('{"message":"one"}', 'a')
    t.same(await there.batch(half, keyOf('b')), answer, step)
    await t.rejects(there.one('{"message":"two"}', 'a'), { code: 'idempotency_key_reused' })
    t.equal((await there.messages()).length, 3, step)
  }
  await there.close()
})

t.test('a key is forgotten when its time is over', async t => {
  const dataDir = t.testdir()
  let now = Date.UTC(2026, 10, 23)
  const options = { now: () => now, flags: ['--retry-window', '1h'] }
  let there = await openIngestIn(dataDir, options)
  await there.one('{"message":"one"}', 'a')
  now += 3_600_000
  await there.one('{"message":"one"}', 'a')
  t.equal((await there.messages()).length, 1, 'after an hour')
  await there.store.settle()
  now += 2_000
  await there.one('{"message":"one"}', 'a')
  t.equal((await there.messages()).length, 2, 'after more')
  await there.one('{"message":"one"}', 'a')
  await there.close()
  there = await openIngestIn(dataDir, options)
  await there.one('{"message":"one"}', 'a')
  t.equal((await there.messages()).length, 2)
  await there.close()
})

t.test('so many keys are remembered, and then the oldest are forgotten', async t => {
  const dataDir = t.testdir()
  const options = { flags: ['--retry-keys', '16'] }
  let there = await openIngestIn(dataDir, options)
  for (let i = 0; i < 17; i++) await there.one(`{"message":"${i}"}`, `${i}`)
  const isKnown = async (i: number) => {
    const { length } = await there.messages()
    await there.one(`{"message":"${i}"}`, `${i}`)
    return (await there.messages()).length === length
  }
  t.ok(await isKnown(16))
  t.ok(await isKnown(3))
  t.ok(there.store.receipts.count <= 16)
  await there.store.settle()
  await there.close()
  there = await openIngestIn(dataDir, options)
  t.ok(await isKnown(16))
  t.notOk(await isKnown(0))
  await there.close()

  const none = await openIngestIn(dataDir, { flags: ['--retry-keys', '0'] })
  await none.one('{"message":"16"}', '16')
  await none.one('{"message":"16"}', '16')
  t.equal((await none.messages()).length, 20, 'with room for none all are new')
  await none.close()
})

t.test('events without keys cost nothing more on disk', async t => {
  const there = await openIngestOf(t, t.testdir())
  const sizeOf = async (key: string | undefined) => {
    const before = there.store.stats().journalBytes
    await there.one('{"message":"one"}', key, checkout)
    return there.store.stats().journalBytes - before
  }
  await sizeOf(undefined)
  const plain = await sizeOf(undefined)
  t.equal(await sizeOf(undefined), plain)
  t.ok((await sizeOf('a')) > plain)
  t.equal(there.store.receipts.count, 1)
})
