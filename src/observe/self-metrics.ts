/**
 * The service's own metrics, as attributes of a record: what happened between two samples, and how
 * things are at the second. Names end in their unit, as in `/metrics`.
 */
import type { StoreStats } from '../store/store.ts'
import type { MetricTotals } from './metrics.ts'

/** What is known at one moment. */
export interface SelfSample {
  /** Unix ms. */
  readonly time: number
  readonly totals: MetricTotals
  readonly store: StoreStats
  /** HTTP requests answered since the start, and those of them with a status of 500 or more. */
  readonly answers: number
  readonly serverErrors: number
  /** CPU time of all threads since the start, µs. */
  readonly cpuMicros: number
  readonly memoryBytes: number
  readonly heapBytes: number
  /** Longest delays of the main thread since the sample before, ms. */
  readonly loopDelayMs: { readonly p99: number; readonly max: number }
}

/** By name; one that has no value (the p99 of no query) is absent. */
export type SelfMetrics = Readonly<Record<string, number>>

/**
 * What happened from one sample to the next, rates a second and durations in ms. Quantiles are left out where
 * no query ended.
 */
export function metricsBetween(before: SelfSample, after: SelfSample): SelfMetrics {
  const seconds = Math.max(after.time - before.time, 1) / 1_000
  const perSecond = (read: (sample: SelfSample) => number) =>
    rounded((read(after) - read(before)) / seconds)
  const { store } = after
  const queries = queryBuckets(before, after)
  const p50 = quantileMs(queries, 0.5)
  const p99 = quantileMs(queries, 0.99)
  return {
    events_per_second: perSecond(({ totals }) => totals.eventsAccepted),
    events_rejected: after.totals.eventsRejected - before.totals.eventsRejected,
    ingested_bytes_per_second: perSecond(({ totals }) => totals.ingestedBytes),
    queries_per_second: perSecond(({ totals }) => totals.queryBuckets.at(-1)?.count ?? 0),
    queries_failed: after.totals.queriesFailed - before.totals.queriesFailed,
    ...(p50 === undefined ? {} : { query_p50_ms: p50 }),
    ...(p99 === undefined ? {} : { query_p99_ms: p99 }),
    requests_per_second: perSecond(({ answers }) => answers),
    server_errors: after.serverErrors - before.serverErrors,
    commits_per_second: perSecond(({ store }) => store.commitCount),
    commit_ms: rounded(store.lastCommitMs),
    pending_bytes: store.pendingBytes,
    records: store.journalRecords + store.segmentRecords,
    journal_bytes: store.journalBytes,
    unsealed_files: store.unsealedFiles,
    segment_bytes: store.segmentBytes,
    segment_files: store.segmentFiles,
    queued_scans: store.queuedScans,
    tailing_clients: store.tailingClients,
    memory_bytes: after.memoryBytes,
    heap_bytes: after.heapBytes,
    cpu_percent: perSecond(({ cpuMicros }) => cpuMicros / 10_000),
    loop_delay_p99_ms: rounded(after.loopDelayMs.p99),
    loop_delay_max_ms: rounded(after.loopDelayMs.max),
  }
}

type Buckets = MetricTotals['queryBuckets']

/** The queries of the time between: each bucket still includes the shorter ones. */
function queryBuckets(before: SelfSample, after: SelfSample): Buckets {
  return after.totals.queryBuckets.map(({ secondsMax, count }, index) => ({
    secondsMax,
    count: count - (before.totals.queryBuckets[index]?.count ?? 0),
  }))
}

/**
 * The quantile in ms, evenly spread within its bucket; of the last bucket its lower bound, as
 * Prometheus does it. Undefined when there is none.
 */
function quantileMs(buckets: Buckets, quantile: number): number | undefined {
  const total = buckets.at(-1)?.count ?? 0
  if (total === 0) return undefined
  const rank = quantile * total
  let below = { secondsMax: 0, count: 0 }
  for (const bucket of buckets) {
    if (bucket.count >= rank) {
      if (bucket.secondsMax === Number.POSITIVE_INFINITY) break
      const share = (rank - below.count) / (bucket.count - below.count)
      const seconds = below.secondsMax + share * (bucket.secondsMax - below.secondsMax)
      return rounded(seconds * 1_000)
    }
    below = bucket
  }
  return rounded(below.secondsMax * 1_000)
}

/** To three decimals: more would only take room. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
