/** Cuts a stream of journal entries into pieces of whole ones, as it comes. */

import { ProblemError } from '../../../problems.ts'
import { PartialFrame } from '../../partial-frame.ts'
import { JournalEntryScanner } from './entry-scanner.ts'

export class EntryCutter {
  readonly #bytesMax: number
  readonly #scanner = new JournalEntryScanner()
  /** The beginning of an entry whose rest has not come. */
  readonly #partial = new PartialFrame()
  /** Of an entry beyond the limit, up to its end. */
  #isSkipping = false
  /** Entries that were left out because they are beyond the limit. */
  tooLargeCount = 0
  /** What came cannot be told apart from here on; what stood before it is whole. */
  failure: ProblemError | undefined

  /** `bytesMax`: of one entry. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Memory that waits for the rest of an entry. */
  get heldBytes(): number {
    return this.#partial.heldBytes
  }

  /** Whole entries that end with `piece`, which is the cutter's to keep; undefined when none does. */
  push(piece: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> | undefined {
    let from = 0
    let end = 0
    try {
      for (let next = 0; next >= 0; next = this.#scanner.endOf(piece, end)) {
        end = next
        if (end > 0 && this.#isSkipping) {
          this.#isSkipping = false
          from = end
        }
      }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      this.failure = error
    }
    const whole = end === 0 ? undefined : this.#whole(piece.subarray(from, end))
    this.#keep(piece.subarray(end))
    return whole
  }

  /** The sender has ended: an entry that lacks only its empty line. Throws when it lacks more. */
  end(): Buffer<ArrayBuffer> | undefined {
    if (this.#isSkipping || !this.#scanner.isWithinEntry) return undefined
    if (!this.#scanner.mayEnd) {
      throw new ProblemError('journal_invalid', 'the body ends within a field of an entry')
    }
    return this.#partial.take()
  }

  #whole(rest: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> | undefined {
    if (this.#partial.length > 0) {
      this.#partial.append(rest)
      return this.#partial.take()
    }
    return rest.length === 0 ? undefined : rest
  }

  #keep(bytes: Buffer): void {
    if (this.#isSkipping || bytes.length === 0) return
    if (this.#partial.length + bytes.length <= this.#bytesMax) {
      this.#partial.append(bytes)
      return
    }
    this.#partial.take()
    this.#isSkipping = true
    this.tooLargeCount += 1
  }
}
