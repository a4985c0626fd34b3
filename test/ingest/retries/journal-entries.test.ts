/** Entries of systemd's journal that have a `__CURSOR`. */
import t from 'tap'
import { openIngestIn, openIngestOf, other } from './ingest-on-store.ts'

const journald = { format: 'journald' } as const

const entry = (cursor: string | undefined, message: string) =>
  `${cursor === undefined ? '' : `__CURSOR=${cursor}\n`}PRIORITY=6\nMESSAGE=${message}\n\n`

t.test('an entry counts once by its cursor, after it was sealed and after a restart', async t => {
  const dataDir = t.testdir()
  let there = await openIngestIn(dataDir)
  const body = entry('i=1', 'one') + entry('i=2', 'two')
  await there.batch(body, journald)
  t.match(await there.batch(body + entry('i=3', 'three'), journald), { accepted: 3, rejected: 0 })
  t.same(await there.messages(), ['one', 'two', 'three'])
  t.same(there.counted, { accepted: 3, repeated: 2 })
  await there.batch(body, journald, other)
  t.equal((await there.messages()).length, 5, 'of another token')
  await there.store.settle()
  await there.close()

  there = await openIngestIn(dataDir)
  t.match(await there.batch(body, journald), { accepted: 2, rejected: 0 })
  t.equal((await there.messages()).length, 5)
  await there.close()
})

t.test('twice in one body, and however its end came', async t => {
  const there = await openIngestOf(t, t.testdir())
  const one = entry('i=1', 'one')
  await there.batch(one.trimEnd(), journald)
  await there.batch(`\n\n${one}${one}${entry('i=2', 'two')}${one}`, journald)
  t.same(await there.messages(), ['one', 'two'])
})

t.test('another entry under a known cursor is stored, once; without one each is', async t => {
  const there = await openIngestOf(t, t.testdir())
  for (const message of ['one', 'changed', 'changed', 'one']) {
    const answer = await there.batch(entry('i=1', message), journald)
    t.match(answer, { accepted: 1, rejected: 0 })
  }
  t.same(await there.messages(), ['one', 'changed'])
  for (const cursor of [undefined, undefined, '', '']) {
    await there.batch(entry(cursor, 'no cursor'), journald)
  }
  t.equal((await there.messages()).length, 6)
})

t.test('what cannot be read is refused each time, and costs no other', async t => {
  const there = await openIngestOf(t, t.testdir())
  const many = Array.from({ length: 1_001 }, (_, i) => `F${i}=\n`).join('')
  const body = `__CURSOR=i=1\n${many}\n${entry('i=2', 'two')}`
  for (let i = 0; i < 2; i++) {
    t.match(await there.batch(body, journald), { accepted: 1, rejected: 1 })
  }
  t.same(await there.messages(), ['two'])
})

t.test('a large body that is sent again', async t => {
  const there = await openIngestOf(t, t.testdir())
  const entries = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => entry(`i=${from + i}`, `${from + i}`)).join('')
  await there.batch(entries(0, 4_000), journald)
  await there.batch(entries(2_000, 6_000), journald)
  const messages = await there.messages()
  t.equal(messages.length, 6_000)
  t.equal(new Set(messages).size, 6_000)
})
