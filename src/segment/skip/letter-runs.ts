/**
 * A filter of the runs of four letters that stand in some texts, whatever their case: what says, without
 * a look at the texts, that a piece of a word is nowhere in them. Digits and all else end a run, so that
 * ids do not fill the filter.
 *
 * A run of four letters is a number of 20 bits, five of each letter; a multiplication mixes them and the
 * upper 15 bits of the product name the run's bit in a filter of 4 KiB (`bit-filter.ts`).
 */
import type { TextColumn, TextPlaces } from '../../columns/column.ts'
import { hashMultiplier } from '../../columns/words.ts'
import { areIn, folded, isFilter } from './bit-filter.ts'

const runLength = 4
const runMask = 2 ** 20 - 1
const hashBits = 15
const bytesMax = 2 ** hashBits / 8
const bounds = { bytesMin: 64, bytesMax, densityMax: 1 / 12, uselessDensity: 1 / 2 }

/** A letter's number from 1 on; 0 for what is no ASCII letter. */
const letterNumbers = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z]/.test(String.fromCharCode(byte)) ? byte & 31 : 0,
)

/** The runs of some texts, 4 KiB, to be folded when all are there. A run ends with its text. */
export class LetterRuns {
  readonly #bits = Buffer.alloc(bytesMax)

  addTexts({ offsets, bytes }: TextColumn): this {
    return this.addPlaces({ bytes, starts: offsets.subarray(0, -1), ends: offsets.subarray(1) })
  }

  addPlaces({ bytes, starts, ends }: TextPlaces): this {
    const bits = this.#bits
    for (let i = 0; i < starts.length; i++) {
      const end = ends[i]!
      let run = 0
      let length = 0
      for (let at = starts[i]!; at < end; at++) {
        const number = letterNumbers[bytes[at]!]!
        if (number === 0) {
          length = 0
          continue
        }
        run = ((run << 5) | number) & runMask
        if (++length < runLength) continue
        const bit = hashOf(run)
        bits[bit >> 3]! |= 1 << (bit & 7)
      }
    }
    return this
  }

  addAll(other: LetterRuns): this {
    const bits = this.#bits
    for (let i = 0; i < bits.length; i++) bits[i]! |= other.#bits[i]!
    return this
  }

  /** Whether a filter has all of them. */
  areIn(filter: Uint8Array): boolean {
    return areIn(this.#bits, filter)
  }

  /** The filter; of no bytes when it would say nothing. */
  folded(): Buffer {
    return folded(this.#bits, bounds)
  }
}

/** The runs that stand in a text, for `mayHoldRuns`. */
export function letterRunsOf(bytes: Uint8Array): Uint32Array {
  const runs: number[] = []
  let run = 0
  let length = 0
  for (const byte of bytes) {
    const number = letterNumbers[byte]!
    if (number === 0) {
      length = 0
      continue
    }
    run = ((run << 5) | number) & runMask
    if (++length >= runLength) runs.push(hashOf(run))
  }
  return Uint32Array.from(runs)
}

/** Whether bytes can be a filter of letters. */
export function isLetterFilter(bytes: Uint8Array): boolean {
  return isFilter(bytes, bounds)
}

function hashOf(run: number): number {
  return Math.imul(run, hashMultiplier) >>> (32 - hashBits)
}
