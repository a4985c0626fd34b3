/** The records of one trace, from all services, in order of time; and what each service had to do with it. */

import type { Conditions, Matcher, Selector } from '../../language/ast.ts'
import { quoted } from '../../match/condition.ts'
import { ProblemError } from '../../problems.ts'
import { type ServiceSpan, Services } from '../../query/collect/services.ts'
import { bareTraceId, traceIdIn, traceIdNames, traceIdPrefix } from '../../trace-ids.ts'
import type { SelectStats, TraceRequest, TraceResult } from '../store.ts'
import { answerRecord } from './answers.ts'
import type { RunQuery } from './explore.ts'
import { decodeCursor, encodeCursor } from './place-text.ts'
import { recordById } from './record-by-id.ts'
import { addSelectStats } from './select-stats.ts'

/**
 * Throws ProblemError `field_invalid` for what is no id of a record, `record_unknown`, `trace_unknown` when
 * that record belongs to no trace, `cursor_invalid`.
 */
export async function traceOf(request: TraceRequest, run: RunQuery): Promise<TraceResult> {
  const { startTime = Number.NEGATIVE_INFINITY, endTime = Number.POSITIVE_INFINITY } = request
  const { limit, cursor } = request
  const after = cursor === undefined ? undefined : decodeCursor(cursor, 'asc')
  const { traceId, found } = await traceIdOf(request.of, run)
  const query = {
    ...{ selector: selectorOfTrace(traceId), startTime, endTime, limit, after },
    order: 'asc' as const,
  }
  const { result, collector, stats } = await run(query, () => new Services())
  const services = collector.toPlain().sort(byBegin)
  const last = result.records.at(-1)
  return {
    traceId,
    count: result.count,
    ...(services.length > 0 && {
      startTime: services[0]!.firstAt,
      endTime: Math.max(...services.map(({ lastAt }) => lastAt)),
    }),
    records: result.records.map(answerRecord),
    services,
    ...(result.hasMore && last && { truncated: true, nextCursor: encodeCursor(last, 'asc') }),
    stats: found === undefined ? stats : addSelectStats(found, stats),
  }
}

async function traceIdOf(
  of: TraceRequest['of'],
  run: RunQuery,
): Promise<{ traceId: string; found?: SelectStats }> {
  if ('traceId' in of) return { traceId: bareTraceId(of.traceId) }
  const { record, stats } = await recordById(of.recordId, run)
  const { traceId } = traceIdIn(answerRecord(record).attributes) ?? {}
  if (traceId === undefined) {
    const detail = 'the record has no attribute that names a trace, such as "trace_id"'
    throw new ProblemError('trace_unknown', detail, { field: 'id' })
  }
  return { traceId, found: stats }
}

/**
 * All records that have the id under one of the names. Each name is an alternative of its own: a block
 * without the attribute, or whose token filter has no such word, is left out unopened.
 */
export function selectorOfTrace(
  traceId: string,
  names: readonly string[] = traceIdNames,
): Selector {
  const [first, ...others] = names.map((name): Conditions => {
    const matcher: Matcher = name.startsWith('logging.googleapis.com/')
      ? { label: name, operator: '=~', value: `(?:${traceIdPrefix})?${quoted(traceId)}` }
      : { label: name, operator: '=', value: traceId }
    return { matchers: [matcher], filters: [] }
  })
  return { kind: 'selector', ...first!, ...(others.length > 0 && { alternatives: others }) }
}

/** In order of their first records, so that lanes go down as the trace went on. */
function byBegin(a: ServiceSpan, b: ServiceSpan): number {
  return a.firstAt - b.firstAt || (a.service < b.service ? -1 : 1)
}
