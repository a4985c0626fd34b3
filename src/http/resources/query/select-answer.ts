/** The answer to a query for records: the records, their number, and the value of an expression. */

import { Type } from 'typebox'
import type { Answer } from '../../../schema/answer.ts'
import {
  countGroupSchema,
  labels,
  recordSchema,
  statsSchema,
} from '../../../store/answer/schemas.ts'
import { notesFields } from './request-notes.ts'

/** JSON has no infinities: they are written as Prometheus writes them. */
const shownNumber = Type.Union([Type.Number(), Type.Enum(['+Inf', '-Inf', 'NaN'])], {
  description: 'A number, or, where JSON has none for it, a text.',
})

export type ShownNumber = Answer<typeof shownNumber>

const valueGroupSchema = Type.Object(
  { labels, value: shownNumber },
  { $id: 'ValueGroup', description: 'One group of another expression.' },
)

export type ShownGroup = Answer<typeof valueGroupSchema>

const selectFields = {
  count: Type.Integer({
    minimum: 0,
    description: 'All matching records, whatever `limit` is. Exact.',
  }),
  logs: Type.Array(recordSchema, {
    description:
      'The earliest (or with `"order":"desc"` the latest) of them, ties in order of arrival.',
  }),
  nextCursor: Type.Optional(
    Type.String({ description: 'When more match: send it as `cursor` for the next page.' }),
  ),
  stats: statsSchema,
}

const valueFields = {
  value: Type.Optional(shownNumber),
  valuesSkipped: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Records whose value was no number, where the query asks for numbers.',
    }),
  ),
}

export const selectAnswer = Type.Object(
  {
    ...selectFields,
    ...valueFields,
    ...notesFields,
    groups: Type.Optional(
      Type.Array(Type.Union([countGroupSchema, valueGroupSchema]), {
        description:
          'Of a query that groups: largest first, or, under `topk` and `bottomk`, best first.',
      }),
    ),
  },
  { $id: 'QueryAnswer' },
)
