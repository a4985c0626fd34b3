/**
 * Errors in the form of Prometheus' HTTP API, for the operations that speak it: its clients read
 * `errorType` and `error`, and Grafana shows the latter.
 */

import { Type } from 'typebox'
import { type ProblemCode, type ProblemError, problems } from '../../../problems.ts'
import type { ErrorForm } from '../../reply/error-form.ts'
import { problemHeaders, type Reply } from '../../reply/reply.ts'

/** Well-formed queries that cannot be carried out: Prometheus answers them 422. */
const executionCodes: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'query_too_large',
  'query_ambiguous',
])

/** `headers` come after those that the problem itself asks for. */
function errorReply(error: ProblemError, headers: Reply['headers'] = []): Reply {
  const errorType = errorTypeOf(error.code)
  const document = { status: 'error', errorType, error: error.placedMessage }
  return {
    status: statusOf(error),
    contentType: 'application/json',
    body: JSON.stringify(document),
    headers: [...problemHeaders(error), ...headers],
  }
}

function statusOf({ code }: ProblemError): number {
  return executionCodes.has(code) ? 422 : problems[code].status
}

function errorTypeOf(code: ProblemCode): string {
  if (executionCodes.has(code)) return 'execution'
  if (code === 'query_timeout') return 'timeout'
  const { status } = problems[code]
  if (status === 404) return 'not_found'
  if (status === 429 || status === 503) return 'unavailable'
  return status >= 500 ? 'internal' : 'bad_data'
}

const errorSchema = Type.Object(
  {
    status: Type.Literal('error'),
    errorType: Type.Enum([
      'bad_data',
      'execution',
      'timeout',
      'not_found',
      'unavailable',
      'internal',
    ]),
    error: Type.String({ description: 'What was expected and what came, for people.' }),
  },
  { $id: 'PrometheusError', description: "Why a request failed, in Prometheus' form." },
)

/** Of every route of Prometheus' API, also before the handler. */
export const prometheusErrors: ErrorForm = {
  replyTo: () => errorReply,
  statusOf,
  contents: { 'application/json': { schema: errorSchema } },
}
