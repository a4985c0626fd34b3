/** What a store learns of the levels of its blocks, and that its answers stay what they are. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { LevelEnds } from '../../../src/query/level-ends.ts'
import type { Order } from '../../../src/query/top-k.ts'
import { learnEnds } from '../../../src/store/answer/learn-ends.ts'
import type { Store } from '../../../src/store/store.ts'
import { forAllAsync } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import { allRecords, neverAborted, openStoreOf } from '../store-in.ts'

const levels = ['error', 'info', 'warn']
const services = ['api', 'cron', 'mail', 'shop']

interface Row {
  readonly service: string
  readonly timestamp: number
  readonly level: string
}

async function fill(store: Store, rows: readonly Row[]): Promise<void> {
  for (const { service, timestamp, level } of rows) {
    const record = { timestamp, level, message: `said at ${timestamp}`, attributes: [] }
    await store.append(record, { service, environment: 'prod' })
  }
}

/** Errors are rare, and come late. */
function madeRows(count: number): Row[] {
  return Array.from({ length: count }, (_, i) => ({
    service: services[i % services.length]!,
    timestamp: 1_000 + Math.floor(i / 3),
    level: i % 97 === 53 ? 'error' : i % 5 === 0 ? 'warn' : 'info',
  }))
}

function ofLevel(value: string) {
  const matchers = [{ label: 'log_level', operator: '=' as const, value }]
  return { kind: 'selector' as const, matchers, filters: [] }
}

t.test(
  'of a level the block of the first record is opened, and the answer is the same',
  async t => {
    const rows = madeRows(600)
    const store = await openStoreOf(t, t.testdir())
    await fill(store, rows)
    await store.settle()
    const asked = { ...allRecords, selector: ofLevel('error'), limit: 1 }
    const before = await store.select(asked, neverAborted)
    await store.warmUp()
    const after = await store.select({ ...asked, limit: 2 }, neverAborted)
    t.same(after.records[0], before.records[0])
    t.ok(before.stats.sourcesFromIndex < 3, 'blocks of all streams begin before the first error')
    t.ok(after.stats.sourcesFromIndex > before.stats.sourcesFromIndex)
    const ofWarnings = await store.select({ ...asked, selector: ofLevel('warn') }, neverAborted)
    t.equal(ofWarnings.records.length, 1)
    t.equal(
      ofWarnings.stats.blocksScanned,
      0,
      'the store has asked itself, and keeps what it heard',
    )

    const limit = fc.integer({ min: 1, max: 40 })
    const order = fc.constantFrom<Order>('asc', 'desc')
    const arbitraryLevel = fc.constantFrom(...levels)
    await forAllAsync(longRuns(60), arbitraryLevel, limit, order, async (level, limit, order) => {
      const query = { ...allRecords, selector: ofLevel(level), limit, order }
      const { count, records } = await store.select(query, neverAborted)
      const plainly = rows.filter(row => row.level === level)
      if (order === 'desc') plainly.reverse()
      assert.equal(count, plainly.length)
      assert.deepEqual(
        records.map(({ timestamp, attributes }) => [timestamp, attributes['service.name']]),
        plainly.slice(0, limit).map(({ timestamp, service }) => [timestamp, service]),
      )
    })
  },
)

t.test('nothing is learnt while somebody asks, nor after the end', async t => {
  const closing = new AbortController()
  const turns = { isWanted: () => true, signal: closing.signal }
  const source = {
    kind: 'block' as const,
    ...{ segment: 1, directory: { offset: 9, bytes: 9, crc: 9 }, bytes: 9 },
    skip: { index: { offset: 9, bytes: 9, crc: 9 }, block: 0 },
  }
  const entry = { source, levelCounts: ['error', 1, 'info', 2], maxTimestamp: 5 }
  const parts = {
    segments: { has: () => true, entries: () => [entry], pathOf: () => '/nowhere' },
    queries: { enter: () => () => {} },
    pool: { laneCount: 1, laneOf: () => 0, run: async () => t.fail('nobody is to be kept') },
    levelEnds: new LevelEnds(),
  }
  const learning = learnEnds(parts as never, turns)
  await pause(60)
  closing.abort(new Error('closed'))
  await t.rejects(learning, { name: 'AbortError' })
})
