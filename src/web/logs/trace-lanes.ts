/** Where the records of a trace lie, as shares of its time: lanes of services, and stretches without any. */

import type { AnswerRecord, TraceResult } from '../api/records.ts'
import { fieldOf } from './record-fields.ts'

export interface LaneMark {
  /** Of the record among all. */
  readonly index: number
  /** 0…1 */
  readonly at: number
  readonly level: string
}

export interface Lane {
  readonly service: string
  readonly count: number
  readonly errors: number
  /** Its first and last record, 0…1. */
  readonly from: number
  readonly to: number
  readonly marks: readonly LaneMark[]
}

export interface Gap {
  readonly from: number
  readonly to: number
  readonly ms: number
}

/** Shorter ones are no gaps: shares of the whole time. */
const gapShareMin = 0.08

type Traced = Pick<TraceResult, 'services' | 'startTime' | 'endTime'>

export function lanesOf(trace: Traced, records: readonly AnswerRecord[]): Lane[] {
  const at = shareOf(trace)
  return trace.services.map(({ service, count, errors, firstAt, lastAt }) => ({
    service,
    count,
    errors,
    from: at(firstAt),
    to: at(lastAt),
    marks: records.flatMap((record, index) =>
      fieldOf(record, 'service.name') === service
        ? [{ index, at: at(record.timestamp), level: record.log_level }]
        : [],
    ),
  }))
}

/** @param times Of all records in order. */
export function gapsOf(trace: Traced, times: readonly number[]): Gap[] {
  const at = shareOf(trace)
  return times.slice(1).flatMap((time, index) => {
    const [from, to] = [at(times[index]!), at(time)]
    return to - from < gapShareMin ? [] : [{ from, to, ms: time - times[index]! }]
  })
}

/** A trace without length is in the middle. */
function shareOf({ startTime = 0, endTime = 0 }: Traced): (time: number) => number {
  const length = endTime - startTime
  return time => (length === 0 ? 0.5 : Math.min(1, Math.max(0, (time - startTime) / length)))
}
