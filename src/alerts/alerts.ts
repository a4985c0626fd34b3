/**
 * The door to alerts: rules, how they stand, what happened, who is told, and what a rule would have
 * done.
 */
import { randomUUID } from 'node:crypto'
import type { Shelf } from '../catalog/shelf.ts'
import type { Config } from '../config/config.ts'
import type { AlertCounts, AlertMetrics } from '../observe/alert-metrics.ts'
import { messageWithCauses } from '../problems.ts'
import type { TimeRange, Timestamp } from '../record.ts'
import { Deliveries, type DeliveriesOptions } from './deliver/deliveries.ts'
import { testNotice } from './deliver/test-notice.ts'
import { Evaluator, type EvaluatorOptions } from './evaluator.ts'
import type { HistoryEntry } from './history.ts'
import { Ledger } from './ledger.ts'
import { type Preview, previewOf } from './preview.ts'
import { shownReceiver } from './receivers/completed.ts'
import { type ReceiverShown, readReceiver, type TestOutcome } from './receivers/receiver.ts'
import { readRule, type StoredRule } from './rule.ts'
import { type RuleShown, shownState } from './shown-state.ts'
import type { StoredSilence } from './silences.ts'
import { messagesOf } from './telling.ts'

export interface AlertsOptions
  extends Omit<EvaluatorOptions, 'ledger' | 'onEvaluated' | 'metrics' | 'config'>,
    Omit<DeliveriesOptions, 'ledger' | 'metrics' | 'config'> {
  readonly shelf: Shelf
  readonly config: Pick<Config, 'queryTimeoutMs' | 'alertPrivateNetworks' | 'publicUrl'>
  readonly metrics: Pick<AlertMetrics, 'noteEvaluation' | 'noteDelivery' | 'watch'>
}

export class Alerts {
  readonly #options: AlertsOptions
  #ledger: Ledger
  readonly #evaluator: Evaluator
  readonly #deliveries: Deliveries
  /** Where people see the page; known at the start. */
  #publicUrl: string

  constructor(options: AlertsOptions) {
    this.#options = options
    this.#publicUrl = options.config.publicUrl ?? ''
    const { shelf, now, metrics } = options
    const ledger = new Ledger(shelf, now)
    this.#ledger = ledger
    this.#deliveries = new Deliveries({ ...options, ledger })
    const onEvaluated = () => this.#deliveries.look()
    this.#evaluator = new Evaluator({ ...options, ledger, onEvaluated })
    metrics.watch(() => this.#counts())
  }

  /** They are a copy, and it has changed. Of a service that never evaluates them. */
  reload(): void {
    const { shelf, now } = this.#options
    this.#ledger = new Ledger(shelf, now)
  }

  /** Where people see the page, for links, when nothing is evaluated here. */
  showAt(url: string): void {
    this.#publicUrl = this.#options.config.publicUrl ?? url
  }

  /** From now on rules are evaluated, and people told. `url`: where the service listens. */
  start(url: string): void {
    this.showAt(url)
    this.#deliveries.start(this.#publicUrl)
    this.#evaluator.start()
  }

  async close(): Promise<void> {
    await this.#evaluator.close()
    await this.#deliveries.close()
  }

  /** All of them, by name. */
  rules(): StoredRule[] {
    return this.#ledger.rules.list()
  }

  /** Throws ProblemError `alert_rule_unknown`. */
  rule(id: string): StoredRule {
    return this.#ledger.rules.get(id)
  }

  /**
   * Makes a rule, or replaces the one of its id; it is on disk when the promise resolves. Throws as
   * `readRule` and `Ledger.saveRule`.
   */
  async saveRule(request: unknown): Promise<StoredRule> {
    const { id, rule } = readRule(request)
    const saved = await this.#ledger.saveRule(id, rule)
    this.#evaluator.look(saved.id)
    this.#deliveries.look()
    return saved
  }

  /** Deletes for good; what fires is resolved. Throws ProblemError `alert_rule_unknown`. */
  async deleteRule(id: string): Promise<void> {
    await this.#ledger.deleteRule(id)
    this.#evaluator.look(id)
    this.#deliveries.look()
  }

  /** How each rule stands, by name. */
  states(): RuleShown[] {
    const { rules, states, silences } = this.#ledger
    return rules.list().map(rule => {
      const state = states.get(rule.id)
      const messageFor = messagesOf(this.#publicUrl, rule, state.alerts)
      return shownState(rule, state, silences, messageFor)
    })
  }

  /** How they stand as a whole; `evaluatedAt`: when any rule was last, null when none was since the start. */
  summary(): AlertCounts & { readonly receivers: number; readonly evaluatedAt: Timestamp | null } {
    const { rules, states, receivers } = this.#ledger
    const evaluated = rules.list().map(({ id }) => states.get(id).evaluatedAt ?? 0)
    return {
      ...this.#counts(),
      receivers: receivers.list().length,
      evaluatedAt: Math.max(0, ...evaluated) || null,
    }
  }

  /** The latest first; see `History.list`. */
  history(limit: number, before?: string, ruleId?: string): HistoryEntry[] {
    return this.#ledger.history.list(limit, before, ruleId)
  }

  /** Of the field `rule` of a request. Throws as `readRule` and `previewOf`. */
  async preview(request: unknown, range: TimeRange, signal: AbortSignal): Promise<Preview> {
    const { rule } = readRule(request, 'rule')
    return previewOf(this.#options.store, rule, range, signal)
  }

  /** Those that are not over, the next to end first. */
  silences(): StoredSilence[] {
    return this.#ledger.silences.list()
  }

  /** `by`: who asks. Throws as `Silences.prepare`. */
  async saveSilence(request: unknown, by: string): Promise<StoredSilence> {
    const silence = await this.#ledger.saveSilence(request, by)
    this.#deliveries.look()
    return silence
  }

  /** Throws ProblemError `alert_silence_unknown`. */
  async endSilence(id: string): Promise<void> {
    await this.#ledger.endSilence(id)
    this.#deliveries.look()
  }

  /** All of them without their secrets, by name. */
  receivers(): ReceiverShown[] {
    return this.#ledger.receivers.list().map(shownReceiver)
  }

  /**
   * Makes a receiver, or replaces the one of its id. Throws as `readReceiver`,
   * `alert_receivers_too_many`.
   */
  async saveReceiver(request: unknown): Promise<ReceiverShown> {
    const { id, name, config } = readReceiver(request, one => this.#ledger.receivers.find(one))
    const receiver = await this.#ledger.saveReceiver(id, name, config)
    this.#deliveries.look()
    return shownReceiver(receiver)
  }

  /** Throws ProblemError `alert_receiver_unknown`. */
  async deleteReceiver(id: string): Promise<void> {
    await this.#ledger.deleteReceiver(id)
  }

  /** Tells a receiver of an alert that is none, once. Throws ProblemError `alert_receiver_unknown`. */
  async testReceiver(id: string): Promise<TestOutcome> {
    const receiver = this.#ledger.receivers.get(id)
    try {
      await this.#deliveries.sendOnce(receiver, testNotice(randomUUID(), this.#options.now()))
      return { ok: true }
    } catch (error) {
      return { ok: false, error: messageWithCauses(error as Error) }
    }
  }

  #counts(): AlertCounts {
    const { rules, states } = this.#ledger
    const stands = rules.list().filter(({ enabled }) => enabled)
    const alerts = stands.flatMap(({ id }) => states.get(id).alerts)
    const firing = alerts.filter(({ state }) => state === 'firing').length
    return {
      rules: stands.length,
      pending: alerts.length - firing,
      firing,
      failing: stands.filter(({ id }) => states.get(id).error !== undefined).length,
      waiting: this.#deliveries.waitingCount(),
    }
  }
}
