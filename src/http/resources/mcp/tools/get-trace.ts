/** The records of one trace, from all services. */

import { Type } from 'typebox'
import { printQuery } from '../../../../language/print.ts'
import { limits } from '../../../../limits.ts'
import { selectorOfTrace } from '../../../../store/answer/trace.ts'
import type { TraceResult } from '../../../../store/store.ts'
import { bareTraceId, traceIdNames } from '../../../../trace-ids.ts'
import { traceAsked } from '../../query/trace.ts'
import { rangeParameters, readOpenRange, shownTime } from '../asked-range.ts'
import { readCursor } from '../cursor.ts'
import { cutText } from '../cut.ts'
import { fitList } from '../fit-list.ts'
import { linkTo } from '../page-links.ts'
import { cursorParameter, limitParameter } from '../query-parameters.ts'
import { fitRecords } from '../shown-records.ts'
import { tool } from '../tool.ts'

export const getTrace = tool({
  name: 'get_trace',
  title: 'Records of a trace',
  description: `All records of one request on its way through the services, in order of time, with what each service
had to do with it. Asked for by a trace id (under whatever name loggers have it), or by the "id" of one of its records.`,
  parameters: {
    traceId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.traceIdLengthMax,
        description: `a text of 1 to ${limits.traceIdLengthMax} characters: the trace's id`,
      }),
    ),
    id: Type.Optional(Type.String({ description: 'the "id" of a record in an answer' })),
    ...rangeParameters,
    ...limitParameter,
    ...cursorParameter,
  },
  async call(asked, { store, run, now, budget, links }) {
    const { limit = limits.queryLimitMax } = asked
    const cursor = readCursor(asked.cursor)
    const range = readOpenRange(asked, now)
    const wanted = { of: traceAsked(asked), ...range, limit, cursor: cursor?.next }
    const trace = await run(stop => store.trace(wanted, stop))
    const { traceId, count, services, startTime, endTime } = trace
    if (startTime === undefined || endTime === undefined) {
      return { traceId, count, hint: 'no record names this trace; is the id whole?' }
    }
    const times = { startTime, endTime }
    const open = linkTo(links.logs(queryOf(trace), times), budget)
    const shownId = cutText(traceId, idLengthMax)
    budget.take(shownId)
    const lanes = services.map(({ firstAt, lastAt, ...service }) => ({
      ...service,
      firstAt: shownTime(firstAt),
      lastAt: shownTime(lastAt),
    }))
    const shown = fitList(lanes, { budget: budget.part(1 / 3), before: 0, limit: servicesMax })
    const servicesLeftOut = lanes.length - shown.given.length
    const page = {
      records: trace.records,
      hasMore: trace.truncated === true,
      order: 'asc',
    } as const
    return {
      traceId: shownId,
      count,
      from: shownTime(startTime),
      to: shownTime(endTime),
      services: shown.given,
      ...(servicesLeftOut > 0 && { servicesLeftOut }),
      ...fitRecords(page, budget),
      open,
    }
  },
})

/** No logger's ids are longer. */
const idLengthMax = 100
/** More lanes than this tell a model nothing. */
const servicesMax = 20

/** Finds the trace under the names that its records have for it, so that the text is short. */
function queryOf({ traceId, records }: TraceResult): string {
  const names = traceIdNames.filter(name =>
    records.some(({ attributes }) => bareTraceId(attributes[name] ?? '') === traceId),
  )
  return printQuery(selectorOfTrace(traceId, names))
}
