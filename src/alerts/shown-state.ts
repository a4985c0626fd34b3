/** How a rule stands, as people and clients are shown it. */
import { Type } from 'typebox'
import type { Timestamp } from '../record.ts'
import { type Answer, orNever, timestamp } from '../schema/answer.ts'
import type { Alert } from './evaluate.ts'
import { jsonNumber } from './message.ts'
import type { Rule, StoredRule } from './rule.ts'
import type { Silences } from './silences.ts'
import type { RuleState } from './states.ts'

const alertShownSchema = Type.Object(
  {
    labels: Type.Record(Type.String(), Type.String(), {
      description: 'Those of the group and of the rule, and `alertname`.',
    }),
    state: Type.Enum(['pending', 'firing']),
    activeAt: timestamp,
    firedAt: orNever('Since when it fires; null while it is pending.'),
    value: Type.Union([Type.Number(), Type.Null()], {
      description: 'At the last evaluation; null when there was none.',
    }),
    silenced: Type.Boolean({ description: 'Whether a silence keeps people from being told.' }),
    message: Type.String({
      description: "What people are told of it: the rule's message with the words filled in.",
    }),
  },
  { $id: 'Alert', description: 'A group of a rule for which the condition holds.' },
)

export type AlertShown = Answer<typeof alertShownSchema>

/** Its state is the worst of its alerts, or `disabled` while it is not evaluated. */
export const ruleShownSchema = Type.Object(
  {
    ruleId: Type.String(),
    name: Type.String(),
    state: Type.Enum(['disabled', 'inactive', 'pending', 'firing']),
    since: orNever('Since when it is so; null where it is inactive.'),
    alerts: Type.Array(alertShownSchema),
    health: Type.Enum(['ok', 'err', 'unknown'], {
      description: 'Of the last evaluation; `unknown` before the first since the start.',
    }),
    error: Type.Optional(Type.String({ description: 'Why the last evaluation failed.' })),
    evaluatedAt: orNever('When it was evaluated last; null: not since the start.'),
    tookMs: Type.Union([Type.Number(), Type.Null()], { description: 'How long that took, ms.' }),
    upTo: orNever('Up to which time records were looked at; null: never.'),
    lateMs: Type.Union([Type.Number(), Type.Null()], {
      description: 'From when it was due until it was evaluated, ms: much after a restart.',
    }),
  },
  { $id: 'AlertState', description: 'How a rule stands.' },
)

export type RuleShown = Answer<typeof ruleShownSchema>

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
