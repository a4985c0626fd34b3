/**
 * Errors in the form of Loki's HTTP API, for the operations that speak it: Grafana shows `message`, and
 * logcli the whole.
 */

import { Type } from 'typebox'
import { placeInWords } from '../../../language/position.ts'
import { type ProblemCode, type ProblemError, problems } from '../../../problems.ts'
import type { ErrorForm } from '../../reply/error-form.ts'
import { problemHeaders, type Reply } from '../../reply/reply.ts'

/** Statuses for which Loki has others than we: its clients wait and try again after a 429. */
const lokiStatuses: Partial<Record<ProblemCode, number>> = {
  queries_overloaded: 429,
  tails_too_many: 429,
  query_timeout: 504,
}

/** `headers` come after those that the problem itself asks for. */
export function lokiErrorReply(error: ProblemError, headers: Reply['headers'] = []): Reply {
  const status = statusOf(error)
  return {
    status,
    contentType: 'application/json',
    body: JSON.stringify({ code: status, status: 'error', message: messageOf(error) }),
    headers: [...problemHeaders(error), ...headers],
  }
}

/** A place in the query as Loki says it, which editors look for. */
function messageOf({ message, extras: { position } }: ProblemError): string {
  if (position === undefined) return message
  const text = message.replace(` at ${placeInWords(position)}`, '')
  return `parse error at line ${position.line}, col ${position.column}: ${text}`
}

function statusOf({ code }: ProblemError): number {
  return lokiStatuses[code] ?? problems[code].status
}

const errorSchema = Type.Object(
  {
    code: Type.Integer({ description: 'The status.' }),
    status: Type.Literal('error'),
    message: Type.String({ description: 'What was expected and what came, for people.' }),
  },
  { $id: 'LokiError', description: "Why a request failed, in Loki's form." },
)

/** Of every route of Loki's API, also before the handler. */
export const lokiErrors: ErrorForm = {
  replyTo: () => lokiErrorReply,
  statusOf,
  contents: { 'application/json': { schema: errorSchema } },
}
