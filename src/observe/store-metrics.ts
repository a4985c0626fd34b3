/** The store's metrics, as `/metrics` shows them: each name once, with its help and what it is. */
import { Counter, Gauge, type Registry } from 'prom-client'
import { findingKinds } from '../store/maintain/findings.ts'
import type { Store, StoreStats } from '../store/store.ts'

type MetricSource = readonly [name: string, help: string, read: (stats: StoreStats) => number]

const gauges: readonly MetricSource[] = [
  ['journal_records', 'Records in the journal.', s => s.journalRecords],
  ['journal_bytes', 'Bytes of the journal.', s => s.journalBytes],
  ['journal_files', 'Files of the journal.', s => s.journalFiles],
  ['journal_unsealed_files', 'Closed journal files that wait to be sealed.', s => s.unsealedFiles],
  ['journal_pending_bytes', 'Bytes accepted and not yet on disk.', s => s.pendingBytes],
  [
    'journal_last_commit_seconds',
    'Duration of the last write with its sync.',
    s => s.lastCommitMs / 1000,
  ],
  ['segment_records', 'Records in segments.', s => s.segmentRecords],
  ['segment_bytes', 'Bytes of segments.', s => s.segmentBytes],
  ['segment_files', 'Segments.', s => s.segmentFiles],
  ['segment_blocks', 'Blocks of segments.', s => s.segmentBlocks],
  ['scan_queue_tasks', 'Tasks of queries that wait for a thread.', s => s.queuedScans],
  [
    'damaged_blocks',
    'Blocks of segments that are known to be damaged and left out of answers.',
    s => s.damagedBlocks,
  ],
  [
    'scrub_last_pass_seconds',
    'Duration of the last pass of the scrub over all files; 0 before the first has ended.',
    s => s.scrubPassMs / 1000,
  ],
  ['tailing_clients', 'Clients that tail.', s => s.tailingClients],
]

const counters: readonly MetricSource[] = [
  ['journal_commits_total', 'Group commits.', s => s.commitCount],
  ['sealed_records_total', 'Records sealed.', s => s.sealedRecords],
  ['seal_seconds_total', 'Time spent on sealing.', s => s.sealMs / 1000],
  ['compactions_total', 'Compactions.', s => s.compactions],
  ['compaction_seconds_total', 'Time spent on compaction.', s => s.compactionMs / 1000],
  ['deleted_segments_total', 'Segments that retention deleted.', s => s.deletedSegments],
  ['scrub_bytes_total', 'Bytes that the scrub has read and checked.', s => s.scrubbedBytes],
  ['scrub_passes_total', 'Times that the scrub has read all files.', s => s.scrubPasses],
  [
    'tail_dropped_total',
    'Records that tailing clients were not given; each was told how many.',
    s => s.tailDroppedRecords,
  ],
]

/** Of a store that sends the journal to ClickHouse. */
const shippingGauges: readonly MetricSource[] = [
  [
    'clickhouse_waiting_files',
    'Closed journal files that wait for ClickHouse.',
    s => s.shipping?.files ?? 0,
  ],
  [
    'clickhouse_waiting_bytes',
    'Bytes of the journal that wait for ClickHouse.',
    s => s.shipping?.waitingBytes ?? 0,
  ],
  [
    'clickhouse_lag_seconds',
    'How long the oldest closed journal file has waited for ClickHouse.',
    s => (s.shipping?.lagMs ?? 0) / 1000,
  ],
]

const shippingCounters: readonly MetricSource[] = [
  ['clickhouse_records_total', 'Records sent to ClickHouse.', s => s.shipping?.records ?? 0],
  ['clickhouse_bytes_total', 'Bytes of rows sent to ClickHouse.', s => s.shipping?.bytes ?? 0],
  ['clickhouse_inserts_total', 'Inserts that ClickHouse has taken.', s => s.shipping?.inserts ?? 0],
  [
    'clickhouse_failures_total',
    'Attempts to send a journal file that failed; each is made again.',
    s => s.shipping?.failures ?? 0,
  ],
]

/** Registers the store's metrics. The result brings them up to date, with one look at the store. */
export function storeMetrics(registry: Registry, store: Pick<Store, 'stats'>): () => void {
  const options = ([name, help]: MetricSource) => ({
    name: `logstrata_${name}`,
    help,
    registers: [registry],
  })
  const isShipping = store.stats().shipping !== undefined
  const allGauges = isShipping ? [...gauges, ...shippingGauges] : gauges
  const allCounters = isShipping ? [...counters, ...shippingCounters] : counters
  const shown = allGauges.map(source => ({ read: source[2], metric: new Gauge(options(source)) }))
  const counted = allCounters.map(source => ({
    read: source[2],
    metric: new Counter(options(source)),
  }))
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
    for (const { read, metric } of shown) metric.set(read(stats))
    for (const { read, metric } of counted) {
      metric.reset()
      metric.inc(read(stats))
    }
  }
}
