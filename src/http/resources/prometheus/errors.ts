/**
 * Errors in the form of Prometheus' HTTP API, for the operations that speak it: its clients read
 * `errorType` and `error`, and Grafana shows the latter.
 */

import { type ProblemCode, type ProblemError, problems } from '../../../problems.ts'
import { problemHeaders, type Reply } from '../../reply/reply.ts'

/** Well-formed queries that cannot be carried out: Prometheus answers them 422. */
const executionCodes: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['query_too_large'])

/** `headers` come after those that the problem itself asks for. */
export function prometheusReply(error: ProblemError, headers: Reply['headers'] = []): Reply {
  const { code, message, extras } = error
  const isExecution = executionCodes.has(code)
  const { position } = extras
  const place = position === undefined ? '' : `${position.line}:${position.column}: `
  const document = { status: 'error', errorType: errorTypeOf(code), error: place + message }
  return {
    status: isExecution ? 422 : problems[code].status,
    contentType: 'application/json',
    body: JSON.stringify(document),
    headers: [...problemHeaders(error), ...headers],
  }
}

function errorTypeOf(code: ProblemCode): string {
  if (executionCodes.has(code)) return 'execution'
  if (code === 'query_timeout') return 'timeout'
  const { status } = problems[code]
  if (status === 404) return 'not_found'
  if (status === 429 || status === 503) return 'unavailable'
  return status >= 500 ? 'internal' : 'bad_data'
}
