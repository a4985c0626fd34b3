/** What happened to alerts. */
import { Type } from 'typebox'
import { historyEntrySchema } from '../../../alerts/history.ts'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import type { AlertsDoor } from '../../dependencies.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'

const limitDefault = 100

const parameters = {
  schema: Type.Object({
    ruleId: Type.Optional(Type.String()),
    limit: Type.Optional(
      Type.String({ description: `a number from 1 to ${limits.queryLimitMax}` }),
    ),
    before: Type.Optional(Type.String()),
  }),
  meanings: {
    ruleId: 'Only of this rule.',
    limit: `How many at most; ${limitDefault} when absent.`,
    before: 'The `id` of an entry: only what happened before.',
  },
}

export function historyRoute(alerts: AlertsDoor): DescribedRoute {
  return {
    method: 'GET',
    path: '/api/v1/alerts/history',
    access: 'viewer',
    body: 'none',
    about: {
      id: 'listAlertHistory',
      tag: 'Alerts',
      summary: 'Show what happened to alerts',
      description: `The last ${limits.alertHistoryMax} events are kept.`,
      parameters,
      answers: {
        200: jsonAnswer(
          'The latest first.',
          Type.Object({ entries: Type.Array(historyEntrySchema) }),
        ),
      },
      problems: ['field_invalid'],
      sample: { parameters: { limit: '10' } },
    },
    handle({ query }) {
      const before = query.get('before') ?? undefined
      const ruleId = query.get('ruleId') ?? undefined
      return jsonReply({ entries: alerts.history(readLimit(query.get('limit')), before, ruleId) })
    },
  }
}

function readLimit(text: string | null): number {
  const limit = text === null ? limitDefault : Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= limits.queryLimitMax) return limit
  const detail = `"limit" must be a number from 1 to ${limits.queryLimitMax}, was ${text}`
  throw new ProblemError('field_invalid', detail, { field: 'limit' })
}
