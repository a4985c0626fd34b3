import t from 'tap'
import type { MetricTotals } from '../../src/observe/metrics.ts'
import { Metrics } from '../../src/observe/metrics.ts'
import { metricsBetween, type SelfSample } from '../../src/observe/self-metrics.ts'
import type { SelectStats, StoreStats } from '../../src/store/store.ts'

const sample = (
  time: number,
  totals: MetricTotals,
  more: Partial<SelfSample> = {},
): SelfSample => ({
  time,
  totals,
  store: { lastCommitMs: 1.23456, journalRecords: 4, segmentRecords: 6 } as StoreStats,
  answers: 0,
  serverErrors: 0,
  cpuMicros: 0,
  memoryBytes: 1,
  heapBytes: 1,
  loopDelayMs: { p99: 1, max: 2 },
  ...more,
})

t.test('rates are per second of the time between, levels are those of its end', async t => {
  const metrics = new Metrics()
  metrics.noteAccepted(5, 100)
  const before = sample(1_000, await metrics.totals())
  metrics.noteAccepted(20, 4_000)
  metrics.noteRejected('json_invalid', 2)
  metrics.noteRejected('json_too_deep', 1)
  metrics.queries.noteFailedQuery()
  const rest = { answers: 30, serverErrors: 1, cpuMicros: 5_000_000 }
  const after = sample(11_000, await metrics.totals(), rest)
  t.match(metricsBetween(before, after), {
    events_per_second: 2,
    events_rejected: 3,
    ingested_bytes_per_second: 400,
    queries_failed: 1,
    requests_per_second: 3,
    server_errors: 1,
    cpu_percent: 50,
    commit_ms: 1.235,
    records: 10,
  })
})

t.test('quantiles are of the queries in between only', async t => {
  const metrics = new Metrics()
  const query = (elapsedMs: number) => metrics.queries.noteQuery({ elapsedMs } as SelectStats)
  for (let i = 0; i < 100; i++) query(2_000)
  const before = sample(0, await metrics.totals())
  const none = metricsBetween(before, sample(1_000, await metrics.totals()))
  t.notOk('query_p99_ms' in none, 'no query has no duration')
  t.equal(none.queries_per_second, 0)

  for (let i = 0; i < 50; i++) query(2)
  for (let i = 0; i < 50; i++) query(20)
  const some = metricsBetween(before, sample(1_000, await metrics.totals()))
  t.match(some, { queries_per_second: 100, query_p50_ms: 3 })
  t.ok(some.query_p99_ms! > 29 && some.query_p99_ms! <= 30)

  for (let i = 0; i < 100; i++) query(60_000)
  const slow = metricsBetween(before, sample(1_000, await metrics.totals()))
  t.equal(slow.query_p99_ms, 30_000, 'beyond the last bound, the bound')
})
