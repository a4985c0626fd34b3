/** How each rule stands. */
import { ruleShownSchema } from '../../../alerts/shown-state.ts'
import type { AlertsDoor } from '../../dependencies.ts'
import type { DescribedRoute } from '../../route.ts'
import { listRoute } from '../kept.ts'

export function statesRoute(alerts: AlertsDoor): DescribedRoute {
  return listRoute({
    path: '/api/v1/alerts/states',
    access: 'viewer',
    id: 'listAlertStates',
    tag: 'Alerts',
    summary: 'Show how rules stand',
    answer: 'All rules, by name.',
    each: ['states', ruleShownSchema],
    list: () => alerts.states(),
  })
}
