/** Kinds of messages as the API gives them: what is asked, and what is answered. */

import { Type } from 'typebox'
import { limits } from '../../limits.ts'
import type { TimeRange } from '../../record.ts'
import { type Answer, count, timestamp } from '../../schema/answer.ts'
import type { RecordsRequest } from '../store.ts'
import { statsSchema } from './schemas.ts'

export interface PatternsRequest extends RecordsRequest {
  /** Width of a bucket in ms; buckets are aligned to the epoch. */
  readonly bucketMs: number
  /** Patterns listed at most. */
  readonly limit: number
  /** The records of another time, with which these are compared; the selector is the same. */
  readonly compareWith?: TimeRange | undefined
}

const counts = (description: string) => Type.Record(Type.String(), Type.Integer(), { description })

const scoreSchema = Type.Number({
  description: `How strongly the share differs, more of it above 0: the log-likelihood ratio G² (Dunning 1993)
with a sign. It compares shares, and weighs how many records there are.`,
})
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

const changeSchema = Type.Object(
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
)

export const patternSchema = Type.Object(
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
)

export type PatternAnswer = Answer<typeof patternSchema>

const truncatedSchema = Type.Optional(
  Type.Literal(true, {
    description: `There are more than ${limits.patternsMax} patterns: of rare ones counts are too low, or missing.`,
  }),
)

export const patternsSchema = Type.Object({
  count: Type.Integer({ minimum: 0, description: 'All matching records.' }),
  countBefore: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Those of `compareWith`, when that was asked for.' }),
  ),
  patternCount: Type.Integer({ minimum: 0, description: 'Distinct patterns of them.' }),
  bucketMs: Type.Integer({ description: 'Width of a bucket, milliseconds.' }),
  firstBucket: timestamp,
  truncated: truncatedSchema,
  patterns: Type.Array(patternSchema, {
    description: 'The most frequent first; with `compareWith`, the most changed.',
  }),
  stats: statsSchema,
})

export type PatternsResult = Answer<typeof patternsSchema>

/** `limit`: of patterns, and of values; compared with the same length before and after when absent. */
export type ChangesRequest = PatternsRequest

/** A value of a field that more of the records have than of those compared with. */
const changedValueSchema = Type.Object(
  {
    field: Type.String(),
    value: Type.String(),
    count: count('Matching records of the range that have it.'),
    share: share('Of all of the range.'),
    countBefore: count('Records compared with that have it.'),
    shareBefore: share('Of all of these.'),
    score: scoreSchema,
  },
  { $id: 'ChangedValue' },
)

export type ChangedValue = Answer<typeof changedValueSchema>

/** None of the ranges compared with has a record of the range itself, if it was not asked for. */
export const changesSchema = Type.Object({
  count: count('Matching records of the range.'),
  countBefore: count('Those that they are compared with.'),
  compareWith: Type.Array(Type.Object({ startTime: timestamp, endTime: timestamp }), {
    description: 'The ranges of these.',
  }),
  bucketMs: Type.Integer({ description: 'Width of a bucket of the patterns, milliseconds.' }),
  firstBucket: timestamp,
  patterns: Type.Array(patternSchema, {
    description: 'Those of which there is a greater share, the most changed first.',
  }),
  values: Type.Array(changedValueSchema, { description: 'The same of values of fields.' }),
  fieldsLeftOut: Type.Array(Type.String(), {
    description:
      'Fields with more than 1,000 values, or a value of its own for most records: not looked at. By name.',
  }),
  truncated: truncatedSchema,
  stats: statsSchema,
})

export type ChangesResult = Answer<typeof changesSchema>
