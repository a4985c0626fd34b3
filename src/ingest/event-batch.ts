/**
 * Many events of one body, made into batches for the journal. Runs in a thread of the ingest pool for
 * large bodies and on the main thread for small ones; the same either way.
 */
import { BatchWriter, type OwnBatch } from '../journal/batch-writer.ts'
import { batchBytesTarget } from '../journal/journal.ts'
import { limits } from '../limits.ts'
import { type Position, ProblemError } from '../problems.ts'
import type { Stream } from '../record.ts'
import type { EventRange } from '../store/receipts/event-ranges.ts'
import { directReaderFor } from './direct/readers.ts'
import type { FormatContext } from './formats/format.ts'
import { type FormatName, formats } from './formats/formats.ts'
import { ItemAnswers } from './item-answers.ts'
import { IdentifiedEvents, type IdentifyOptions } from './retries/identified-events.ts'

/** One event of the body that was not accepted; `index` counts the body's events from 0. */
export interface RejectedEvent {
  readonly index: number
  readonly code: string
  readonly detail: string
  /** The field at fault, and the place in the body, where they are known. */
  readonly field?: string
  readonly position?: Position
}

/** A part of the events of a body. */
export interface EventsBatch extends OwnBatch {
  /** How many of the body's events, and bytes of their keys, end with it. */
  readonly eventsEnd: number
  readonly keysEnd: number
}

export interface EncodedEventBatch {
  readonly batches: readonly EventsBatch[]
  /** Events of the body, of which `accepted` can be read. */
  readonly eventCount: number
  readonly accepted: number
  /** Of the accepted, those that were stored before, and are in no batch. */
  readonly repeated: number
  /** Of the events in the batches that have keys of their own (`journal/receipts.ts`). */
  readonly eventKeys: Uint8Array<ArrayBuffer>
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
  /** How keys of events are made and what is known of them; absent: none is remembered. */
  readonly identify?: IdentifyOptions | undefined
  /** Events that are stored already, of a request that was cut off. */
  readonly stored?: readonly EventRange[] | undefined
}

/**
 * Whether a body may be read once more after this: when some of its events have keys, by which they may be
 * stored already, and, with the fourfold of room, when it takes more than there was (undefined).
 */
export function mayBeReadAgain(
  encoded: Pick<EncodedEventBatch, 'eventKeys'> | undefined,
  { identify }: EventBatchReading,
): boolean {
  if (encoded === undefined) return true
  return encoded.eventKeys.length > 0 && identify?.verdicts === undefined
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
  { format, stream, context, identify, stored }: EventBatchReading,
  encodedBytesMax: number,
  onBatch?: (batchBytes: number) => void,
): EncodedEventBatch | undefined {
  if (writer.recordCount > 0) writer.clear() // Of a body that was refused half-way.
  const batches: EventsBatch[] = []
  const identified = new IdentifiedEvents(identify)
  let encodedBytes = 0
  let eventCount = 0
  const closeBatch = () => {
    if (encodedBytes + writer.leastBytes > encodedBytesMax) return false // Not even made.
    const batch = writer.encodeOwn()
    batches.push({ ...batch, eventsEnd: eventCount, keysEnd: identified.keysLength })
    encodedBytes += batch.payload.length
    onBatch?.(batch.payload.length)
    return encodedBytes <= encodedBytesMax
  }
  const errors: RejectedEvent[] = []
  let accepted = 0
  let repeated = 0
  let rejected = 0
  let unreadableTimes = 0
  const answers = new ItemAnswers()
  const onUnreadableTime = () => {
    unreadableTimes++
  }
  const direct = directReaderFor(context.timestampField, context.parse)
  const within: FormatContext = {
    ...context,
    onUnreadableTime,
    identify: (key, content) => identified.identify(key, content),
  }
  for (const outcome of formats[format].read(body, within, direct)) {
    if (outcome.index >= limits.batchEventsMax) throw tooManyEvents()
    eventCount = outcome.index + 1
    if (outcome.answer !== undefined) answers.add(outcome.answer)
    if (outcome.problem !== undefined) {
      rejected++
      if (errors.length < limits.ingestErrorsListedMax) {
        errors.push(rejectedEvent(outcome.index, outcome.problem))
      }
      continue
    }
    accepted++
    if (outcome.isStored === true || isIn(stored, outcome.index)) {
      repeated++
      continue
    }
    if (outcome.record !== undefined) writer.add(outcome.record, stream)
    else direct?.addTo(writer, stream, context.receivedAt)
    if (writer.approximateBytes >= batchBytesTarget && !closeBatch()) return letGo(batches)
  }
  if (writer.recordCount > 0 && !closeBatch()) return letGo(batches)
  const eventKeys = identified.keys()
  const counts = { eventCount, accepted, repeated, rejected, unreadableTimes }
  return { batches, ...counts, eventKeys, errors, answers: answers.text() }
}

function isIn(ranges: readonly EventRange[] | undefined, index: number): boolean {
  return ranges?.some(({ from, to }) => from <= index && index < to) ?? false
}

/** Releases the memory of batches that have all of their own, unless it is released already. */
export function letGo(batches: Iterable<Pick<OwnBatch, 'payload'>>): undefined {
  for (const { payload } of batches) letGoOf(payload)
}

/** The same of one, whose `payload` is all of its memory. */
export function letGoOf({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
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
