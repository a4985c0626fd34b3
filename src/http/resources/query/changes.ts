/** What is special about the records of a time. */

import { limits } from '../../../limits.ts'
import { changesSchema } from '../../../store/answer/pattern-answers.ts'
import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from './bounds.ts'
import { readBucketWidth } from './bucket-width.ts'
import { exploringRoute } from './exploring.ts'
import { otherTime, patternsLimit, readOtherTime } from './patterns.ts'

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
    answer: ['Patterns and values, the most changed first.', changesSchema],
    ask: (records, asked) => {
      const { limit = limits.patternsListedDefault } = asked
      const bucketMs = readBucketWidth(undefined, records, limits.patternBucketsMax)
      const compareWith = asked.compareWith && readOtherTime(asked.compareWith, asked, records)
      const changes = { ...records, limit, bucketMs, compareWith }
      return stop => dependencies.store.changes(changes, stop)
    },
  })
}
