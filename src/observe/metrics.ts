/**
 * Metrics for operators, in the text format of Prometheus. Names carry their unit; counts end in
 * `_total`.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Health, reasonNames } from '../health.ts'
import type { SelectStats, Store } from '../store/store.ts'
import { AlertMetrics } from './alert-metrics.ts'
import { ListenerMetrics } from './listener-metrics.ts'
import { storeMetrics } from './store-metrics.ts'

/** Counts since the start. */
export interface MetricTotals {
  readonly eventsAccepted: number
  readonly eventsRejected: number
  readonly ingestedBytes: number
  readonly queriesFailed: number
  /** Queries answered within this many seconds, the shorter included; the last has no limit. */
  readonly queryBuckets: readonly { readonly secondsMax: number; readonly count: number }[]
}

export class Metrics {
  readonly #registry = new Registry()
  readonly listeners = new ListenerMetrics(this.#registry)
  readonly alerts = new AlertMetrics(this.#registry)
  readonly #eventsAccepted = this.#counter('events_accepted_total', 'Events stored.')
  readonly #eventsRejected = new Counter({
    name: 'logstrata_events_rejected_total',
    help: 'Events refused, by the code of the problem.',
    labelNames: ['code'],
    registers: [this.#registry],
  })
  readonly #eventsRepeated = this.#counter(
    'events_repeated_total',
    'Events that were sent again under the key under which they are stored, and count once.',
  )
  readonly #unreadableTimes = this.#counter(
    'events_time_unreadable_total',
    'Events stored with the time of receipt because their own cannot be read.',
  )
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

  readonly #damagedBlocks = this.#counter(
    'damaged_blocks_total',
    'Blocks of segments that a query could not read.',
  )
  /** By name; the counter would look each up by its labels, ten times for every query. */
  readonly #queryWork = new Map<string, number>()
  readonly #wrongCredentials = new Counter({
    name: 'logstrata_wrong_credentials_total',
    help: 'Requests with a credential that is none, by the status of their answer.',
    labelNames: ['status'],
    registers: [this.#registry],
  })

  readonly #reasons = new Gauge({
    name: 'logstrata_health_reason',
    help: 'What is wrong at present: 1 for each reason that /health gives.',
    labelNames: ['reason'],
    registers: [this.#registry],
  })

  /** Brings values up to date that are only worked out when somebody looks. */
  #refresh = () => {}
  #look = async () => {}

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
    const work = this.#queryWork
    new Counter({
      name: 'logstrata_query_work_total',
      help: 'What queries looked at and left aside, as in the stats of their answers.',
      labelNames: ['what'],
      registers: [this.#registry],
      collect() {
        this.reset()
        for (const [what, count] of work) this.inc({ what }, count)
      },
    })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  async text(): Promise<string> {
    this.#refresh()
    this.alerts.refresh()
    await this.#look()
    return this.#registry.metrics()
  }

  async totals(): Promise<MetricTotals> {
    const sumOf = async (counter: Counter) =>
      (await counter.get()).values.reduce((sum, { value }) => sum + value, 0)
    const queries = (await this.#querySeconds.get()).values
    return {
      eventsAccepted: await sumOf(this.#eventsAccepted),
      eventsRejected: await sumOf(this.#eventsRejected),
      ingestedBytes: await sumOf(this.#ingestedBytes),
      queriesFailed: await sumOf(this.#queriesFailed),
      queryBuckets: queries
        .filter(({ metricName }) => metricName?.endsWith('_bucket'))
        .map(({ labels, value }) => ({
          secondsMax: labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le),
          count: value,
        })),
    }
  }

  noteAccepted(events: number, bytes: number): void {
    this.#eventsAccepted.inc(events)
    this.#ingestedBytes.inc(bytes)
  }

  noteRepeated(events: number): void {
    this.#eventsRepeated.inc(events)
  }

  noteRejected(code: string, events: number): void {
    this.#eventsRejected.inc({ code }, events)
  }

  noteUnreadableTimes(events: number): void {
    this.#unreadableTimes.inc(events)
  }

  noteQuery(stats: SelectStats): void {
    this.#querySeconds.observe(stats.elapsedMs / 1000)
    this.#damagedFrames.inc(stats.damagedFrames)
    const work = this.#queryWork
    for (const what in stats) {
      const count = stats[what as keyof SelectStats]
      if (what === 'elapsedMs' || what === 'asOf' || !count) continue
      work.set(what, (work.get(what) ?? 0) + count)
    }
  }

  /** `isRefused`: too many came from the same address before. */
  noteWrongCredential(isRefused: boolean): void {
    this.#wrongCredentials.inc({ status: isRefused ? 429 : 401 })
  }

  noteDamagedBlocks(count: number): void {
    this.#damagedBlocks.inc(count)
  }

  noteFailedQuery(): void {
    this.#queriesFailed.inc()
  }

  /** Shows the store's metrics as well; they are asked for when the metrics are read. */
  watchStore(store: Pick<Store, 'stats'>): void {
    this.#refresh = storeMetrics(this.#registry, store)
  }

  /** Shows how old the copy of a primary's settings is. */
  watchCopy(copy: { readonly ageMs: number }): void {
    const gauge: Gauge = new Gauge({
      name: 'logstrata_settings_copy_age_seconds',
      help: 'How long ago the copy of the primary’s settings was what the primary had.',
      registers: [this.#registry],
      collect: () => gauge.set(copy.ageMs / 1000),
    })
  }

  /** Shows what is wrong as well, a gauge for each reason that there may be. */
  watchHealth(health: Pick<Health, 'reasons'>): void {
    this.#look = async () => {
      const raised = new Set((await health.reasons()).map(({ name }) => name))
      for (const reason of reasonNames) this.#reasons.set({ reason }, Number(raised.has(reason)))
    }
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name: `logstrata_${name}`, help, registers: [this.#registry] })
  }
}
