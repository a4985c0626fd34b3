import { join } from 'node:path'
import t, { type Test } from 'tap'
import { BlockIndex } from '../../src/index/block-index.ts'
import { LmdbSilent } from '../../src/lmdb/answer.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import { filesIn } from './maintain/sealed-records.ts'
import { countIn, openStoreIn } from './store-in.ts'

/** Appends ten records and has their journal file sealed, and segments merged, as far as it goes. */
async function addTen(store: LocalStore): Promise<void> {
  for (let i = 0; i < 10; i++) {
    const record = { timestamp: i, level: 'info', message: `m${i}`, attributes: [] }
    await store.append(record, { service: 'a', environment: 'b' })
  }
  await store.settle()
}

/** The index refuses one write, the one with number `failing` from now on. */
function failOnce(failing: number): () => void {
  const { addSegment } = BlockIndex.prototype
  let writes = 0
  BlockIndex.prototype.addSegment = async function (...args) {
    writes++
    if (writes === failing) throw new Error('no space left on device')
    return addSegment.apply(this, args)
  }
  return () => {
    BlockIndex.prototype.addSegment = addSegment
  }
}

for (const [what, failing] of [
  ['sealing', 1],
  ['compaction', 5],
] as const) {
  t.test(`an index that cannot be written once during ${what} doubles nothing`, async t => {
    const dataDir = t.testdir()
    const store = await openStoreIn(dataDir)
    const restore = failOnce(failing)
    t.teardown(restore)
    for (let file = 1; file <= 6; file++) {
      await addTen(store)
      t.equal(await countIn(store), 10 * file)
    }
    t.equal(store.stats().unsealedFiles, 0, 'what failed was done again')
    t.ok(store.stats().compactions > 0)
    t.equal(filesIn(join(dataDir, 'segments')).length, store.stats().segmentFiles)
    await store.close()
    restore()
    const again = await openStoreIn(dataDir)
    t.equal(await countIn(again), 60, 'after a restart too')
    await again.close()
  })
}

/** What is taken out of the index fails with `error`; returns how often that was tried. */
async function triesToRemove(t: Test, error: Error): Promise<number> {
  const { removeSegments } = BlockIndex.prototype
  let tries = 0
  BlockIndex.prototype.removeSegments = async () => {
    tries++
    throw error
  }
  t.teardown(() => {
    BlockIndex.prototype.removeSegments = removeSegments
  })
  const store = await openStoreIn(t.testdir())
  for (let file = 1; file <= 4; file++) await addTen(store)
  t.match(store.stats(), { compactions: 1, segmentFiles: 1 })
  t.equal(await countIn(store), 40)
  await store.close()
  return tries
}

t.test('an index that refuses a change is asked for the next one', async t => {
  t.equal(await triesToRemove(t, new Error('write the index', { cause: new Error('full') })), 4)
})

t.test('a silent index is asked once: each try would hold up the work, and the end', async t => {
  t.equal(await triesToRemove(t, new Error('write the index', { cause: new LmdbSilent(1) })), 1)
})
