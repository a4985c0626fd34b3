/**
 * Figures for operators, in the text format of Prometheus. Names carry their unit; counts end in
 * `_total`.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Store } from '../store/store.ts'

export class Metrics {
  readonly #registry = new Registry()
  readonly #eventsAccepted = this.#counter('events_accepted_total', 'Events stored.')
  readonly #eventsRejected = new Counter({
    name: 'logstrata_events_rejected_total',
    help: 'Events refused, by the code of the problem.',
    labelNames: ['code'],
    registers: [this.#registry],
  })
  readonly #ingestedBytes = this.#counter('ingested_bytes_total', 'Bytes of event bodies stored.')
  readonly #querySeconds = new Histogram({
    name: 'logstrata_query_duration_seconds',
    help: 'Time from a query to its answer.',
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers: [this.#registry],
  })
  readonly #queriesFailed = this.#counter('queries_failed_total', 'Queries that gave no answer.')
  readonly #damagedFrames = this.#counter(
    'damaged_frames_total',
    'Frames that a query could not read because their checksum failed.',
  )

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }

  noteAccepted(events: number, bytes: number): void {
    this.#eventsAccepted.inc(events)
    this.#ingestedBytes.inc(bytes)
  }

  noteRejected(code: string, events: number): void {
    this.#eventsRejected.inc({ code }, events)
  }

  noteQuery(elapsedMs: number, damagedFrames: number): void {
    this.#querySeconds.observe(elapsedMs / 1000)
    this.#damagedFrames.inc(damagedFrames)
  }

  noteFailedQuery(): void {
    this.#queriesFailed.inc()
  }

  /** Shows the store's figures; they are asked for when the metrics are read. */
  watchStore(store: Pick<Store, 'stats'>): void {
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name: `logstrata_${name}`,
        help,
        registers: [this.#registry],
        collect() {
          this.set(read())
        },
      })
    gauge('storage_records', 'Records in the store.', () => store.stats().recordCount)
    gauge('storage_bytes', 'Bytes of the store on disk.', () => store.stats().bytes)
    gauge('storage_files', 'Files of the store.', () => store.stats().fileCount)
    gauge(
      'journal_pending_bytes',
      'Bytes accepted and not yet on disk.',
      () => store.stats().pendingBytes,
    )
    gauge('journal_commits', 'Group commits since the start.', () => store.stats().commitCount)
    gauge(
      'journal_last_commit_seconds',
      'Duration of the last write with its sync.',
      () => store.stats().lastCommitMs / 1000,
    )
    gauge(
      'scan_queue_tasks',
      'Tasks of queries that wait for a thread.',
      () => store.stats().queuedScans,
    )
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name: `logstrata_${name}`, help, registers: [this.#registry] })
  }
}
