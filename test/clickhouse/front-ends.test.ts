/** Several front ends on the same tables: what each of them sees of the others, and when. */
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { everyRecord } from '../../src/language/ast.ts'
import type { ClickHouseStore } from '../../src/store/clickhouse/clickhouse-store.ts'
import type { SelectRequest } from '../../src/store/store.ts'
import { allRecords, neverAborted } from '../store/store-in.ts'
import { until } from '../until.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedEngine } from './shared-engine.ts'
import { openStoreOn } from './store-on-engine.ts'

const skip = engineMissing ?? false
const stream = { service: 'checkout', environment: 'test' }
/** Ms; a file of this age is sent. */
const shipAfterMs = 300
const quickly = ['--clickhouse-ship-after', `${shipAfterMs}ms`]
const never = ['--clickhouse-ship-after', '1h']

async function frontEnds(t: Test, count: number, flags: readonly string[]) {
  const directory = t.testdir()
  const engine = await sharedEngine(t)
  const open = (i: number) => openStoreOn(`${directory}/data${i}`, engine.url, { flags })
  const stores = await Promise.all(Array.from({ length: count }, (_, i) => open(i)))
  t.teardown(() => Promise.all(stores.map(store => store.close())))
  return { stores, engine }
}

function append(store: ClickHouseStore, message: string): Promise<void> {
  const record = { timestamp: 1_700_000_000_000, level: 'info', message, attributes: [] }
  return store.append(record, stream)
}

async function seenBy(store: ClickHouseStore, more: Partial<SelectRequest> = {}) {
  return store.select({ ...allRecords, ...more }, neverAborted)
}

t.test('records have one id, and none that of another, on all front ends', { skip }, async t => {
  const { stores, engine } = await frontEnds(t, 4, never)
  for (let round = 0; round < 3; round++) {
    for (const [i, store] of stores.entries()) await append(store, `${i}-${round}`)
  }
  for (const [i, store] of stores.entries()) {
    const { records } = await seenBy(store)
    t.same(
      records.map(({ message }) => message),
      [0, 1, 2].map(round => `${i}-${round}`),
      'its own at once',
    )
  }
  for (const store of stores) await store.settle()
  const [first, ...others] = await Promise.all(stores.map(store => seenBy(store)))
  t.equal(first!.count, 12)
  t.equal(new Set(first!.records.map(({ id }) => id)).size, 12)
  for (const other of others) t.same(other.records, first!.records)

  const [one, two] = stores as [ClickHouseStore, ClickHouseStore]
  const page = await seenBy(one, { limit: 5 })
  const rest = await seenBy(two, { cursor: page.nextCursor! })
  t.same([...page.records, ...rest.records], first!.records, 'a cursor goes on elsewhere')
  const { id } = first!.records[11]!
  const found = await one.context({ id, before: 1, after: 0 }, neverAborted)
  t.same([...found.before, found.record], first!.records.slice(-2), 'so does an id')

  const resumed = (after: string) =>
    one.tail({ selector: everyRecord, start: { after } }, neverAborted)
  const own = first!.records.findLast(({ message }) => message.startsWith('0-'))!
  const tail = await resumed(own.id)
  tail.close()
  const ofOthers = first!.records.filter(({ message }) => !message.startsWith('0-'))
  for (const other of ofOthers) {
    await t.rejects(resumed(other.id), { code: 'field_invalid' }, 'a tail is of one front end')
  }
  const taken = await engine.ask('SELECT Number FROM logstrata_front_ends')
  t.ok(taken.trim().split('\n').length >= 4)
})

t.test('an answer says up to when it has all that others acknowledged', { skip }, async t => {
  const { stores } = await frontEnds(t, 2, quickly)
  const [one, two] = stores as [ClickHouseStore, ClickHouseStore]
  let withoutCount = 0
  for (let round = 1; round <= 4; round++) {
    await append(two, `${round}`)
    const acknowledgedAt = Date.now()
    // At any time in the life of a file.
    for (let isThere = false; !isThere; ) {
      const { count, stats } = await seenBy(one)
      isThere = count === round
      if (!isThere) withoutCount++
      if (stats.asOf !== undefined && stats.asOf > acknowledgedAt) t.ok(isThere, 'as it says')
    }
  }
  t.ok(withoutCount > 0, 'for a moment it was not there')
  const asOf = async () => (await seenBy(one)).stats.asOf ?? 0
  const then = Date.now()
  // The other has nothing, and says so.
  await until(async () => (await asOf()) > then)
  // While something comes all the time, too.
  const lateMs: number[] = []
  for (const end = Date.now() + 3_000; Date.now() < end; ) {
    await append(two, 'on and on')
    lateMs.push(Date.now() - (await asOf()))
  }
  t.comment(`${Math.max(...lateMs)} ms behind at most`)
  t.ok(Math.max(...lateMs) < 10 * shipAfterMs + 2_000)
})

t.test('an only front end says of no others', { skip }, async t => {
  const { stores } = await frontEnds(t, 1, quickly)
  const [one] = stores as [ClickHouseStore]
  await append(one, 'mine')
  t.notOk('asOf' in (await seenBy(one)).stats)
  await one.settle()
  t.notOk('asOf' in (await seenBy(one)).stats)
})

t.test('a question that is given up waits for nobody', { skip }, async t => {
  const { stores, engine } = await frontEnds(t, 1, never)
  const [one] = stores as [ClickHouseStore]
  await append(one, 'mine')
  t.equal((await seenBy(one)).count, 1)
  await pause(1_100) // What the others have sent is looked at again.
  process.kill(engine.pid, 'SIGSTOP')
  const begun = performance.now()
  try {
    for (let i = 0; i < 2; i++) {
      const asked = one.select(allRecords, AbortSignal.timeout(200))
      await t.rejects(asked, { name: 'TimeoutError' })
    }
  } finally {
    process.kill(engine.pid, 'SIGCONT')
  }
  t.ok(performance.now() - begun < 10_000, 'though nothing came of the look')
  t.equal((await seenBy(one)).count, 1)
})
