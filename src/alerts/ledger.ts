/**
 * All that is kept of alerts, changed one change after the other: each is one transaction of the catalog,
 * in which what happened stands beside what it led to. Nobody is told of a change that is not on disk.
 */
import type { Shelf } from '../catalog/shelf.ts'
import type { Alert, Change } from './evaluate.ts'
import { History, type NewEntry } from './history.ts'
import { jsonNumber } from './message.ts'
import { isSameSubject, type Rule, type StoredRule } from './rule.ts'
import { Rules } from './rules.ts'
import { labelsOf } from './shown-state.ts'
import { isSameStand, type RuleState, States } from './states.ts'

export class Ledger {
  readonly rules: Pick<Rules, 'list' | 'find' | 'get'>
  readonly states: Pick<States, 'get' | 'saveProgress'>
  readonly history: Pick<History, 'list'>
  readonly #rules: Rules
  readonly #states: States
  readonly #history: History
  readonly #shelf: Shelf
  readonly #now: () => number
  /** Settles when the change before has. */
  #lastTurn: Promise<unknown> = Promise.resolve()

  constructor(shelf: Shelf, now: () => number) {
    this.#shelf = shelf
    this.#now = now
    this.rules = this.#rules = new Rules(shelf, now)
    this.states = this.#states = new States(shelf)
    this.history = this.#history = new History(shelf)
  }

  /**
   * Makes a rule, or replaces the one of its id. Its alerts go on when it is about the same as before,
   * and end when it is not. Throws `alert_rules_too_many`, `catalog_failed`.
   */
  saveRule(id: string | undefined, read: Rule): Promise<StoredRule> {
    return this.#inTurn(async () => {
      const rule = this.#rules.prepare(id, read)
      const before = this.#rules.find(rule.id)
      const goesOn = before !== undefined && rule.enabled && isSameSubject(before, rule)
      const state = goesOn ? this.#states.get(rule.id) : undefined
      await this.#write(before ?? rule, goesOn ? [] : this.#ends(rule.id), () => {
        this.#rules.put(rule)
        this.#states.put(rule.id, state)
      })
      this.#rules.note(rule.id, rule)
      this.#states.note(rule.id, state)
      return rule
    })
  }

  /** Deletes for good; what fires is resolved. Throws `alert_rule_unknown`, `catalog_failed`. */
  deleteRule(id: string): Promise<void> {
    return this.#inTurn(async () => {
      const rule = this.#rules.get(id)
      await this.#write(rule, this.#ends(id), () => {
        this.#rules.remove(id)
        this.#states.put(id, undefined)
      })
      this.#rules.note(id, undefined)
      this.#states.note(id, undefined)
    })
  }

  /**
   * Takes what an evaluation came to, unless the rule is not the same any more: then that is about what is
   * no more. Throws `catalog_failed`, and nothing has changed.
   */
  evaluated(rule: StoredRule, state: RuleState, changes: readonly Change[]): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#rules.find(rule.id) !== rule) return
      const before = this.#states.get(rule.id)
      if (!isSameStand(before.alerts, state.alerts) || changes.length > 0) {
        await this.#write(rule, changes, () => this.#states.put(rule.id, state))
      }
      this.#states.note(rule.id, state)
    })
  }

  /** Notes that an evaluation failed: only for those who look. */
  failed(rule: StoredRule, state: RuleState): void {
    if (this.#rules.find(rule.id) === rule) this.#states.note(rule.id, state)
  }

  async #write(rule: StoredRule, changes: readonly Change[], change: () => void): Promise<void> {
    let noted = () => {}
    await this.#shelf.write(() => {
      change()
      noted = this.#history.put(changes.map(one => entryOf(rule, one)))
    })
    noted()
  }

  /** What becomes of a rule's alerts when it is no more. */
  #ends(id: string): Change[] {
    const at = this.#now()
    const hasFired = ({ state }: Alert) => state === 'firing'
    const { alerts } = this.#states.get(id)
    return alerts.filter(hasFired).map(alert => ({ kind: 'resolved', at, alert }))
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lastTurn.then(work)
    this.#lastTurn = done.catch(() => {}) // Whoever asked for it is told.
    return await done
  }
}

function entryOf(rule: StoredRule, { kind, at, alert }: Change): NewEntry {
  return {
    at,
    kind,
    ruleId: rule.id,
    ruleName: rule.name,
    labels: labelsOf(rule, alert),
    value: jsonNumber(alert.value),
  }
}
