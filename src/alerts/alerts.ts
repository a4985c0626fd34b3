/** The door to alerts: rules, how they stand, what happened, and what a rule would have done. */
import type { Shelf } from '../catalog/shelf.ts'
import type { Timestamp } from '../record.ts'
import { Evaluator, type EvaluatorOptions } from './evaluator.ts'
import type { HistoryEntry } from './history.ts'
import { Ledger } from './ledger.ts'
import { type Preview, previewOf } from './preview.ts'
import { readRule, type StoredRule } from './rule.ts'
import { type RuleShown, shownState } from './shown-state.ts'

export interface AlertsOptions extends Omit<EvaluatorOptions, 'ledger'> {
  readonly shelf: Shelf
}

export class Alerts {
  readonly #store: AlertsOptions['store']
  readonly #ledger: Ledger
  readonly #evaluator: Evaluator

  constructor(options: AlertsOptions) {
    this.#store = options.store
    this.#ledger = new Ledger(options.shelf, options.now)
    this.#evaluator = new Evaluator({ ...options, ledger: this.#ledger })
  }

  /** From now on rules are evaluated. */
  start(): void {
    this.#evaluator.start()
  }

  async close(): Promise<void> {
    await this.#evaluator.close()
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
   * `readRule`, and `alert_rules_too_many`.
   */
  async saveRule(request: unknown): Promise<StoredRule> {
    const { id, rule } = readRule(request)
    const saved = await this.#ledger.saveRule(id, rule)
    this.#evaluator.look(saved.id)
    return saved
  }

  /** Deletes for good; what fires is resolved. Throws ProblemError `alert_rule_unknown`. */
  async deleteRule(id: string): Promise<void> {
    await this.#ledger.deleteRule(id)
    this.#evaluator.look(id)
  }

  /** How each rule stands, by name. */
  states(): RuleShown[] {
    const { rules, states } = this.#ledger
    return rules.list().map(rule => shownState(rule, states.get(rule.id)))
  }

  /** The latest first; see `History.list`. */
  history(limit: number, before?: string, ruleId?: string): HistoryEntry[] {
    return this.#ledger.history.list(limit, before, ruleId)
  }

  /** Of the field `rule` of a request. Throws as `readRule` and `previewOf`. */
  async preview(
    request: unknown,
    range: { readonly startTime: Timestamp; readonly endTime: Timestamp },
    signal: AbortSignal,
  ): Promise<Preview> {
    const { rule } = readRule(request, 'rule')
    return previewOf(this.#store, rule, range, signal)
  }
}
