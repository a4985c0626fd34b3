/** Which kinds of messages there are, and which are more or fewer than at another time. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import { earlier, type TimeRange } from '../../../record.ts'
import { patternsSchema } from '../../../store/answer/pattern-answers.ts'
import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from './bounds.ts'
import { bucketWidth, bucketWidthMeaning, readBucketWidth } from './bucket-width.ts'
import { exploringRoute } from './exploring.ts'
import { integerBetween, recordsFields } from './records-request.ts'

export const patternsLimit = integerBetween(1, limits.patternsListedMax)

export const otherTime = Type.Optional(
  Type.Object(
    { startTime: recordsFields.startTime, endTime: recordsFields.endTime },
    { description: 'an object with "startTime" and "endTime"' },
  ),
)

export function patternsRoute(dependencies: QueryDependencies): DescribedRoute {
  return exploringRoute(dependencies, {
    name: 'patterns',
    id: 'queryPatterns',
    tag: 'Exploring',
    summary: 'Kinds of messages',
    description: `A pattern is what messages have in common, with \`<*>\` for what varies. Its id is made
of that text alone: the same on every day, in every answer, and \`logs{pattern="…"}\` asks for its records.
At most ${limits.patternBucketsMax} buckets.`,
    fields: { limit: patternsLimit, bucketMs: bucketWidth, compareWith: otherTime },
    meanings: {
      limit: `How many patterns; ${limits.patternsListedDefault} when absent.`,
      bucketMs: bucketWidthMeaning,
      compareWith:
        'Another range: each pattern has its `change` from there, and those that are gone are listed too.',
    },
    sample: { limit: 5, compareWith: { startTime: 0, endTime: 1 } },
    answer: ['Patterns with counts.', patternsSchema],
    ask: (records, asked) => {
      const { limit = limits.patternsListedDefault } = asked
      const bucketMs = readBucketWidth(asked.bucketMs, records, limits.patternBucketsMax)
      const compareWith = asked.compareWith && readOtherTime(asked.compareWith, asked, records)
      const patterns = { ...records, limit, bucketMs, compareWith }
      return stop => dependencies.store.patterns(patterns, stop)
    },
  })
}

/** The range compared with, moved as the query's own is from `asked` to `records`. */
export function readOtherTime(other: TimeRange, asked: TimeRange, records: TimeRange): TimeRange {
  const { startTime, endTime } = other
  if (startTime > endTime) {
    const detail = `"startTime" must not be after "endTime" ${endTime}, was ${startTime}`
    throw new ProblemError('field_invalid', detail, { field: 'compareWith' })
  }
  return earlier(other, asked.startTime - records.startTime)
}
