/**
 * Rules and alerts as Prometheus has them, and Loki's ruler: by these Grafana lists them among its own. Rules
 * of one interval are a group.
 */
import { Type } from 'typebox'
import { shownNumber } from '../../../alerts/message.ts'
import type { StoredRule } from '../../../alerts/rule.ts'
import type { AlertShown, RuleShown } from '../../../alerts/shown-state.ts'
import { printDuration } from '../../../language/duration.ts'
import type { AlertsDoor } from '../../dependencies.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import type { DescribedRoute } from '../../route.ts'
import { successReply, successSchema } from './answers.ts'
import { optional, parametersOf } from './described.ts'
import { byGet } from './form-routes.ts'

/** Where Prometheus has them, and where Loki has those of its ruler. */
const rulersAt = [
  { at: '/api/v1', name: 'prometheus', tag: 'Prometheus' },
  { at: '/prometheus/api/v1', name: 'loki', tag: 'Loki' },
] as const

export function rulerRoutes(alerts: AlertsDoor): readonly DescribedRoute[] {
  return rulersAt.flatMap(ruler => [rulesRoute(alerts, ruler), alertsRoute(alerts, ruler)])
}

const texts = Type.Record(Type.String(), Type.String())
const time = Type.String({ description: 'RFC 3339.' })

const alertSchema = Type.Object({
  labels: texts,
  annotations: texts,
  state: Type.Enum(['pending', 'firing']),
  activeAt: time,
  value: Type.String(),
})

const ruleSchema = Type.Object({
  state: Type.Enum(['inactive', 'pending', 'firing']),
  name: Type.String(),
  query: Type.String({ description: 'The query, with the condition behind it.' }),
  duration: Type.Number({ description: '`for`, in seconds.' }),
  keepFiringFor: Type.Literal(0),
  labels: texts,
  annotations: texts,
  alerts: Type.Array(alertSchema),
  health: Type.Enum(['ok', 'err', 'unknown']),
  lastError: Type.Optional(Type.String()),
  evaluationTime: Type.Number({ description: 'In seconds.' }),
  lastEvaluation: time,
  type: Type.Literal('alerting'),
})

const groupSchema = Type.Object({
  name: Type.String(),
  file: Type.Literal('logstrata'),
  interval: Type.Number({ description: 'In seconds.' }),
  limit: Type.Literal(0),
  rules: Type.Array(ruleSchema),
  evaluationTime: Type.Number(),
  lastEvaluation: time,
})

type Ruler = (typeof rulersAt)[number]

function rulesRoute(alerts: AlertsDoor, { at, name, tag }: Ruler): DescribedRoute {
  return byGet({
    path: `${at}/rules`,
    about: {
      id: `${name}Rules`,
      tag,
      summary: 'Rules of alerts',
      parameters: parametersOf(
        { type: optional },
        { type: '`record`: rules of that kind only, of which there are none here.' },
      ),
      answers: {
        200: jsonAnswer(
          'By interval.',
          successSchema(Type.Object({ groups: Type.Array(groupSchema) })),
        ),
      },
      sample: {},
    },
    handle({ parameters }) {
      const groups = parameters.get('type') === 'record' ? [] : groupsOf(alerts)
      return successReply({ groups })
    },
  })
}

function alertsRoute(alerts: AlertsDoor, { at, name, tag }: Ruler): DescribedRoute {
  return byGet({
    path: `${at}/alerts`,
    about: {
      id: `${name}Alerts`,
      tag,
      summary: 'Alerts that are pending or firing',
      answers: {
        200: jsonAnswer(
          'All of them.',
          successSchema(Type.Object({ alerts: Type.Array(alertSchema) })),
        ),
      },
      sample: {},
    },
    handle: () => {
      const all = evaluatedRules(alerts).flatMap(({ state }) => state.alerts.map(alertOf))
      return successReply({ alerts: all })
    },
  })
}

interface Evaluated {
  readonly rule: StoredRule
  readonly state: RuleShown
}

function evaluatedRules(alerts: AlertsDoor): Evaluated[] {
  const states = new Map(alerts.states().map(state => [state.ruleId, state]))
  return alerts.rules().flatMap(rule => {
    const state = states.get(rule.id)
    return rule.enabled && state !== undefined ? [{ rule, state }] : []
  })
}

function groupsOf(alerts: AlertsDoor) {
  const byInterval = Map.groupBy(evaluatedRules(alerts), ({ rule }) => rule.everyMs)
  return [...byInterval]
    .sort(([one], [other]) => one - other)
    .map(([everyMs, members]) => ({
      name: `every ${printDuration(everyMs)}`,
      file: 'logstrata',
      interval: everyMs / 1000,
      limit: 0,
      rules: members.map(ruleOf),
      evaluationTime: members.reduce((sum, { state }) => sum + (state.tookMs ?? 0), 0) / 1000,
      lastEvaluation: timeText(Math.max(...members.map(({ state }) => state.evaluatedAt ?? 0))),
    }))
}

function ruleOf({ rule, state }: Evaluated) {
  const { op, threshold } = rule.condition
  return {
    state: state.state,
    name: rule.name,
    query: `${rule.query} ${op} ${threshold}`,
    duration: rule.forMs / 1000,
    keepFiringFor: 0,
    labels: rule.labels,
    annotations: { summary: rule.message },
    alerts: state.alerts.map(alertOf),
    health: state.health,
    ...(state.error !== undefined && { lastError: state.error }),
    evaluationTime: (state.tookMs ?? 0) / 1000,
    lastEvaluation: timeText(state.evaluatedAt ?? 0),
    type: 'alerting',
  }
}

function alertOf({ labels, state, activeAt, value, message }: AlertShown) {
  return {
    labels,
    annotations: { summary: message },
    state,
    activeAt: timeText(activeAt),
    value: value === null ? 'NaN' : shownNumber(value),
  }
}

/** As Go writes a time that there never was. */
function timeText(time: number): string {
  return time === 0 ? '0001-01-01T00:00:00Z' : new Date(time).toISOString()
}
