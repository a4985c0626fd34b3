/**
 * One entry of a request to Loki's push API, whichever encoding it came in, as a record: the line is the
 * event; the labels of its stream and its own structured metadata are around it. `detected_level` is the
 * level where no `level` is.
 */

import type { LogRecord } from '../../record.ts'
import { recordOfEnvelope } from '../envelope.ts'
import { noTime, timeOfMoment } from '../event-time.ts'
import { type EventObject, findLevel } from '../level.ts'
import { timeOf } from '../otlp/any-value.ts'
import type { FormatContext } from './format.ts'

export interface LokiEntry {
  readonly line: string
  /** Nanoseconds since 1970; 0 stands for the time of receipt. */
  readonly time: bigint
  readonly labels: EventObject
  readonly metadata: EventObject
}

export function recordOfEntry(entry: LokiEntry, context: FormatContext): LogRecord {
  const { line, time, labels, metadata } = entry
  const moment = timeOf(time)
  const around = withLevel({ ...labels, ...metadata })
  const reading = moment === undefined ? noTime(context.receivedAt) : timeOfMoment(moment)
  return recordOfEnvelope({ event: line, around, time: reading }, context)
}

function withLevel(around: EventObject): EventObject {
  const { detected_level: detected, ...others } = around
  const isNeeded = typeof detected === 'string' && findLevel(around) === undefined
  return isNeeded ? { ...others, level: detected } : around
}
