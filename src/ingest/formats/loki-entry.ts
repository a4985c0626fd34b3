/**
 * One entry of a request to Loki's push API, whichever encoding it came in, as a record: the line is the
 * event; the labels of its stream and its own structured metadata are around it. `detected_level` is the
 * level where no `level` is.
 */

import type { LogRecord } from '../../record.ts'
import { recordOfEnvelope } from '../envelope.ts'
import { noTime, timeOfMoment } from '../event-time.ts'
import { findLevel } from '../level.ts'
import type { Moment } from '../moment.ts'
import { type Fields, newFields } from '../otlp/any-value.ts'
import type { FormatContext } from './format.ts'

export interface LokiEntry {
  readonly line: string
  /** Undefined stands for the time of receipt. */
  readonly time: Moment | undefined
  /** The labels of its stream, and over them its structured metadata. Is changed. */
  readonly around: Fields
}

export function recordOfEntry(entry: LokiEntry, context: FormatContext): LogRecord {
  const { line, time, around } = entry
  const detected = around.detected_level
  if (typeof detected === 'string' && findLevel(around) === undefined) {
    delete around.detected_level
    around.level = detected
  }
  const reading = time === undefined ? noTime(context.receivedAt) : timeOfMoment(time)
  return recordOfEnvelope({ event: line, around, time: reading }, context)
}

/** The labels of a stream, to which an entry may add its own. */
export function aroundOf(labels: Readonly<Fields>): Fields {
  const around = newFields()
  for (const name in labels) around[name] = labels[name]
  return around
}
