/** Documents of Elasticsearch's bulk API that have an `_id`. */
import t from 'tap'
import { openIngestIn, openIngestOf, other } from './ingest-on-store.ts'

const bulk = { format: 'bulk' } as const

interface Item {
  readonly status: number
  readonly result?: string
  readonly error?: { readonly type: string }
}

/** Lines of a body: an action with an id, and a document. */
function doc(id: string | undefined, message: string, action = 'create', index = 'logs'): string {
  const members = id === undefined ? { _index: index } : { _index: index, _id: id }
  return `${JSON.stringify({ [action]: members })}\n${JSON.stringify({ message })}\n`
}

const itemsOf = (answers: string | undefined): Item[] =>
  JSON.parse(`[${answers}]`).map((item: Record<string, Item>) => Object.values(item)[0])
const statusesOf = (answers: string | undefined) => itemsOf(answers).map(({ status }) => status)

t.test('a document counts once in its index, and is answered as the first time', async t => {
  const dataDir = t.testdir()
  let there = await openIngestIn(dataDir)
  const body = doc('1', 'one') + doc('2', 'two') + doc(undefined, 'none')
  const first = await there.batch(body, bulk)
  t.same(statusesOf(first.answers), [201, 201, 201])
  const again = await there.batch(doc('3', 'three') + body, bulk)
  t.same(statusesOf(again.answers), [201, 201, 201, 201])
  t.same(itemsOf(again.answers).slice(1), itemsOf(first.answers), 'items are those of the first')
  t.same(await there.messages(), ['one', 'two', 'none', 'three', 'none'])
  t.same(there.counted, { accepted: 5, repeated: 2 })

  await there.batch(doc('1', 'one', 'create', 'another'), bulk)
  await there.batch(doc('1', 'one'), bulk, other)
  t.equal((await there.messages()).length, 7, 'another index, another token')
  await there.store.settle()
  await there.close()
  there = await openIngestIn(dataDir)
  t.same(statusesOf((await there.batch(body, bulk)).answers), [201, 201, 201])
  t.equal((await there.messages()).length, 8, 'after it was sealed, and after a restart')
  await there.close()
})

t.test('another document with the id of one that was created is refused', async t => {
  const there = await openIngestOf(t, t.testdir())
  await there.batch(doc('1', 'one'), bulk)
  const answer = await there.batch(doc('1', 'changed') + doc('2', 'two'), bulk)
  t.match(answer, { accepted: 1, rejected: 1 })
  t.match(itemsOf(answer.answers), [
    { status: 409, error: { type: 'version_conflict_engine_exception' } },
    { status: 201, result: 'created' },
  ])
  t.same(await there.messages(), ['one', 'two'])
})

t.test('index appends another document, and the same one once', async t => {
  const there = await openIngestOf(t, t.testdir())
  for (const message of ['one', 'one', 'changed', 'changed', 'one']) {
    const { answers } = await there.batch(doc('1', message, 'index'), bulk)
    t.same(statusesOf(answers), [201])
  }
  t.same(await there.messages(), ['one', 'changed'])
})

t.test('a document twice in one body counts once', async t => {
  const there = await openIngestOf(t, t.testdir())
  const body = doc('1', 'one') + doc('1', 'one') + doc('1', 'changed')
  t.same(statusesOf((await there.batch(body, bulk)).answers), [201, 201, 409])
  t.same(await there.messages(), ['one'])
})

t.test('bodies at once that share documents, large and small', async t => {
  const there = await openIngestOf(t, t.testdir())
  const bodyOf = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => doc(`${from + i}`, `event ${from + i}`)).join('')
  const ranges = [
    [0, 6_000],
    [3_000, 9_000],
    [5_990, 6_010],
    [0, 10],
  ] as const
  const answers = await Promise.all(ranges.map(([from, to]) => there.batch(bodyOf(from, to), bulk)))
  for (const [i, [from, to]] of ranges.entries()) t.equal(answers[i]!.accepted, to - from)
  const messages = await there.messages()
  t.equal(messages.length, 9_000)
  t.equal(new Set(messages).size, 9_000)
})

t.test('what could not be stored may be sent again', async t => {
  const there = await openIngestOf(t, t.testdir())
  const { appendBatches } = there.store
  there.store.appendBatches = async () => {
    there.store.appendBatches = appendBatches
    throw new Error('the disk is full')
  }
  await t.rejects(there.batch(doc('1', 'one'), bulk), /full/)
  await there.batch(doc('1', 'one'), bulk)
  await there.batch(doc('1', 'one'), bulk)
  t.same(await there.messages(), ['one'])
})
