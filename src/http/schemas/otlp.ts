/** What senders of OTLP hear, in JSON; in protobuf it is the same messages. */

import { Type } from 'typebox'

export const exportAnswer = Type.Object({
  partialSuccess: Type.Optional(
    Type.Object(
      {
        rejectedLogRecords: Type.String({ description: 'How many were refused: an integer.' }),
        errorMessage: Type.String({ description: 'Why the first of them was.' }),
      },
      { description: 'There only when records were refused; sending them again is of no use.' },
    ),
  ),
})

/** As `resources/events/otlp-answers.ts` writes it. */
export const otlpStatusSchema = Type.Object(
  {
    code: Type.Integer({ description: 'Of google.rpc.Code.' }),
    message: Type.String({
      description: 'An [error code](#error-codes), and what was expected and what came.',
    }),
  },
  { description: 'Why a request failed: google.rpc.Status, as OTLP has it.' },
)
