/** The store on ClickHouse: what is appended is in the very next answer, once, before and after it is sent. */
import fs from 'node:fs'
import t from 'tap'
import type { Stage } from '../../src/language/stage.ts'
import type { Store } from '../../src/store/store.ts'
import { appendParts, sampleOf, smallFiles, storedAt } from '../store/random-store.ts'
import { allRecords, countIn, neverAborted, openStoreOf, recordsIn } from '../store/store-in.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedPlaces } from './shared-engine.ts'
import { openStoreOn, plain, timesOfRows } from './store-on-engine.ts'

const skip = engineMissing ?? false

/** That changes no record. */
const staged: readonly Stage[] = [{ kind: 'drop', labels: ['nowhere'] }]

/** Everything there is, page by page. */
async function everythingIn(store: Store, order: 'asc' | 'desc', stages?: readonly Stage[]) {
  const selector = { ...allRecords.selector, ...(stages && { stages }) }
  const asked = { ...allRecords, selector, order, limit: 70 }
  return { count: await countIn(store), records: (await recordsIn(store, asked)).map(plain) }
}

t.test('records are the same in both stores, in the journal and sent', { skip }, async t => {
  const { engine, dataDir } = await sharedPlaces(t)
  const local = await openStoreOf(t, `${dataDir}-local`, { flags: smallFiles })
  const store = await openStoreOn(dataDir, engine.url, { flags: smallFiles })
  t.teardown(() => store.close())
  const rows = sampleOf(storedAt(timesOfRows), 600)
  for (const one of [store, local]) await appendParts(one, rows.slice(0, 400), 40)
  await store.settle()
  for (const one of [store, local]) await appendParts(one, rows.slice(400), 40)
  for (const order of ['asc', 'desc'] as const) {
    const [ours, theirs] = [await everythingIn(store, order), await everythingIn(local, order)]
    t.equal(ours.count, 600)
    t.same(ours.records, theirs.records, order)
    // Behind stages the first of each page are told with how many there are.
    const behind = await everythingIn(store, order, staged)
    t.same(behind.records, theirs.records, `behind a stage, ${order}`)
  }
  t.ok(store.stats().shipping!.records >= 400)
  await store.settle()
  t.same(fs.readdirSync(`${dataDir}/journal`), [], 'what is sent is gone')
  const [ours, theirs] = [await everythingIn(store, 'asc'), await everythingIn(local, 'asc')]
  t.same(ours.records, theirs.records, 'all of it sent')
  const behind = await everythingIn(store, 'desc', staged)
  t.same(behind.records, ours.records.toReversed(), 'behind a stage as well')
  const selector = { ...allRecords.selector, stages: staged }
  const first = await store.select({ ...allRecords, selector, limit: 5 }, neverAborted)
  t.same([first.count, first.stats.recordsScanned], [600, 5], 'no more are fetched than are shown')
  t.same(fs.readdirSync(`${dataDir}/fetched`), [], 'and what was fetched is gone, too')
})
