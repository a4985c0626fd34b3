/** How each rule stands. */
import { Type } from 'typebox'
import type { AlertShown, RuleShown } from '../../../alerts/shown-state.ts'
import type { AlertsDoor } from '../../dependencies.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { orNever, timestamp } from '../../schemas/records.ts'
import { schemaOf } from '../../schemas/schema-of.ts'

const alertSchema = schemaOf<AlertShown>()(
  Type.Object(
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
  ),
)

const stateSchema = schemaOf<RuleShown>()(
  Type.Object(
    {
      ruleId: Type.String(),
      name: Type.String(),
      state: Type.Enum(['disabled', 'inactive', 'pending', 'firing']),
      since: orNever('Since when it is so; null where it is inactive.'),
      alerts: Type.Array(alertSchema),
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
  ),
)

export function statesRoute(alerts: AlertsDoor): DescribedRoute {
  return {
    method: 'GET',
    path: '/api/v1/alerts/states',
    access: 'viewer',
    body: 'none',
    about: {
      id: 'listAlertStates',
      tag: 'Alerts',
      summary: 'Show how rules stand',
      answers: {
        200: jsonAnswer('All rules, by name.', Type.Object({ states: Type.Array(stateSchema) })),
      },
      sample: {},
    },
    handle: () => jsonReply({ states: alerts.states() }),
  }
}
