/**
 * A body that is refused because of others, or of a full disk, as a protocol says it that tells of each
 * event: clients of Elasticsearch send again what has status 429 in its item, and give up when the answer
 * as a whole has, or soon after a 503.
 */

import { mayPass, ProblemError } from '../problems.ts'
import type { EncodedEventBatch, EventBatchReading } from './event-batch.ts'
import { type FormatName, formats } from './formats/formats.ts'

/** A body of more is refused as a whole: to look for its events takes too long. */
const bytesMax = 8 * 1024 * 1024

/** What a protocol answers, and of how many events. */
export interface EachAnswer {
  readonly answers: string
  readonly count: number
}

export class EachRefused extends Error {
  readonly problem: ProblemError
  readonly each: EachAnswer

  constructor(problem: ProblemError, each: EachAnswer) {
    super(problem.message)
    this.problem = problem
    this.each = each
  }
}

/** What to throw instead of `error`, which a body was refused with before it was read. */
export function tellingEachUnread(
  error: unknown,
  { format, context }: EventBatchReading,
  body: Buffer,
): unknown {
  const { refuseEach } = formats[format]
  if (refuseEach === undefined || body.length > bytesMax) return error
  return tellingEach(error, why => refuseEach.ofBody(body, context, why))
}

/** The same of events that were read, and not stored. */
export function tellingEachRead(
  error: unknown,
  format: FormatName,
  { answers, eventCount: count }: EncodedEventBatch,
): unknown {
  const { refuseEach } = formats[format]
  if (refuseEach === undefined) return error
  return tellingEach(error, why => ({ answers: refuseEach.ofAnswers(answers, why), count }))
}

/** Anything else is for the request as a whole. */
function tellingEach(error: unknown, tell: (why: ProblemError) => EachAnswer): unknown {
  if (!mayPass(error)) return error
  try {
    return new EachRefused(error, tell(error))
  } catch (other) {
    if (other instanceof ProblemError) return error // As a whole, then.
    throw other
  }
}
