/** The store on ClickHouse: what is appended is in the very next answer, once, before and after it is sent. */
import fs from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord } from '../../src/language/ast.ts'
import type { Store } from '../../src/store/store.ts'
import { appendParts, sampleOf, smallFiles, storedAt } from '../store/random-store.ts'
import { neverAborted, openStoreOf } from '../store/store-in.ts'
import { startEngine } from './engine-process.ts'
import { engineMissing } from './installed-engine.ts'
import { openStoreOn } from './store-on-engine.ts'

const skip = engineMissing ?? false
const allTimes = { selector: everyRecord, startTime: -8.64e15, endTime: 8.64e15 } as const

/** Times that others cannot write, and those of a few days. */
const times = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1_700_000_000_000, max: 1_700_300_000_000 }) },
  fc.constantFrom(-8.64e15, -1, 0, 4_294_967_296_000, 9_223_372_036_855, 8.64e15),
)

/** Everything there is, page by page. */
async function everythingIn(store: Store, order: 'asc' | 'desc') {
  const records = []
  let count = 0
  for (let cursor: string | undefined; ; ) {
    const page = await store.select({ ...allTimes, order, limit: 70, cursor }, neverAborted)
    records.push(...page.records)
    count = page.count
    cursor = page.nextCursor
    if (cursor === undefined) return { count, records }
  }
}

t.test('records are the same in both stores, in the journal and sent', { skip }, async t => {
  const directory = t.testdir({ engine: {}, data: {} })
  const engine = await startEngine(`${directory}/engine`)
  t.teardown(() => engine.kill())
  const local = await openStoreOf(t, t.testdir(), { flags: smallFiles })
  const store = await openStoreOn(`${directory}/data`, engine.url, { flags: smallFiles })
  t.teardown(() => store.close())
  const rows = sampleOf(storedAt(times), 600)
  for (const one of [store, local]) await appendParts(one, rows.slice(0, 400), 40)
  await store.settle()
  for (const one of [store, local]) await appendParts(one, rows.slice(400), 40)
  for (const order of ['asc', 'desc'] as const) {
    const [ours, theirs] = [await everythingIn(store, order), await everythingIn(local, order)]
    t.equal(ours.count, 600)
    t.same(ours.records.map(plain), theirs.records.map(plain), order)
  }
  t.ok(store.stats().shipping!.records >= 400)
  await store.settle()
  t.same(fs.readdirSync(`${directory}/data/journal`), [], 'what is sent is gone')
  const [ours, theirs] = [await everythingIn(store, 'asc'), await everythingIn(local, 'asc')]
  t.same(ours.records.map(plain), theirs.records.map(plain), 'all of it sent')
  t.same(fs.readdirSync(`${directory}/data/fetched`), [], 'and what was fetched is gone, too')
})

function plain({ attributes, ...record }: { readonly attributes: object }) {
  return { ...record, attributes: Object.entries(attributes).sort() }
}
