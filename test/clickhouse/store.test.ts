/** The store on ClickHouse: what is appended is in the very next answer, once, before and after it is sent. */
import fs from 'node:fs'
import t from 'tap'
import type { Store } from '../../src/store/store.ts'
import { appendParts, sampleOf, smallFiles, storedAt } from '../store/random-store.ts'
import { allRecords, countIn, openStoreOf, recordsIn } from '../store/store-in.ts'
import { placesOf } from './engine-process.ts'
import { engineMissing } from './installed-engine.ts'
import { openStoreOn, plain, timesOfRows } from './store-on-engine.ts'

const skip = engineMissing ?? false

/** Everything there is, page by page. */
async function everythingIn(store: Store, order: 'asc' | 'desc') {
  const asked = { ...allRecords, order, limit: 70 }
  return { count: await countIn(store), records: (await recordsIn(store, asked)).map(plain) }
}

t.test('records are the same in both stores, in the journal and sent', { skip }, async t => {
  const { engine, dataDir } = await placesOf(t)
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
  }
  t.ok(store.stats().shipping!.records >= 400)
  await store.settle()
  t.same(fs.readdirSync(`${dataDir}/journal`), [], 'what is sent is gone')
  const [ours, theirs] = [await everythingIn(store, 'asc'), await everythingIn(local, 'asc')]
  t.same(ours.records, theirs.records, 'all of it sent')
  t.same(fs.readdirSync(`${dataDir}/fetched`), [], 'and what was fetched is gone, too')
})
