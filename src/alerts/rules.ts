/** The rules that people made: kept in the catalog, all of them in memory. */
import { randomUUID } from 'node:crypto'
import type { Shelf } from '../catalog/shelf.ts'
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import { type Rule, ruleUnknown, type StoredRule } from './rule.ts'

const collectionName = 'alert-rules'

export class Rules {
  readonly #collection
  readonly #now: () => number
  readonly #byId = new Map<string, StoredRule>()

  constructor(shelf: Shelf, now: () => number) {
    this.#collection = shelf.collection<Omit<StoredRule, 'id'>>(collectionName)
    this.#now = now
    for (const { key: id, value } of this.#collection.getRange()) {
      this.#byId.set(id, { id, ...value })
    }
  }

  /** All of them, by name. */
  list(): StoredRule[] {
    return [...this.#byId.values()].sort(byName)
  }

  find(id: string): StoredRule | undefined {
    return this.#byId.get(id)
  }

  /** Throws ProblemError `alert_rule_unknown`. */
  get(id: string): StoredRule {
    const rule = this.#byId.get(id)
    if (rule === undefined) throw ruleUnknown()
    return rule
  }

  /**
   * What is to be stored of a rule under an id, or a new one. Throws ProblemError `alert_rules_too_many`.
   */
  prepare(id: string | undefined, rule: Rule): StoredRule {
    const now = this.#now()
    const known = id === undefined ? undefined : this.#byId.get(id)
    if (known === undefined && this.#byId.size >= limits.alertRulesMax) {
      const detail = `there are ${limits.alertRulesMax} rules; delete one first`
      throw new ProblemError('alert_rules_too_many', detail)
    }
    const createdAt = known?.createdAt ?? now
    return { ...rule, id: id ?? randomUUID(), createdAt, updatedAt: now }
  }

  /** Part of a change of the catalog, as `remove`. */
  put({ id, ...rule }: StoredRule): void {
    this.#collection.put(id, rule)
  }

  remove(id: string): void {
    this.#collection.remove(id)
  }

  /** After the change: what is in memory is what is on disk. */
  note(id: string, rule: StoredRule | undefined): void {
    if (rule === undefined) this.#byId.delete(id)
    else this.#byId.set(id, rule)
  }
}

function byName(a: StoredRule, b: StoredRule): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.id < b.id ? -1 : 1
}
