/**
 * Errors as assistants read them: JSON-RPC's for what is no call at all, a tool's own for what a model can
 * mend.
 */

import { Type } from 'typebox'
import type { ProblemCode, ProblemError } from '../../../problems.ts'
import { jsonErrors } from '../../reply/error-form.ts'

/** JSON-RPC 2.0, section 5.1. */
const rpcCodes: Partial<Record<ProblemCode, number>> = {
  json_invalid: -32_700,
  json_too_deep: -32_700,
  utf8_invalid: -32_700,
  body_empty: -32_700,
}
const serverError = -32_000

const errorSchema = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Union([Type.Null(), Type.String(), Type.Number()]),
    error: Type.Object({
      code: Type.Integer({ description: "JSON-RPC's number for the kind of error." }),
      message: Type.String(),
      data: Type.Optional(
        Type.Unknown({ description: 'The stable `code`, where it is one of ours.' }),
      ),
    }),
  },
  { $id: 'JsonRpcError', description: "Why a request failed, in JSON-RPC's form." },
)

/** Before a request is known to be one. */
export const rpcErrors = jsonErrors({
  schema: errorSchema,
  documentOf: ({ code, message }) => ({
    jsonrpc: '2.0',
    id: null,
    error: { code: rpcCodes[code] ?? serverError, message, data: { code } },
  }),
})

/** What to do about it, where the words of the problem do not say. */
const remedies: Partial<Record<ProblemCode, string>> = {
  query_syntax:
    'mend the query there; resource logstrata://query-language has the language in short, list_fields the names',
  query_regex: 'expressions are RE2: no look-around, no back-references',
  query_too_large: 'ask for less at once: a narrower query or time range, or fewer labels in "by"',
  query_timeout: 'narrow the time range, or name a service in the query',
  queries_overloaded: 'wait a moment and call again',
  record_unknown:
    'ids come from the answers of search_logs; records are deleted when their retention is over',
  trace_unknown: 'ask by "traceId" where another record names one',
  dashboard_unknown: 'list_dashboards has the ids',
  dashboard_changed: 'read it with get_dashboard, make the change in that, and send its "version"',
  cursor_invalid: 'send "nextCursor" as it came, with the same other arguments',
}

/** What a model is told of a call that was refused. */
export function toolError(error: ProblemError, args: Readonly<Record<string, unknown>>): object {
  const { code, message, extras } = error
  const { field, position, members } = extras
  return {
    error: message.slice(0, 2_000),
    code,
    ...(field !== undefined && { field }),
    ...(position !== undefined && { position, near: placeIn(args[field ?? ''], position.offset) }),
    ...members,
    ...(remedies[code] !== undefined && { remedy: remedies[code] }),
  }
}

/** The text around an offset, with a mark there. */
function placeIn(text: unknown, offset: number): string | undefined {
  if (typeof text !== 'string') return undefined
  const before = text.slice(Math.max(0, offset - 40), offset)
  return `${before}⟨here⟩${text.slice(offset, offset + 40)}`
}
