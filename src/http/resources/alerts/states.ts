/** How each rule stands. */
import { Type } from 'typebox'
import { ruleShownSchema } from '../../../alerts/shown-state.ts'
import type { AlertsDoor } from '../../dependencies.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'

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
        200: jsonAnswer(
          'All rules, by name.',
          Type.Object({ states: Type.Array(ruleShownSchema) }),
        ),
      },
      sample: {},
    },
    handle: () => jsonReply({ states: alerts.states() }),
  }
}
