/** An error as most operations answer it: a problem document (RFC 9457). */

import { Type } from 'typebox'
import { type ProblemCode, problems } from '../../problems.ts'

/** As `Position` is. */
export const positionSchema = Type.Object(
  {
    line: Type.Integer({ minimum: 1 }),
    column: Type.Integer({ minimum: 1 }),
    offset: Type.Integer({ minimum: 0 }),
  },
  {
    $id: 'Position',
    description: 'A place in the text that was sent: line and column from 1, offset from 0.',
  },
)

const problemCodes = Object.keys(problems) as ProblemCode[]

export const problemSchema = Type.Object(
  {
    type: Type.String({ description: '`/problems/` and the code.' }),
    title: Type.String({ description: 'The same for every problem of this code.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What was expected and what came, for people.' }),
    code: Type.Enum(problemCodes, {
      description: 'Stable: decide by this. See the [error codes](#error-codes).',
    }),
    field: Type.Optional(
      Type.String({ description: 'The field, header or parameter at fault, as it was sent.' }),
    ),
    position: Type.Optional(positionSchema),
    expected: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of a syntax error: what could have stood there, most likely first.',
      }),
    ),
    rejected: Type.Optional(
      Type.Integer({ description: 'Of `events_unreadable`: how many events were refused.' }),
    ),
    firstCode: Type.Optional(
      Type.Enum(problemCodes, { description: 'Of `events_unreadable`: why the first one was.' }),
    ),
    found: Type.Optional(Type.String({ description: 'Of a syntax error: what did.' })),
    reasons: Type.Optional(
      Type.Array(Type.String(), { description: 'Of `not_ready`: all that is wrong.' }),
    ),
  },
  { $id: 'Problem', description: 'Why a request failed (RFC 9457).' },
)
