/** What the decoder of a protocol is: from the bytes of a body to log records. */

import type { ProblemError } from '../../problems.ts'
import type { DirectReader } from '../direct/reader.ts'
import type { EachAnswer } from '../each-refused.ts'
import type { DirectOutcome, EventBatchContext, Outcome } from '../read-event-batch.ts'
import type { EventVerdict } from '../retries/identified-events.ts'

export interface FormatContext extends EventBatchContext {
  /**
   * To be asked of each event that could be read and has a key of its own: a text by which its sender, and
   * nobody else of the same token, would send it again. `content`: what says whether it is the same. One
   * that is `stored` is answered as if it were new, and its outcome says `isStored`.
   */
  readonly identify?: (key: string, content: Uint8Array) => EventVerdict
  /** What path and query of the request say of all its events, by name. */
  readonly given?: Readonly<Record<string, string>> | undefined
}

/** How the bodies of one protocol are read, on the main thread or in one of the ingest pool. */
export interface Format {
  /** Bytes that its records may take, of each byte of a body, when a thread begins with it: see
   *  `encode-pool.ts`. */
  readonly encodedPerByte: number
  /** Bytes of a body that is itself compressed, beside any Content-Encoding, once it is not. */
  readonly decodedBytes?: (body: Buffer) => number
  /**
   * What becomes of each event of `body`, which must not change meanwhile. `direct`, if there is one,
   * may read an event instead, see `DirectOutcome`.
   *
   * Throws ProblemError when nothing of the body could be read at all.
   */
  readonly read: (
    body: Buffer,
    context: FormatContext,
    direct: DirectReader | undefined,
  ) => Iterable<Outcome | DirectOutcome>
  /** Of a protocol that tells of each event: what it answers when none is stored, but may be later. */
  readonly refuseEach?: {
    /** Of events that were not read yet. Throws ProblemError when nobody knows where they are. */
    readonly ofBody: (body: Buffer, context: FormatContext, why: ProblemError) => EachAnswer
    /** Of events that were read: instead of what would have been answered. */
    readonly ofAnswers: (answers: string, why: ProblemError) => string
  }
}
