/** How a rule stands, as people and clients are shown it. */
import type { Timestamp } from '../record.ts'
import type { Alert } from './evaluate.ts'
import { jsonNumber } from './message.ts'
import type { Rule, StoredRule } from './rule.ts'
import type { Silences } from './silences.ts'
import type { RuleState } from './states.ts'

export interface AlertShown {
  /** Those of the group and of the rule, and the rule's name as `alertname`. */
  readonly labels: Readonly<Record<string, string>>
  readonly state: 'pending' | 'firing'
  /** When the condition began to hold. */
  readonly activeAt: Timestamp
  /** Null while it is pending. */
  readonly firedAt: Timestamp | null
  /** Null when it is about there being no value. */
  readonly value: number | null
  /** Whether a silence keeps people from being told. */
  readonly silenced: boolean
  /** What people are told of it: the rule's message with the words filled in. */
  readonly message: string
}

export interface RuleShown {
  readonly ruleId: string
  readonly name: string
  /** The worst of its alerts; `disabled` while it is not evaluated. */
  readonly state: 'disabled' | 'inactive' | 'pending' | 'firing'
  /** Since when it is so; null where that is not known. */
  readonly since: Timestamp | null
  readonly alerts: readonly AlertShown[]
  /** Whether the last evaluation went well; `unknown` before the first since the start. */
  readonly health: 'ok' | 'err' | 'unknown'
  /** Why it did not. */
  readonly error?: string
  /** When it was evaluated last, and how long that took, ms; null: not since the start. */
  readonly evaluatedAt: Timestamp | null
  readonly tookMs: number | null
  /** Up to when its window went; null: never. */
  readonly upTo: Timestamp | null
  /** From the moment at which it was due until it was evaluated, ms. */
  readonly lateMs: number | null
}

export function shownState(
  rule: StoredRule,
  state: RuleState,
  silences: Pick<Silences, 'isSilenced'>,
  messageFor: (alert: Alert) => string,
): RuleShown {
  const { evaluatedFor, evaluatedAt, tookMs, error } = state
  const alerts = state.alerts.map(alert => ({
    ...shownAlert(rule, alert, silences),
    message: messageFor(alert),
  }))
  const firing = alerts.filter(alert => alert.state === 'firing')
  const isLate = evaluatedFor !== undefined && evaluatedAt !== undefined
  return {
    ruleId: rule.id,
    name: rule.name,
    state: !rule.enabled ? 'disabled' : worstOf(alerts),
    since:
      firing.length > 0
        ? leastOf(firing.map(({ firedAt }) => firedAt!))
        : leastOf(alerts.map(({ activeAt }) => activeAt)),
    alerts,
    health: error !== undefined ? 'err' : evaluatedAt === undefined ? 'unknown' : 'ok',
    ...(error !== undefined && { error }),
    evaluatedAt: evaluatedAt ?? null,
    tookMs: tookMs ?? null,
    upTo: evaluatedFor === undefined ? null : evaluatedFor - rule.delayMs,
    lateMs: isLate ? evaluatedAt - evaluatedFor : null,
  }
}

/** Of an alert; as in Prometheus, those of the rule are stronger than those of the group. */
export function labelsOf(rule: Rule, { labels }: Pick<Alert, 'labels'>): Record<string, string> {
  return { ...labels, ...rule.labels, alertname: rule.name }
}

function shownAlert(
  rule: Rule,
  alert: Alert,
  silences: Pick<Silences, 'isSilenced'>,
): Omit<AlertShown, 'message'> {
  const labels = labelsOf(rule, alert)
  return {
    labels,
    state: alert.state,
    activeAt: alert.activeAt,
    firedAt: alert.firedAt ?? null,
    value: jsonNumber(alert.value),
    silenced: silences.isSilenced(labels),
  }
}

function worstOf(alerts: readonly AlertShown[]): RuleShown['state'] {
  if (alerts.length === 0) return 'inactive'
  return alerts.some(({ state }) => state === 'firing') ? 'firing' : 'pending'
}

const leastOf = (times: readonly Timestamp[]): Timestamp | null =>
  times.length === 0 ? null : Math.min(...times)
