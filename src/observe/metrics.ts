/**
 * Metrics for operators, in the text format of Prometheus. Names carry their unit; counts end in
 * `_total`.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { type Health, reasonNames } from '../health.ts'
import type { Store } from '../store/store.ts'
import { AlertMetrics } from './alert-metrics.ts'
import { newCounter, totalOf } from './counters.ts'
import { ListenerMetrics } from './listener-metrics.ts'
import { type QueryBucket, QueryCounts } from './query-counts.ts'
import { storeMetrics } from './store-metrics.ts'

/** Counts since the start. */
export interface MetricTotals {
  readonly eventsAccepted: number
  readonly eventsRejected: number
  readonly ingestedBytes: number
  readonly queriesFailed: number
  readonly queryBuckets: readonly QueryBucket[]
}

export class Metrics {
  readonly #registry = new Registry()
  readonly listeners = new ListenerMetrics(this.#registry)
  readonly alerts = new AlertMetrics(this.#registry)
  readonly queries = new QueryCounts(this.#registry)
  readonly #eventsAccepted = newCounter(this.#registry, 'events_accepted_total', 'Events stored.')
  readonly #eventsRejected = new Counter({
    name: 'logstrata_events_rejected_total',
    help: 'Events refused, by the code of the problem.',
    labelNames: ['code'],
    registers: [this.#registry],
  })
  readonly #eventsRepeated = newCounter(
    this.#registry,
    'events_repeated_total',
    'Events that were sent again under the key under which they are stored, and count once.',
  )
  readonly #unreadableTimes = newCounter(
    this.#registry,
    'events_time_unreadable_total',
    'Events stored with the time of receipt because their own cannot be read.',
  )
  readonly #ingestedBytes = newCounter(
    this.#registry,
    'ingested_bytes_total',
    'Bytes of event bodies stored.',
  )
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
    return {
      eventsAccepted: await totalOf(this.#eventsAccepted),
      eventsRejected: await totalOf(this.#eventsRejected),
      ingestedBytes: await totalOf(this.#ingestedBytes),
      queriesFailed: await this.queries.failed(),
      queryBuckets: await this.queries.buckets(),
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

  /** `isRefused`: too many came from the same address before. */
  noteWrongCredential(isRefused: boolean): void {
    this.#wrongCredentials.inc({ status: isRefused ? 429 : 401 })
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
}
