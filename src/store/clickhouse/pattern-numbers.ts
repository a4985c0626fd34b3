/**
 * The number of the pattern of each message, which stands in its row: that of the pattern's id. What a thread
 * spends on finding them out is bounded. A message whose skeleton it has not met lately costs rules and a
 * hash, and only so many of a thousand may; the others have no number, and are looked at when they are
 * asked for.
 */
import { patternIdOf } from '../../columns/patterns/message-pattern.ts'
import { SkeletonTable } from '../../columns/patterns/skeleton-table.ts'
import { patternIdPrefix } from '../../record.ts'
import type { LongColumn } from './native-columns.ts'

/** Skeletons that are remembered, and their bytes: 6 MB with what is known of them if they are of 70. */
const skeletonsMax = 65_536
const skeletonBytesMax = 4 * 1024 * 1024

/** Of so many messages one may be new. An id takes 5 µs, which is 0.3 µs a message. */
const messagesPerId = 16
/** Ids that may be made at once, if none were for long: 40 ms. */
const idsAtOnce = 8_192

/** Bytes of a message that must tell its pattern: no more of one is read for the text of a pattern. */
export const tellingBytes = 6_000

export class PatternNumbers {
  #skeletons = new SkeletonTable()
  /** The halves of the number of each skeleton; both 0: not known yet. */
  readonly #lows = new Uint32Array(skeletonsMax)
  readonly #highs = new Uint32Array(skeletonsMax)
  /** Messages that have come for ids that were not made. */
  #saved = messagesPerId * idsAtOnce

  /** Adds the number of the message in `bytes[start, end)`; 0: not told. */
  add(bytes: Uint8Array, start: number, end: number, to: LongColumn): void {
    if (this.#saved < messagesPerId * idsAtOnce) this.#saved++
    if (this.#skeletons.byteLength > skeletonBytesMax) this.#forget()
    const skeleton = this.#numbered(bytes, start, end)
    if (end - start > tellingBytes) {
      const table = this.#skeletons
      const isTold = this.#numbered(bytes, start, start + tellingBytes) === skeleton
      // What was forgotten meanwhile has numbers of others.
      if (!isTold || table !== this.#skeletons) {
        to.add(0, 0)
        return
      }
    }
    this.#makeId(skeleton)
    to.add(this.#lows[skeleton]!, this.#highs[skeleton]!)
  }

  #numbered(bytes: Uint8Array, start: number, end: number): number {
    const skeleton = this.#skeletons.add(bytes, start, end)
    if (skeleton < skeletonsMax) return skeleton
    this.#forget()
    return this.#skeletons.add(bytes, start, end)
  }

  #makeId(skeleton: number): void {
    const isKnown = this.#lows[skeleton] !== 0 || this.#highs[skeleton] !== 0
    if (isKnown || this.#saved < messagesPerId) return
    this.#saved -= messagesPerId
    const digits = patternIdOf(this.#skeletons.latin1Of(skeleton)).slice(patternIdPrefix.length)
    this.#highs[skeleton] = Number.parseInt(digits.slice(0, 8), 16)
    this.#lows[skeleton] = Number.parseInt(digits.slice(8), 16)
  }

  #forget(): void {
    this.#skeletons = new SkeletonTable()
    this.#lows.fill(0)
    this.#highs.fill(0)
  }
}

/** Of this thread: what one insert has found out serves the next. */
export const patternNumbers = new PatternNumbers()
