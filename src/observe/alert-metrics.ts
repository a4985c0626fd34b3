/** Metrics of alerts: what they come to, and whether people are told. */
import { Counter, Gauge, type Registry } from 'prom-client'

/** How things stand at one moment. */
export interface AlertCounts {
  readonly rules: number
  readonly pending: number
  readonly firing: number
  readonly failing: number
  /** Notices that wait for a receiver. */
  readonly waiting: number
}

export class AlertMetrics {
  readonly #evaluations: Counter
  readonly #evaluationSeconds: Counter
  readonly #deliveries: Counter
  readonly #gauges: Readonly<Record<keyof AlertCounts, Gauge>>
  #counts: (() => AlertCounts) | undefined

  constructor(registry: Registry) {
    const registers = [registry]
    this.#evaluations = new Counter({
      name: 'logstrata_alert_evaluations_total',
      help: 'Evaluations of rules, by how they ended: ok, failed.',
      labelNames: ['outcome'],
      registers,
    })
    this.#evaluationSeconds = new Counter({
      name: 'logstrata_alert_evaluation_seconds_total',
      help: 'Time that evaluations of rules took.',
      registers,
    })
    this.#deliveries = new Counter({
      name: 'logstrata_alert_deliveries_total',
      help: 'Attempts to tell receivers of alerts: delivered, failed, given_up.',
      labelNames: ['kind', 'outcome'],
      registers,
    })
    const gauge = (name: string, help: string) =>
      new Gauge({ name: `logstrata_alert_${name}`, help, registers })
    this.#gauges = {
      rules: gauge('rules', 'Rules that are evaluated.'),
      pending: gauge('pending', 'Alerts whose condition holds, but not yet for long enough.'),
      firing: gauge('firing', 'Alerts that fire.'),
      failing: gauge('rules_failing', 'Rules whose last evaluation failed.'),
      waiting: gauge('deliveries_waiting', 'Notices that receivers do not have yet.'),
    }
  }

  noteEvaluation(outcome: 'ok' | 'failed', seconds: number): void {
    this.#evaluations.inc({ outcome })
    this.#evaluationSeconds.inc(seconds)
  }

  noteDelivery(kind: string, outcome: 'delivered' | 'failed' | 'given_up'): void {
    this.#deliveries.inc({ kind, outcome })
  }

  /** Shows how alerts stand; asked when the metrics are read. */
  watch(counts: () => AlertCounts): void {
    this.#counts = counts
  }

  refresh(): void {
    const counts = this.#counts?.()
    if (counts === undefined) return
    for (const [name, count] of Object.entries(counts)) {
      this.#gauges[name as keyof AlertCounts].set(count)
    }
  }
}
