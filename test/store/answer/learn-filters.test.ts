/** A store whose main thread has learnt filters: the same answers, and threads that are not woken. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { parseSingle } from '../../../src/language/grammar.ts'
import { KeptFilters } from '../../../src/query/kept-filters.ts'
import { Predicate } from '../../../src/query/predicate.ts'
import { type ScanJob, ScanPool } from '../../../src/query/scan-pool.ts'
import { FilterLearner } from '../../../src/store/answer/learn-filters.ts'
import { realGround } from '../../../src/store/ground.ts'
import type { LocalStore } from '../../../src/store/local-store.ts'
import { QueriesUnderWay } from '../../../src/store/view/queries-under-way.ts'
import { forAllAsync } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import { until } from '../../until.ts'
import { appendParts, matchingRows, type Stored } from '../random-store.ts'
import { allRecords, neverAborted, openStoreOf } from '../store-in.ts'

/** Counts tasks of its threads. */
class CountingPool extends ScanPool {
  scans = 0
  runs = 0

  override run<T>(signal: AbortSignal, work: (job: ScanJob) => Promise<T>): Promise<T> {
    return super.run(signal, job => {
      const [scan, runFilters] = [job.scan.bind(job), job.runFilters.bind(job)]
      const counted: Pick<ScanJob, 'scan' | 'runFilters'> = {
        scan: (...asked) => {
          this.scans++
          return scan(...asked)
        },
        runFilters: (...asked) => {
          this.runs++
          return runFilters(...asked)
        },
      }
      return work(Object.assign(job, counted))
    })
  }
}

const services = ['a', 'b', 'c', 'd']

function idOf(n: number): string {
  return ((n + 1) * 2_654_435_761).toString(16).padStart(16, '0')
}

function storedFrom(first: number, count: number): Stored[] {
  return Array.from({ length: count }, (_, i) => {
    const n = first + i
    const service = services[n % 4]!
    const message = `said by ${service}${service} at ${n * 7919}${n % 50 === 0 ? ' seldom' : ''}`
    const attributes = ['id', idOf(n), ...(service === 'a' ? ['only', 'here'] : [])]
    const record = { timestamp: 1_000 + n, level: 'info', message, attributes }
    return { record, stream: { service, environment: 'live' } }
  })
}

async function openCounted(t: Parameters<typeof openStoreOf>[0], directory?: string) {
  let pool: CountingPool | undefined
  const ground = {
    ...realGround,
    newScanPool: (options: ConstructorParameters<typeof ScanPool>[0]) => {
      pool = new CountingPool(options)
      return pool
    },
  }
  const flags = ['--journal-file-bytes', '16KiB']
  const settings = { flags, scanThreads: 2, ground }
  const store = await openStoreOf(t, directory ?? t.testdir(), settings)
  return { store, pool: pool! }
}

async function ask(store: LocalStore, query: string, range: object = {}) {
  const { selector } = parseSingle(query)
  return await store.select({ ...allRecords, selector, ...range }, neverAborted)
}

/**
 * The same with the clock of this thread stopped: it gives filters half a millisecond, after which it leaves
 * blocks to the scan threads, and that may be over before it has a core again.
 */
async function askUnhurried(store: LocalStore, query: string) {
  const stoppedAt = performance.now()
  Object.assign(performance, { now: () => stoppedAt })
  try {
    return await ask(store, query)
  } finally {
    Reflect.deleteProperty(performance, 'now')
  }
}

/** Asks until the filters of all blocks are there. */
async function learnAll(store: LocalStore, pool: CountingPool): Promise<void> {
  await until(async () => {
    const before = pool.scans
    await ask(store, 'logs{id="nowhere"}')
    return pool.scans === before
  })
}

t.test('answers stay what they are, and threads are asked about blocks that may match', async t => {
  const rows = storedFrom(0, 1_200)
  const { store, pool } = await openCounted(t)
  await appendParts(store, rows, 100)
  await store.settle()
  const first = await ask(store, 'logs |= "nowhere"')
  t.equal(first.count, 0)
  await learnAll(store, pool)
  const before = pool.scans
  const again = await askUnhurried(store, 'logs |= "nowhere"')
  t.equal(pool.scans, before, 'no thread is woken')
  t.match(again, { count: 0, records: [], stats: { blocksScanned: 0 } })
  t.equal(again.stats.blocksPrunedByFilter, first.stats.blocksPrunedByFilter)
  t.match(await askUnhurried(store, `logs{id="${idOf(77)}"}`), { count: 1 })
  t.equal(pool.scans, before + 1, 'one thread is asked about the block of an id')

  const query = fc.constantFrom(
    ...[`logs{id="${idOf(77)}"}`, `logs{id="${idOf(801)}"}`, `logs{id="${idOf(77)}x"}`],
    ...['logs |= "seldom"', 'logs |= "said by aa"', 'logs{only="here"}', 'logs{only="there"}'],
    ...[`logs{id="${idOf(5)}"} or logs{id="${idOf(6)}"}`, 'logs{id!="x"} |= "by dd"'],
    ...['logs{only="here"} |= "bb"', 'logs |= "seldom" | pattern "<_> at <n> seldom" | n > 5'],
  )
  const limit = fc.constantFrom(1, 3, 100)
  const startTime = fc.integer({ min: 900, max: 2_300 })
  const order = fc.constantFrom('asc' as const, 'desc' as const)
  let asked = 0
  await forAllAsync(
    longRuns(120),
    query,
    limit,
    startTime,
    order,
    async (text, limit, start, order) => {
      // Some in the journal, then sealed and compacted into other segments.
      if (++asked % 20 === 0) {
        const more = storedFrom(rows.length, 40)
        rows.push(...more)
        await appendParts(store, more, 40)
        if (asked % 40 === 0) await store.settle()
      }
      const range = { startTime: start, endTime: 9_999, limit, order }
      const { count, records } = await ask(store, text, range)
      const { selector } = parseSingle(text)
      const matching = matchingRows(rows, { selector: { ...selector, stages: [] }, ...range })
      const kept = selector.stages === undefined ? matching : matching.filter(hasNumberAbove5)
      if (order === 'desc') kept.reverse()
      assert.equal(count, kept.length)
      assert.deepEqual(
        records.map(({ message }) => message),
        kept.slice(0, limit).map(({ record }) => record.message),
      )
    },
  )
})

function hasNumberAbove5({ record }: Stored): boolean {
  return Number(/ at (\d+)/.exec(record.message)![1]) > 5
}

t.test('what cannot be read is given up, and so is all at the end', async t => {
  const keptFilters = new KeptFilters(1e6)
  const at = { offset: 9, bytes: 9, crc: 9 }
  const source = {
    kind: 'block',
    ...{ segment: 1, directory: at, bytes: 9, skip: { index: at, block: 0 } },
  } as const
  const { selector } = parseSingle('logs |= "a word"')
  const want = () => keptFilters.sieveFor(new Predicate(selector), 1)!.verdict(source)
  const closing = new AbortController()
  let asked = 0
  const learner = new FilterLearner({
    segments: { has: () => true, pathOf: () => '/nowhere' },
    queries: new QueriesUnderWay(),
    pool: {
      laneOf: () => 0,
      run: async () => {
        asked++
        throw new Error('no such file')
      },
    },
    ...{ keptFilters, signal: closing.signal },
  })
  want()
  learner.start()
  await learner.ended()
  t.equal(asked, 1)
  want()
  t.equal(keptFilters.wanted, undefined)
  closing.abort()
  learner.start()
  await learner.ended()
  t.equal(asked, 1)
})
