/**
 * Many events of one body, made into batches for the journal. Runs in a thread of the ingest pool for
 * large bodies and on the main thread for small ones; the same either way.
 */
import { BatchWriter, type OwnBatch } from '../journal/batch-writer.ts'
import { batchBytesTarget } from '../journal/journal.ts'
import { limits } from '../limits.ts'
import { type Position, ProblemError } from '../problems.ts'
import type { Stream } from '../record.ts'
import { directReaderFor } from './direct/readers.ts'
import type { FormatContext } from './formats/format.ts'
import { type FormatName, formats } from './formats/formats.ts'

/** One event of the body that was not accepted; `index` counts the body's events from 0. */
export interface RejectedEvent {
  readonly index: number
  readonly code: string
  readonly detail: string
  /** The field at fault, and the place in the body, where they are known. */
  readonly field?: string
  readonly position?: Position
}

export interface EncodedEventBatch {
  readonly batches: readonly OwnBatch[]
  readonly accepted: number
  readonly rejected: number
  /** Accepted with the time of receipt, because their own cannot be read. */
  readonly unreadableTimes: number
  /** The first rejected events. */
  readonly errors: readonly RejectedEvent[]
  /** What the protocol answers for each event, in order and separated by commas; empty if it does not. */
  readonly answers: string
}

/** How a body is read, and whose its records are. */
export interface EventBatchReading {
  readonly format: FormatName
  readonly stream: Stream
  readonly context: FormatContext
}

/** One for all bodies of this thread: its columns keep their memory. */
const writer = new BatchWriter()

/**
 * The records of `body` in batches, each in memory of its own; undefined when they take more than
 * `encodedBytesMax` in all. `onBatch` is called after each batch, with its bytes. Throws ProblemError
 * when nothing of the body could be read at all.
 */
export function encodeEventBatch(
  body: Buffer,
  { format, stream, context }: EventBatchReading,
  encodedBytesMax: number,
  onBatch?: (batchBytes: number) => void,
): EncodedEventBatch | undefined {
  if (writer.recordCount > 0) writer.clear() // Of a body that was refused half-way.
  const batches: OwnBatch[] = []
  let encodedBytes = 0
  const closeBatch = () => {
    if (encodedBytes + writer.leastBytes > encodedBytesMax) return false // Not even made.
    const batch = writer.encodeOwn()
    batches.push(batch)
    encodedBytes += batch.payload.length
    onBatch?.(batch.payload.length)
    return encodedBytes <= encodedBytesMax
  }
  const errors: RejectedEvent[] = []
  let accepted = 0
  let rejected = 0
  let unreadableTimes = 0
  let answers = ''
  const onUnreadableTime = () => {
    unreadableTimes++
  }
  const direct = directReaderFor(context.timestampField, context.parse)
  for (const outcome of formats[format].read(body, { ...context, onUnreadableTime }, direct)) {
    if (outcome.index >= limits.batchEventsMax) throw tooManyEvents()
    if (outcome.answer !== undefined)
      answers += answers === '' ? outcome.answer : `,${outcome.answer}`
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
  return { batches, accepted, rejected, unreadableTimes, errors, answers }
}

/** Releases the memory of batches. */
export function letGo(batches: readonly OwnBatch[]): undefined {
  for (const { payload } of batches) payload.buffer.transfer(0)
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
