/**
 * Many events in one body to log records, one by one: one bad event never loses the others.
 *
 * Whether the body is an array, NDJSON or concatenated JSON is told by its first byte: see `split.ts`.
 */

import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import type { LogRecord } from '../record.ts'
import type { ObjectReader } from './direct/reader.ts'
import { emptyProblem, JsonReader } from './json.ts'
import { type NormaliseContext, normalise } from './normalise.ts'
import { EventSplitter } from './split.ts'

export interface EventBatchContext extends NormaliseContext {
  /** Bytes of one event; a longer one is rejected alone. */
  readonly eventBytesMax: number
}

/** Makes the record of a value that was read from the body. Refuses it with a ProblemError. */
export type MakeRecord = (value: unknown, context: NormaliseContext) => LogRecord

/** What became of the event at `index`, counting from 0 the accepted and the rejected alike. */
export type Outcome = (
  | { readonly record: LogRecord; readonly problem?: undefined }
  | { readonly problem: ProblemError; readonly record?: undefined }
) &
  Placed

/** The event is in the direct reader, to be added from there before the next one is asked for. */
export interface DirectOutcome extends Placed {
  readonly record?: undefined
  readonly problem?: undefined
}

interface Placed {
  readonly index: number
  /** What the protocol answers for this event alone, if it does: JSON. */
  readonly answer?: string
  /** It was accepted before, under the same key, and is not stored again. */
  readonly isStored?: boolean
}

/**
 * Reads `body`, which must not change until the last outcome is taken.
 *
 * Positions in problems are places in the body. Throws `body_empty` before the first outcome, and
 * `events_unreadable` after the last one when there were problems only; an empty array has neither
 * events nor problems. Without `direct` no event is read directly; `makeRecord` makes the others records.
 */
export function readEventBatch(
  body: Buffer,
  context: EventBatchContext,
  direct?: undefined,
  makeRecord?: MakeRecord,
): Generator<Outcome, void>
export function readEventBatch(
  body: Buffer,
  context: EventBatchContext,
  direct: ObjectReader | undefined,
  makeRecord?: MakeRecord,
): Generator<Outcome | DirectOutcome, void>
export function* readEventBatch(
  body: Buffer,
  context: EventBatchContext,
  direct?: ObjectReader,
  makeRecord: MakeRecord = normalise,
): Generator<Outcome | DirectOutcome, void> {
  const reading = new Reading(body, context, direct, makeRecord)
  let firstProblem: ProblemError | undefined
  let problemCount = 0
  let index = 0

  for (;;) {
    const isFlood = problemCount >= limits.ingestErrorsListedMax
    const outcome = isFlood ? nextWithoutStack(reading, index) : reading.next(index)
    if (outcome === undefined) {
      break
    }
    if (outcome.problem !== undefined) {
      firstProblem ??= outcome.problem
      problemCount += 1
    }
    index += 1
    yield outcome
  }
  if (firstProblem !== undefined && problemCount === index) {
    throw unreadableProblem(problemCount, firstProblem)
  }
}

class Reading {
  readonly #reader: JsonReader
  readonly #splitter: EventSplitter
  readonly #context: EventBatchContext
  readonly #makeRecord: MakeRecord

  constructor(
    body: Buffer,
    context: EventBatchContext,
    direct: ObjectReader | undefined,
    makeRecord: MakeRecord,
  ) {
    this.#reader = new JsonReader(body, 'many values')
    if (this.#reader.start >= this.#reader.end) {
      throw emptyProblem()
    }
    this.#splitter = new EventSplitter(this.#reader, direct, context.eventBytesMax)
    this.#context = context
    this.#makeRecord = makeRecord
  }

  /** Reads the next event; undefined at the end of the body. */
  next(index: number): Outcome | DirectOutcome | undefined {
    if (!this.#splitter.next()) {
      return undefined
    }
    const { problem, isDirect } = this.#splitter
    if (isDirect) {
      return { index }
    }
    if (problem !== undefined) {
      return { index, problem }
    }
    try {
      return { index, record: this.#readRecord() }
    } catch (error) {
      if (error instanceof ProblemError) {
        return { index, problem: error }
      }
      throw error
    }
  }

  #readRecord(): LogRecord {
    const { start, end } = this.#splitter
    const { eventBytesMax } = this.#context
    if (end - start > eventBytesMax) {
      const detail = `expected an event of at most ${eventBytesMax} bytes, was ${end - start}`
      throw this.#reader.problem('body_too_large', detail, start)
    }
    return this.#makeRecord(this.#reader.read(start, end), this.#context)
  }
}

/**
 * Reads on in a flood of bad events, such as a file of plain text. Taking down the stack is most of
 * what an error costs (6 of 7 microseconds), and nobody will see these.
 */
function nextWithoutStack(reading: Reading, index: number) {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return reading.next(index)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** That every event of a body was refused; `first` is why the first one was. */
export function unreadableProblem(rejectedCount: number, first: ProblemError): ProblemError {
  const { position, field } = first.extras
  const detail = `none of ${rejectedCount} events could be read, the first because: ${first.message}`
  return new ProblemError('events_unreadable', detail, {
    ...(position === undefined ? {} : { position }),
    ...(field === undefined ? {} : { field }),
    members: { rejected: rejectedCount, firstCode: first.code },
  })
}
