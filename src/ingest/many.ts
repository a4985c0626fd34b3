/**
 * Many events of one body, made into batches for the journal. Runs in a thread of the ingest pool for
 * large bodies and on the main thread for small ones; the same either way.
 */
import { BatchWriter, type OwnBatch } from '../journal/batch-writer.ts'
import { batchBytesTarget } from '../journal/journal.ts'
import { limits } from '../limits.ts'
import { type Position, ProblemError } from '../problems.ts'
import type { Stream } from '../record.ts'
import type { DirectReader } from './direct/reader.ts'
import { directReaderFor } from './direct/readers.ts'
import { readOtlp } from './otlp/read-otlp.ts'
import { type DirectOutcome, type ManyContext, type Outcome, readMany } from './read-many.ts'

/** What a body is: events in JSON, or a request of OpenTelemetry's protocol in one of its encodings. */
export type ManyFormat = 'events' | 'otlp-json' | 'otlp-protobuf'

/** One event of the body that was not accepted; `index` counts the body's events from 0. */
export interface RejectedEvent {
  readonly index: number
  readonly code: string
  readonly detail: string
  /** The field at fault, and the place in the body, where they are known. */
  readonly field?: string
  readonly position?: Position
}

export interface EncodedMany {
  readonly batches: readonly OwnBatch[]
  readonly accepted: number
  readonly rejected: number
  /** Accepted with the time of receipt, because their own cannot be read. */
  readonly unreadableTimes: number
  /** The first rejected events. */
  readonly errors: readonly RejectedEvent[]
}

/** How a body is read, and whose its records are. */
export interface ManyReading {
  readonly format: ManyFormat
  readonly stream: Stream
  readonly context: ManyContext
}

/** One for all bodies of this thread: its columns keep their memory. */
const writer = new BatchWriter()

/**
 * The records of `body` in batches, each in memory of its own; undefined when they take more than
 * `encodedBytesMax` in all. `onBatch` is called after each batch. Throws ProblemError when nothing of
 * the body could be read at all.
 */
export function encodeMany(
  body: Buffer,
  { format, stream, context }: ManyReading,
  encodedBytesMax: number,
  onBatch?: () => void,
): EncodedMany | undefined {
  if (writer.recordCount > 0) writer.clear() // Of a body that was refused half-way.
  const batches: OwnBatch[] = []
  let encodedBytes = 0
  const closeBatch = () => {
    if (encodedBytes + writer.leastBytes > encodedBytesMax) return false // Not even made.
    const batch = writer.encodeOwn()
    batches.push(batch)
    encodedBytes += batch.payload.length
    onBatch?.()
    return encodedBytes <= encodedBytesMax
  }
  const errors: RejectedEvent[] = []
  let accepted = 0
  let rejected = 0
  let unreadableTimes = 0
  const onUnreadableTime = () => {
    unreadableTimes++
  }
  const direct = directReaderFor(context.timestampField, context.parse)
  for (const outcome of outcomesOf(body, {
    format,
    context: { ...context, onUnreadableTime },
    direct,
  })) {
    if (outcome.index >= limits.batchEventsMax) throw tooManyEvents()
    if (outcome.problem !== undefined) {
      rejected++
      if (errors.length < limits.ingestErrorsListedMax) {
        errors.push(rejectedEvent(outcome.index, outcome.problem))
      }
      continue
    }
    accepted++
    if (outcome.record !== undefined) writer.add(outcome.record, stream)
    else direct?.addTo(writer, stream, context.receivedAt)
    if (writer.approximateBytes >= batchBytesTarget && !closeBatch()) return letGo(batches)
  }
  if (writer.recordCount > 0 && !closeBatch()) return letGo(batches)
  return { batches, accepted, rejected, unreadableTimes, errors }
}

/** Releases the memory of batches. */
export function letGo(batches: readonly OwnBatch[]): undefined {
  for (const { payload } of batches) payload.buffer.transfer(0)
}

function outcomesOf(
  body: Buffer,
  { format, context, direct }: Omit<ManyReading, 'stream'> & { direct: DirectReader | undefined },
): Iterable<Outcome | DirectOutcome> {
  if (format === 'events') return readMany(body, context, direct)
  return readOtlp(body, format === 'otlp-json' ? 'json' : 'protobuf', context)
}

function rejectedEvent(index: number, problem: ProblemError): RejectedEvent {
  const { field, position } = problem.extras
  return {
    index,
    code: problem.code,
    detail: problem.message,
    ...(field !== undefined && { field }),
    ...(position !== undefined && { position }),
  }
}

function tooManyEvents(): ProblemError {
  return new ProblemError(
    'body_too_large',
    `a request may hold ${limits.batchEventsMax} events, this one holds more; nothing was stored`,
  )
}
