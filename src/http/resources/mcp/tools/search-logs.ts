/** Records that match a query. */

import { Type } from 'typebox'
import { limits } from '../../../../limits.ts'
import { shownRange } from '../asked-range.ts'
import { readAsked } from '../asked-records.ts'
import { cursorParameter, limitParameter, recordsParameters } from '../query-parameters.ts'
import { fitRecords } from '../shown-records.ts'
import { tool } from '../tool.ts'

export const searchLogs = tool({
  name: 'search_logs',
  title: 'Search logs',
  description: `Log records that match a query, with the exact count of all that match. Call list_fields first:
names of fields differ from service to service, and a wrong one finds nothing. Prefer count_logs for
"how many", and find_patterns for "what kinds of". Long values are cut; log_context shows one record whole.`,
  parameters: {
    ...recordsParameters,
    order: Type.Optional(
      Type.Enum(['desc', 'asc'], {
        description: 'one of "desc" (latest first, when absent) and "asc" (earliest first)',
      }),
    ),
    ...limitParameter,
    ...cursorParameter,
  },
  async call(asked, context) {
    const { order = 'desc', limit = limits.queryLimitMax } = asked
    const { cursor, range, selector, times, open, interpretedAs } = readAsked(asked, context)
    const { store, run, budget } = context
    const head = { ...(interpretedAs && { interpretedAs }), ...shownRange(range) }
    budget.take(head)
    // A record is seldom shorter than this as JSON: more are not asked for than can be shown.
    const most = Math.min(limit, Math.ceil(budget.leftBytes / recordBytesMin))
    const selection = { selector, ...times, order, limit: most, cursor: cursor?.next }
    const { count, records, nextCursor } = await run(stop => store.select(selection, stop))
    const page = { records, hasMore: nextCursor !== undefined, order, range }
    return { count, ...head, ...fitRecords(page, budget), open }
  },
})

const recordBytesMin = 130
