/**
 * The records around one record: of the same stream, in order of time and then of arrival.
 */

import { everyRecord, type Selector } from '../../language/ast.ts'
import type { ScanQuery } from '../../query/scan-task.ts'
import type { Order, RecordPlace } from '../../query/top-k.ts'
import { type Stream, streamLabels } from '../../record.ts'
import type { ContextRequest, ContextResult } from '../store.ts'
import { answerRecord } from './answers.ts'
import type { RunQuery } from './explore.ts'
import { recordById } from './record-by-id.ts'
import { addSelectStats } from './select-stats.ts'

/** Throws ProblemError `field_invalid` for what is no id, `record_unknown` when no record has it. */
export async function contextOf(request: ContextRequest, run: RunQuery): Promise<ContextResult> {
  const { record, place, stats: found } = await recordById(request.id, run)
  let stats = found
  const neighbours = async (order: Order, limit: number) => {
    if (limit === 0) return []
    const next = await run(behind(place, order, limit, record.stream), () => undefined)
    stats = addSelectStats(stats, next.stats)
    return next.result.records.map(answerRecord)
  }
  const before = await neighbours('desc', request.before)
  const after = await neighbours('asc', request.after)
  return { before: before.reverse(), record: answerRecord(record), after, stats }
}

type PlaceQuery = Omit<ScanQuery, 'collector'>

/** The first records of a stream after a place, in either direction of time. */
function behind(place: RecordPlace, order: Order, limit: number, stream: Stream): PlaceQuery {
  const isAscending = order === 'asc'
  return {
    selector: streamSelector(stream),
    startTime: isAscending ? place.timestamp : Number.NEGATIVE_INFINITY,
    endTime: isAscending ? Number.POSITIVE_INFINITY : place.timestamp,
    limit,
    order,
    after: place,
  }
}

function streamSelector({ service, environment }: Stream): Selector {
  const equals = (label: string, value: string) => ({ label, operator: '=' as const, value })
  const matchers = [
    equals(streamLabels.service, service),
    equals(streamLabels.environment, environment),
  ]
  return { ...everyRecord, matchers }
}
