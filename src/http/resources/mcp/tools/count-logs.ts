/** How many records match, or what an expression over them comes to; by group, or over time. */

import { Type } from 'typebox'
import type { Query, Selector } from '../../../../language/ast.ts'
import { parseAsked } from '../../../../language/grammar.ts'
import { limits } from '../../../../limits.ts'
import { ProblemError } from '../../../../problems.ts'
import { earlier, type TimeRange } from '../../../../record.ts'
import { valueOver } from '../../query/query-value.ts'
import { readRange, shownRange, shownTime } from '../asked-range.ts'
import { countBefore, readCursor } from '../cursor.ts'
import { fitList } from '../fit-list.ts'
import { linkTo } from '../page-links.ts'
import { cursorParameter, recordsParameters } from '../query-parameters.ts'
import { type ToolContext, tool } from '../tool.ts'

const bucketsMax = 200

export const countLogs = tool({
  name: 'count_logs',
  title: 'Count logs',
  description: `How many log records match, exactly, over any amount of data: cheaper than search_logs. With "by"
one count for each value of these fields, the largest first; with "buckets" counts over time by level. The query
may also be an expression, such as avg by (service.name) (logs | unwrap duration_ms),
quantile(0.95, logs | unwrap ms) or count(logs{log_level="error"}) / count(logs).`,
  parameters: {
    ...recordsParameters,
    by: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: limits.queryGroupLabelsMax,
        uniqueItems: true,
        description: 'a list of names of fields to group by, none twice; see list_fields',
      }),
    ),
    buckets: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: bucketsMax,
        description: `an integer between 1 and ${bucketsMax}: into how many equal parts the time range is cut`,
      }),
    ),
    ...cursorParameter,
  },
  async call(asked, context) {
    const { query: text, by, buckets } = asked
    const { now, budget, links } = context
    const cursor = readCursor(asked.cursor)
    const range = readRange(asked, now, cursor)
    const { query, interpretedAs } = parseAsked(text)
    const head = { ...(interpretedAs && { interpretedAs }), ...shownRange(range) }
    const open = linkTo(links.logs(text, range), budget)
    budget.take(head)
    const fitting = { budget, before: countBefore(cursor), range }
    if (buckets !== undefined) {
      const { given, ...more } = fitList(await overTime(query, range, buckets, context), fitting)
      return { ...head, buckets: given, ...more, open }
    }
    const { groups, ...numbers } = await counted(query, by, range, context)
    if (groups === undefined) return { ...numbers, ...head, open }
    const { given, ...more } = fitList(groups, fitting)
    return { ...numbers, groupCount: groups.length, ...head, groups: given, ...more, open }
  },
})

interface Counted {
  readonly count?: number
  readonly value?: number | string
  readonly valuesSkipped?: number
  readonly groups?: readonly object[]
}

async function counted(
  query: Query,
  by: readonly string[] | undefined,
  range: TimeRange,
  { store, run }: ToolContext,
): Promise<Counted> {
  const count = countOf(query)
  if (count === undefined) {
    if (by !== undefined) throw notOfSelector('by')
    const shown = await run(stop =>
      valueOver(store, query as never, { ...range, order: 'asc' }, stop),
    )
    const { valuesSkipped, ...value } = shown
    return { ...value, ...(valuesSkipped > 0 && { valuesSkipped }) }
  }
  const { selector, offsetMs } = count
  const times = earlier(range, offsetMs)
  const selection = { selector, by: by ?? count.by, ...times, limit: 0, order: 'asc' as const }
  const found = await run(stop => store.select({ ...selection, cursor: undefined }, stop))
  if (found.groups === undefined) return { count: found.count }
  // In an order of its own among equals, so that a cursor goes on where the last answer ended.
  const keyed = found.groups.map(group => ({ group, key: JSON.stringify(group.labels) }))
  keyed.sort((a, b) => b.group.count - a.group.count || (a.key < b.key ? -1 : 1))
  return { count: found.count, groups: keyed.map(({ group }) => group) }
}

/** What a query counts; undefined of an expression that does not only count. */
function countOf(
  query: Query,
): { selector: Selector; by: readonly string[]; offsetMs: number } | undefined {
  if (query.kind === 'selector') return { selector: query, by: [], offsetMs: 0 }
  return query.kind === 'aggregate' && query.operation === 'count' ? query : undefined
}

async function overTime(
  query: Query,
  range: TimeRange,
  buckets: number,
  { store, run }: ToolContext,
): Promise<object[]> {
  const count = countOf(query)
  if (count === undefined || count.by.length > 0) throw notOfSelector('buckets')
  const { selector, offsetMs } = count
  const bucketMs = Math.max(1, Math.ceil((range.endTime - range.startTime + 1) / buckets))
  const times = earlier(range, offsetMs)
  const histogram = await run(stop => store.histogram({ selector, ...times, bucketMs }, stop))
  return histogram.buckets
    .filter(bucket => bucket.count > 0)
    .map(({ start, count, levels }) => ({
      from: shownTime(Math.max(start, times.startTime) + offsetMs),
      count,
      levels,
    }))
}

function notOfSelector(field: string): ProblemError {
  const detail = `"${field}" needs a query that selects records, such as logs{log_level="error"}, and no expression`
  return new ProblemError('field_invalid', detail, { field })
}
