/** The store's metrics, as `/metrics` shows them: each name once, with its help and what it is. */
import { Counter, Gauge, type Registry } from 'prom-client'
import { findingKinds } from '../store/maintain/findings.ts'
import type { Store, StoreStats } from '../store/store.ts'

interface MetricSource {
  readonly name: string
  readonly help: string
  readonly read: (stats: StoreStats) => number
}

const gauges: readonly MetricSource[] = [
  { name: 'journal_records', help: 'Records in the journal.', read: s => s.journalRecords },
  { name: 'journal_bytes', help: 'Bytes of the journal.', read: s => s.journalBytes },
  { name: 'journal_files', help: 'Files of the journal.', read: s => s.journalFiles },
  {
    name: 'journal_unsealed_files',
    help: 'Closed journal files that wait to be sealed.',
    read: s => s.unsealedFiles,
  },
  {
    name: 'journal_pending_bytes',
    help: 'Bytes accepted and not yet on disk.',
    read: s => s.pendingBytes,
  },
  {
    name: 'journal_last_commit_seconds',
    help: 'Duration of the last write with its sync.',
    read: s => s.lastCommitMs / 1000,
  },
  { name: 'segment_records', help: 'Records in segments.', read: s => s.segmentRecords },
  { name: 'segment_bytes', help: 'Bytes of segments.', read: s => s.segmentBytes },
  { name: 'segment_files', help: 'Segments.', read: s => s.segmentFiles },
  { name: 'segment_blocks', help: 'Blocks of segments.', read: s => s.segmentBlocks },
  {
    name: 'scan_queue_tasks',
    help: 'Tasks of queries that wait for a thread.',
    read: s => s.queuedScans,
  },
  {
    name: 'damaged_blocks',
    help: 'Blocks of segments that are known to be damaged and left out of answers.',
    read: s => s.damagedBlocks,
  },
  {
    name: 'scrub_last_pass_seconds',
    help: 'Duration of the last pass of the scrub over all files; 0 before the first has ended.',
    read: s => s.scrubPassMs / 1000,
  },
  { name: 'tailing_clients', help: 'Clients that tail.', read: s => s.tailingClients },
]

const counters: readonly MetricSource[] = [
  { name: 'journal_commits_total', help: 'Group commits.', read: s => s.commitCount },
  { name: 'sealed_records_total', help: 'Records sealed.', read: s => s.sealedRecords },
  { name: 'seal_seconds_total', help: 'Time spent on sealing.', read: s => s.sealMs / 1000 },
  { name: 'compactions_total', help: 'Compactions.', read: s => s.compactions },
  {
    name: 'compaction_seconds_total',
    help: 'Time spent on compaction.',
    read: s => s.compactionMs / 1000,
  },
  {
    name: 'deleted_segments_total',
    help: 'Segments that retention deleted.',
    read: s => s.deletedSegments,
  },
  {
    name: 'scrub_bytes_total',
    help: 'Bytes that the scrub has read and checked.',
    read: s => s.scrubbedBytes,
  },
  {
    name: 'scrub_passes_total',
    help: 'Times that the scrub has read all files.',
    read: s => s.scrubPasses,
  },
  {
    name: 'tail_dropped_total',
    help: 'Records that tailing clients were not given; each was told how many.',
    read: s => s.tailDroppedRecords,
  },
]

/** Of a store that sends the journal to ClickHouse. */
const shippingGauges: readonly MetricSource[] = [
  {
    name: 'clickhouse_waiting_files',
    help: 'Closed journal files that wait for ClickHouse.',
    read: s => s.shipping?.files ?? 0,
  },
  {
    name: 'clickhouse_waiting_bytes',
    help: 'Bytes of the journal that wait for ClickHouse.',
    read: s => s.shipping?.waitingBytes ?? 0,
  },
  {
    name: 'clickhouse_lag_seconds',
    help: 'How long the oldest closed journal file has waited for ClickHouse.',
    read: s => (s.shipping?.lagMs ?? 0) / 1000,
  },
]

const shippingCounters: readonly MetricSource[] = [
  {
    name: 'clickhouse_records_total',
    help: 'Records sent to ClickHouse.',
    read: s => s.shipping?.records ?? 0,
  },
  {
    name: 'clickhouse_bytes_total',
    help: 'Bytes of rows sent to ClickHouse.',
    read: s => s.shipping?.bytes ?? 0,
  },
  {
    name: 'clickhouse_inserts_total',
    help: 'Inserts that ClickHouse has taken.',
    read: s => s.shipping?.inserts ?? 0,
  },
  {
    name: 'clickhouse_failures_total',
    help: 'Attempts to send a journal file that failed; each is made again.',
    read: s => s.shipping?.failures ?? 0,
  },
]

/** Registers the store's metrics. The result brings them up to date, with one look at the store. */
export function storeMetrics(registry: Registry, store: Pick<Store, 'stats'>): () => void {
  const options = ({ name, help }: MetricSource) => ({
    name: `logstrata_${name}`,
    help,
    registers: [registry],
  })
  const isShipping = store.stats().shipping !== undefined
  const allGauges = isShipping ? [...gauges, ...shippingGauges] : gauges
  const allCounters = isShipping ? [...counters, ...shippingCounters] : counters
  const shown = allGauges.map(source => ({ source, metric: new Gauge(options(source)) }))
  const counted = allCounters.map(source => ({ source, metric: new Counter(options(source)) }))
  const found = new Counter({
    name: 'logstrata_damage_found_total',
    help: 'What was found damaged at rest, by queries, the scrub and the start.',
    labelNames: ['kind'],
    registers: [registry],
  })
  return () => {
    const stats = store.stats()
    found.reset()
    for (const kind of findingKinds) found.inc({ kind }, stats.findings[kind])
    for (const { source, metric } of shown) metric.set(source.read(stats))
    for (const { source, metric } of counted) {
      metric.reset()
      metric.inc(source.read(stats))
    }
  }
}
