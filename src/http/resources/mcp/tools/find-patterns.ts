/** Which kinds of messages there are, and which became more or fewer. */

import { Type } from 'typebox'
import { limits } from '../../../../limits.ts'
import { roundBucketMs } from '../../../../query/collect/bucket-width.ts'
import { earlier } from '../../../../record.ts'
import { readRange, shownRange } from '../asked-range.ts'
import { readAsked } from '../asked-records.ts'
import { countBefore } from '../cursor.ts'
import { fitList } from '../fit-list.ts'
import { cursorParameter, limitParameter, recordsParameters } from '../query-parameters.ts'
import { shownPattern } from '../shown-pattern.ts'
import { tool } from '../tool.ts'

export const findPatterns = tool({
  name: 'find_patterns',
  title: 'Kinds of messages',
  description: `What kinds of messages the matching records are, counted exactly, however many they are: "payment <*>
timed out after <*> ms", its share, levels and services. The best first look at a noisy service. With "compareFrom" and
"compareTo" also what became of each since that time: new, gone, grown, shrunk. A query asks for the records of one as
logs{pattern="p1-…"}.`,
  parameters: {
    ...recordsParameters,
    compareFrom: Type.Optional(
      Type.Union([Type.String(), Type.Integer()], {
        description: 'the begin of a time to compare with, as "from"; with "compareTo"',
      }),
    ),
    compareTo: Type.Optional(
      Type.Union([Type.String(), Type.Integer()], {
        description: 'the end of the time to compare with; now when absent',
      }),
    ),
    ...limitParameter,
    ...cursorParameter,
  },
  async call(asked, context) {
    const { compareFrom, compareTo, limit } = asked
    const { cursor, range, selector, offsetMs, times, open } = readAsked(asked, context)
    const { store, run, now, budget } = context
    const other =
      compareFrom === undefined ? undefined : readRange({ from: compareFrom, to: compareTo }, now)
    const wanted = {
      ...{ selector, ...times, limit: limits.patternsListedMax },
      bucketMs: roundBucketMs(range.endTime - range.startTime),
      compareWith: other && earlier(other, offsetMs),
    }
    const found = await run(stop => store.patterns(wanted, stop))
    const { count, patternCount, patterns, truncated } = found
    const before = countBefore(cursor)
    const fitting = { budget, before, range, ...(limit !== undefined && { limit }) }
    const { given, ...more } = fitList(patterns.map(shownPattern), fitting)
    return {
      count,
      ...(found.countBefore !== undefined && { countBefore: found.countBefore }),
      patternCount,
      ...(truncated && { truncated: 'of rare patterns counts are too low: narrow the query' }),
      ...shownRange(range),
      patterns: given,
      ...more,
      open,
    }
  },
})
