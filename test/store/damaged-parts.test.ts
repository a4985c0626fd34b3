/** Damage under an open store: in the journal, where queries and tails meet it, and in what is merged. */
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fileHeaderBytes } from '../../src/journal/files.ts'
import { everyRecord } from '../../src/language/ast.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import { TailThread } from '../../src/store/tail/thread.ts'
import { filesIn } from './maintain/sealed-records.ts'
import { allRecords, neverAborted, openStoreOf } from './store-in.ts'
import { append } from './tail/store.ts'

const select = (store: LocalStore) => store.select(allRecords, neverAborted)

/** Changes a byte of the only place in a file where `text` stands. */
function damage(path: string, text: string): void {
  const bytes = fs.readFileSync(path)
  const at = bytes.indexOf(text)
  bytes[at]! ^= 1
  fs.writeFileSync(path, bytes)
}

t.test('queries and tails leave out a damaged frame, and say so', async t => {
  const dataDir = t.testdir()
  const log: Record<string, unknown>[] = []
  const store = await openStoreOf(t, dataDir, { log })
  for (const message of ['one', 'two', 'three']) await append(store, message)
  const path = join(dataDir, 'journal', '00000001.log')
  damage(path, 'two')
  const { records, stats } = await select(store)
  t.same(
    records.map(({ message }) => message),
    ['one', 'three'],
  )
  t.equal(stats.damagedFrames, 1)
  t.match(log.at(-1), { damagedFrames: 1, msg: 'a query met damaged frames' })

  const thread = new TailThread({ lookMs: 60_000 })
  t.teardown(() => thread.close())
  const bytes = fs.statSync(path).size - fileHeaderBytes
  const range = { path, file: 1, offset: fileHeaderBytes, bytes, isCountedOnly: true }
  const queries = [{ number: 1, selector: everyRecord }]
  const tailed = await thread.run({ queries, ranges: [range], turnMs: 1_000 })
  t.match(tailed, { ranges: [[{ query: 1, count: 2 }]], damagedFrames: 1 })
})

t.test(
  'a damaged segment is never merged: what is left of it stays, others are merged',
  async t => {
    const dataDir = t.testdir()
    const log: Record<string, unknown>[] = []
    const store = await openStoreOf(t, dataDir, { log })
    const segments = join(dataDir, 'segments')
    const addSegment = async (name: string) => {
      for (let i = 0; i < 10; i++) await append(store, `${name} ${i}`, i)
      await store.settle()
    }
    await addSegment('damaged')
    const [hurt] = filesIn(segments)
    const path = join(segments, hurt!)
    const bytes = fs.readFileSync(path)
    bytes[30]! ^= 4 // In the first chunk of its only block.
    fs.writeFileSync(path, bytes)
    for (const name of ['b', 'c', 'd']) await addSegment(name)
    // (That its block is damaged is said, too, when it has been copied.)
    const named = () =>
      log.filter(({ msg }) => /is not merged/.test(`${msg}`)).map(({ segment }) => segment)
    t.same(named(), [1], 'the first four cannot be merged')
    t.equal(store.stats().compactions, 0)
    await addSegment('e')
    t.same(named(), [1], 'the damaged one is not tried again')
    t.equal(store.stats().compactions, 1, 'the others are merged')
    t.ok(filesIn(segments).includes(hurt!))
    const { count, records } = await select(store)
    t.equal(count, 40)
    t.notOk(records.some(({ message }) => message.startsWith('damaged')))
  },
)
