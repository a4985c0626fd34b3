/**
 * An OTLP request (ExportLogsServiceRequest) to log records, one by one.
 *
 * A record that cannot be read, or is over a limit, is refused alone. A body that is torn or is
 * not of the encoding outside of its records is refused as a whole: nobody knows what the rest
 * would have been. So is one with a resource or scope, or a name, larger than an event may be.
 */

import { orProblem, ProblemError } from '../../problems.ts'
import { type OneEvent, outcomesOf } from '../formats/each-event.ts'
import type { DirectOutcome, EventBatchContext, Outcome } from '../read-event-batch.ts'
import { JsonDecoder } from './json.ts'
import {
  type Origin,
  type OtlpLogRecord,
  recordOf,
  type SharedAttributes,
  shareAttributes,
} from './log-record.ts'
import { ProtobufDecoder } from './protobuf.ts'

export type OtlpEncoding = 'json' | 'protobuf'

/** Where a record is in the body. */
export interface FoundRecord {
  /** The same object for all records of a scope, which come one after the other. */
  readonly origin: Origin
  readonly start: number
  readonly end: number
}

export interface OtlpDecoder {
  /** Throws a ProblemError for a mistake outside of the records. */
  records(): Generator<FoundRecord, void>
  /** Reads the record that `records` gave last. Throws a ProblemError. */
  read(found: FoundRecord): OtlpLogRecord
}

type OtlpContext = Pick<EventBatchContext, 'receivedAt' | 'eventBytesMax'>

const decoders = { json: JsonDecoder, protobuf: ProtobufDecoder } as const

/**
 * Reads `body`, which must not change until the last outcome is taken.
 *
 * Throws as `records` does, and `events_unreadable` after the last outcome when there were
 * problems only.
 */
export function readOtlp(
  body: Buffer,
  encoding: OtlpEncoding,
  context: OtlpContext,
): Iterable<Outcome | DirectOutcome> {
  return outcomesOf(recordsOf(new decoders[encoding](body, context.eventBytesMax), context))
}

function* recordsOf(decoder: OtlpDecoder, context: OtlpContext): Generator<OneEvent, void> {
  let origin: Origin | undefined
  let shared: SharedAttributes | ProblemError | undefined
  for (const found of decoder.records()) {
    if (found.origin !== origin) {
      origin = found.origin
      shared = orProblem(() => shareAttributes(found.origin))
    }
    yield () => {
      if (shared instanceof ProblemError) throw shared
      requireSize(found, context)
      return recordOf(decoder.read(found), shared!, context.receivedAt)
    }
  }
}

/** That a resource or scope is refused, and the request with it: each of its records would have it. */
export function sharedTooLarge(bytesMax: number): ProblemError {
  const detail = `expected a resource, or a scope, of at most ${bytesMax} bytes`
  return new ProblemError('body_too_large', detail)
}

function requireSize({ start, end }: FoundRecord, { eventBytesMax }: OtlpContext): void {
  if (end - start > eventBytesMax) {
    const detail = `expected a log record of at most ${eventBytesMax} bytes, was ${end - start}`
    throw new ProblemError('body_too_large', detail)
  }
}
