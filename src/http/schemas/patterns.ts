/** Kinds of messages, as several answers have them. */

import { Type } from 'typebox'
import type { Change } from '../../query/compare/change.ts'
import type { PatternAnswer } from '../../store/answer/pattern-answers.ts'
import { timestamp } from './records.ts'
import { schemaOf } from './schema-of.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const counts = (description: string) => Type.Record(Type.String(), Type.Integer(), { description })

export const scoreSchema = Type.Number({
  description: `How strongly the share differs, more of it above 0: the log-likelihood ratio G² (Dunning 1993)
with a sign. It compares shares, and weighs how many records there are.`,
})

const changeSchema = schemaOf<Change>()(
  Type.Object(
    {
      kind: Type.Union(
        [
          Type.Literal('new'),
          Type.Literal('gone'),
          Type.Literal('grown'),
          Type.Literal('shrunk'),
          Type.Literal('same'),
        ],
        {
          description:
            '`grown` and `shrunk`: the share differs by a quarter or more, and not by chance (p < 0.001).',
        },
      ),
      countBefore: count('Records of it in the range compared with.'),
      score: scoreSchema,
    },
    { $id: 'Change', description: 'What became of something since another time.' },
  ),
)

export const patternSchema = schemaOf<PatternAnswer>()(
  Type.Object(
    {
      pattern: Type.String({ description: 'Its id: the same for the same text, always.' }),
      text: Type.String({ description: 'A message with `<*>` for each thing that varies.' }),
      count: count('Matching records.'),
      share: Type.Number({ description: 'Of all matching records, 0 to 1.' }),
      levels: counts('Counts by `log_level`; only levels that occur.'),
      services: counts('Counts by `service.name`: the 20 with the most records.'),
      firstSeen: timestamp,
      lastSeen: timestamp,
      buckets: Type.Array(Type.Integer(), {
        description: 'Counts of all buckets of the range in order, the first at `firstBucket`.',
      }),
      variables: Type.Array(
        Type.Object({ samples: Type.Array(Type.String()) }, { description: 'Some of its values.' }),
        { description: 'One for each `<*>` of the text, in order.' },
      ),
      change: Type.Optional(changeSchema),
    },
    { $id: 'Pattern', description: 'A kind of messages.' },
  ),
)
