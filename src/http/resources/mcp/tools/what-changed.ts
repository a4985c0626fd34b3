/** What is special about the records of a time. */

import { limits } from '../../../../limits.ts'
import { roundBucketMs } from '../../../../query/collect/bucket-width.ts'
import type { ChangedValue } from '../../../../store/answer/pattern-answers.ts'
import { shownRange } from '../asked-range.ts'
import { readAsked } from '../asked-records.ts'
import { countsBefore, printCursor } from '../cursor.ts'
import { fitList } from '../fit-list.ts'
import { cursorParameter, recordsParameters } from '../query-parameters.ts'
import { rounded, shownPattern } from '../shown-pattern.ts'
import { tool } from '../tool.ts'

export const whatChanged = tool({
  name: 'what_changed',
  title: 'What changed',
  description: `What is special about a time in which something went wrong: kinds of messages, and values of fields, of
which there is a greater share than in as much time before and after, the most striking first. First find the time by
count_logs with "buckets"; then ask with its "from" and "to".`,
  parameters: { ...recordsParameters, ...cursorParameter },
  async call(asked, context) {
    const { cursor, range, selector, times, open } = readAsked(asked, context)
    const { store, run, budget } = context
    const [patternsBefore = 0, valuesBefore = 0] = countsBefore(cursor, 2)
    const bucketMs = roundBucketMs(range.endTime - range.startTime)
    const wanted = { selector, ...times, bucketMs, limit: limits.patternsListedDefault }
    const found = await run(stop => store.changes(wanted, stop))
    const isOneLeft = patternsBefore >= found.patterns.length || valuesBefore >= found.values.length
    const ofPatterns = patternsBefore >= found.patterns.length ? 0 : isOneLeft ? 1 : 1 / 2
    const patterns = fitList(found.patterns.map(shownPattern), {
      budget: budget.part(ofPatterns),
      before: patternsBefore,
    }).given
    const values = fitList(found.values.map(shownValue), { budget, before: valuesBefore }).given
    const given = [patternsBefore + patterns.length, valuesBefore + values.length] as const
    const patternsLeftOut = Math.max(0, found.patterns.length - given[0])
    const valuesLeftOut = Math.max(0, found.values.length - given[1])
    const nextCursor = printCursor({ range, next: given.join('.') })
    return {
      count: found.count,
      countBefore: found.countBefore,
      ...shownRange(range),
      comparedWith: found.compareWith.map(shownRange),
      patterns,
      values,
      patternsLeftOut,
      valuesLeftOut,
      ...(patternsLeftOut + valuesLeftOut > 0 && { nextCursor }),
      open,
    }
  },
})

function shownValue({ share, shareBefore, score, ...value }: ChangedValue) {
  return {
    ...value,
    share: rounded(share),
    shareBefore: rounded(shareBefore),
    score: rounded(score),
  }
}
