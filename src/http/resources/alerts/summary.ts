/** How alerts stand as a whole. */
import { Type } from 'typebox'
import { type Answer, count, orNever, timestamp } from '../../../schema/answer.ts'
import type { AlertsDoor } from '../../dependencies.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'

const alertSummarySchema = Type.Object({
  time: timestamp,
  rules: count('Rules that are evaluated.'),
  failing: count('Of these: those whose last evaluation failed.'),
  firing: count('Alerts that fire, silenced ones too.'),
  pending: count('Alerts whose condition holds, but not yet for long enough.'),
  waiting: count('Notices that receivers do not have yet: one for each receiver.'),
  receivers: count('Who may be told.'),
  evaluatedAt: orNever('When any rule was evaluated last; null: none was since the start.'),
})

export type AlertSummary = Answer<typeof alertSummarySchema>

export function summaryRoute(alerts: AlertsDoor): DescribedRoute {
  return {
    method: 'GET',
    path: '/api/v1/alerts/summary',
    access: 'viewer',
    body: 'none',
    about: {
      id: 'showAlertSummary',
      tag: 'Alerts',
      summary: 'Show how alerts stand as a whole',
      answers: { 200: jsonAnswer('At this moment.', alertSummarySchema) },
      sample: {},
    },
    handle: () => jsonReply({ time: Date.now(), ...alerts.summary() }),
  }
}
