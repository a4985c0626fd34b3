/** The rules that people made. */
import type { Shelf } from '../catalog/shelf.ts'
import { limits } from '../limits.ts'
import { Made } from './made.ts'
import type { Rule, StoredRule } from './rule.ts'

export class Rules extends Made<StoredRule, Omit<StoredRule, 'id'>> {
  constructor(shelf: Shelf) {
    super({
      name: 'rule',
      collection: shelf.collection('alert-rules'),
      thingOf: (id, stored) => ({ id, ...stored }),
      storedOf: ({ id, ...rule }) => rule,
      countMax: limits.alertRulesMax,
      unknown: 'alert_rule_unknown',
      tooMany: 'alert_rules_too_many',
    })
  }

  /** What is to be stored of a rule under an id, or a new one. Throws as `prepareAt`. */
  prepare(id: string | undefined, rule: Rule, now: number): StoredRule {
    return { ...rule, ...this.prepareAt(id, now), updatedAt: now }
  }
}
