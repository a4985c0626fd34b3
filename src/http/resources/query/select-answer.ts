/** The answer to a query for records: the records, their number, and the value of an expression. */

import { Type } from 'typebox'
import type { AnswerGroup, SelectResult } from '../../../store/store.ts'
import { recordSchema, statsSchema } from '../../schemas/records.ts'
import { schemaOf } from '../../schemas/schema-of.ts'
import type { ShownGroup, ShownNumber, ShownValue } from './query-value.ts'
import { notesFields } from './request-notes.ts'

const labels = Type.Record(Type.String(), Type.String(), {
  description: 'The values of the labels that the query groups by.',
})

/** JSON has no infinities: they are written as Prometheus writes them. */
const shownNumber = schemaOf<ShownNumber>()(
  Type.Union([Type.Number(), Type.Enum(['+Inf', '-Inf', 'NaN'])], {
    description: 'A number, or, where JSON has none for it, a text.',
  }),
)

const countGroupSchema = schemaOf<AnswerGroup>()(
  Type.Object(
    { labels, count: Type.Integer({ minimum: 0 }) },
    { $id: 'CountGroup', description: 'One group of a `count`.' },
  ),
)

const valueGroupSchema = schemaOf<ShownGroup>()(
  Type.Object(
    { labels, value: shownNumber },
    { $id: 'ValueGroup', description: 'One group of another expression.' },
  ),
)

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

schemaOf<{ logs: SelectResult['records'] } & Omit<SelectResult, 'records' | 'groups'>>()(
  Type.Object(selectFields),
)
schemaOf<Omit<Partial<ShownValue>, 'groups'>>()(Type.Object(valueFields))

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
