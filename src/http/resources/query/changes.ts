/** What is special about the records of a time. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import type { ChangedValue, ChangesResult } from '../../../store/answer/pattern-answers.ts'
import type { DescribedRoute } from '../../route.ts'
import { patternSchema, scoreSchema } from '../../schemas/patterns.ts'
import { statsSchema, timestamp } from '../../schemas/records.ts'
import { schemaOf } from '../../schemas/schema-of.ts'
import type { QueryDependencies } from './bounds.ts'
import { readBucketWidth } from './bucket-width.ts'
import { exploringRoute } from './exploring.ts'
import { otherTime, patternsLimit, readOtherTime, truncatedSchema } from './patterns.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

const changedValueSchema = schemaOf<ChangedValue>()(
  Type.Object(
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
  ),
)

const changesAnswer = schemaOf<ChangesResult>()(
  Type.Object({
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
        'Fields with more than 1,000 values, or a value of its own for most records: not looked at.',
    }),
    truncated: truncatedSchema,
    stats: statsSchema,
  }),
)

export function changesRoute(dependencies: QueryDependencies): DescribedRoute {
  return exploringRoute(dependencies, {
    name: 'changes',
    id: 'queryChanges',
    tag: 'Exploring',
    summary: 'What is special about the records of a time',
    description:
      'Kinds of messages, and values of fields that have few, of which there is a greater share than in the time compared with.',
    fields: { limit: patternsLimit, compareWith: otherTime },
    meanings: {
      limit: `How many patterns, and how many values; ${limits.patternsListedDefault} when absent.`,
      compareWith: 'Another range; the same length before and after, together, when absent.',
    },
    sample: { limit: 5 },
    answer: ['Patterns and values, the most changed first.', changesAnswer],
    ask: (records, asked) => {
      const { limit = limits.patternsListedDefault } = asked
      const bucketMs = readBucketWidth(undefined, records, limits.patternBucketsMax)
      const compareWith = asked.compareWith && readOtherTime(asked.compareWith, asked, records)
      const changes = { ...records, limit, bucketMs, compareWith }
      return stop => dependencies.store.changes(changes, stop)
    },
  })
}
