/**
 * Errors in the form of Loki's HTTP API, for the operations that speak it: Grafana shows `message`, and
 * logcli the whole.
 */

import { Type } from 'typebox'
import { placeInWords } from '../../../language/position.ts'
import type { ProblemCode, ProblemError } from '../../../problems.ts'
import { jsonErrors } from '../../reply/error-form.ts'

/** Statuses for which Loki has others than we: its clients wait and try again after a 429. */
const lokiStatuses: Partial<Record<ProblemCode, number>> = {
  queries_overloaded: 429,
  tails_too_many: 429,
  query_timeout: 504,
}

/** A place in the query as Loki says it, which editors look for. */
function messageOf({ message, extras: { position } }: ProblemError): string {
  if (position === undefined) return message
  const text = message.replace(` at ${placeInWords(position)}`, '')
  return `parse error at line ${position.line}, col ${position.column}: ${text}`
}

function statusOf({ code, status }: ProblemError): number {
  return lokiStatuses[code] ?? status
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
export const lokiErrors = jsonErrors({
  schema: errorSchema,
  statusOf,
  documentOf: error => ({ code: statusOf(error), status: 'error', message: messageOf(error) }),
})
