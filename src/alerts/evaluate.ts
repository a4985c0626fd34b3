/**
 * The life of an alert, as Prometheus has it, without a clock: from what was, and what a rule's query
 * comes to at a moment, to what is.
 *
 *     inactive ──holds──▶ pending ──holds for `forMs`──▶ firing
 *         ▲                  │                             │
 *         └──holds no more───┴───────holds no more─────────┘
 */
import { labelsKey } from '../query/evaluate/vector.ts'
import { comparisons } from '../query/matcher-condition.ts'
import type { Timestamp } from '../record.ts'
import type { Condition, Rule } from './rule.ts'
import type { Sample } from './samples.ts'

/**
 * A group of a rule for which the condition holds; all others are inactive, and there are none of them.
 */
export interface Alert {
  /** The same for the same labels. */
  readonly key: string
  /** Of the group, without those of the rule. */
  readonly labels: Readonly<Record<string, string>>
  readonly state: 'pending' | 'firing'
  /** When the condition began to hold. */
  readonly activeAt: Timestamp
  /** When it began to fire; absent while it is pending. */
  readonly firedAt?: Timestamp
  /** The last one; absent when it is about there being none. */
  readonly value?: number
  /** Whether receivers were told that it fires: then they are told of its end. */
  readonly isTold?: true
}

/** What a person may want to know of. */
export interface Change {
  readonly kind: 'fired' | 'resolved'
  readonly at: Timestamp
  readonly alert: Alert
}

export interface Step {
  readonly alerts: readonly Alert[]
  readonly changes: readonly Change[]
}

type Watched = Pick<Rule, 'condition' | 'forMs' | 'noData'>

/** The alerts of a rule after moment `at`, from those before it and the samples at it. */
export function step(
  rule: Watched,
  before: readonly Alert[],
  samples: readonly Sample[],
  at: Timestamp,
): Step {
  const earlier = new Map(before.map(alert => [alert.key, alert]))
  const known = new Set<string>()
  const alerts: Alert[] = []
  const changes: Change[] = []
  const keep = (alert: Alert) => {
    alerts.push(alert)
    const hasFired = alert.state === 'firing' && earlier.get(alert.key)?.state !== 'firing'
    if (hasFired) changes.push({ kind: 'fired', at, alert })
  }
  for (const { labels, value } of samples) {
    const key = labelsKey(labels)
    known.add(key)
    if (!holds(rule.condition, value)) continue
    keep(whileHolding(rule, earlier.get(key) ?? begun(key, labels, at), at, value))
  }
  if (samples.length === 0 && rule.noData === 'alert') {
    const key = labelsKey(noLabels)
    known.add(key)
    keep(whileHolding(rule, earlier.get(key) ?? begun(key, noLabels, at), at))
  }
  const isKept = new Set(alerts.map(({ key }) => key))
  for (const alert of before) {
    if (isKept.has(alert.key)) continue
    if (!known.has(alert.key) && rule.noData === 'keep') alerts.push(alert)
    else if (alert.state === 'firing') changes.push({ kind: 'resolved', at, alert })
  }
  return { alerts, changes }
}

const noLabels = {}

/** Nothing compares with NaN: only `!=` holds of it. */
export function holds({ op, threshold }: Condition, value: number): boolean {
  return comparisons[op](value, threshold)
}

function begun(key: string, labels: Sample['labels'], at: Timestamp): Alert {
  const named = Object.entries(labels).filter(([, value]) => value !== '')
  return { key, labels: Object.fromEntries(named), state: 'pending', activeAt: at }
}

function whileHolding({ forMs }: Watched, alert: Alert, at: Timestamp, value?: number): Alert {
  const { value: _, ...rest } = alert
  const held: Alert = { ...rest, ...(value !== undefined && { value }) }
  if (held.state === 'firing' || at - held.activeAt < forMs) return held
  return { ...held, state: 'firing', firedAt: at }
}
