/**
 * Errors in the form of Prometheus' HTTP API, for the operations that speak it: its clients read
 * `errorType` and `error`, and Grafana shows the latter.
 */

import { Type } from 'typebox'
import type { ProblemCode, ProblemError } from '../../../problems.ts'
import { jsonErrors } from '../../reply/error-form.ts'

/** Well-formed queries that cannot be carried out: Prometheus answers them 422. */
const executionCodes: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'query_too_large',
  'query_ambiguous',
])

function statusOf({ code, status }: ProblemError): number {
  return executionCodes.has(code) ? 422 : status
}

function errorTypeOf({ code, status }: ProblemError): string {
  if (executionCodes.has(code)) return 'execution'
  if (code === 'query_timeout') return 'timeout'
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
export const prometheusErrors = jsonErrors({
  schema: errorSchema,
  statusOf,
  documentOf: error => ({
    status: 'error',
    errorType: errorTypeOf(error),
    error: error.placedMessage,
  }),
})
