/**
 * A filter of the runs of four letters that stand in some texts, whatever their case: what says, without
 * a look at the texts, that a piece of a word is nowhere in them. Digits and all else end a run, so that
 * ids do not fill the filter.
 *
 * A run of four letters is a number of 20 bits, five of each letter; a multiplication mixes them and the
 * upper 15 bits of the product name the run's bit in a filter of 4 KiB. Of a smaller filter fewer of these
 * bits count: it is the larger one folded, its halves or-ed, again and again.
 */
import type { TextColumn, TextPlaces } from '../../columns/column.ts'
import { hashMultiplier } from '../../columns/words.ts'

const runLength = 4
const runMask = 2 ** 20 - 1
const hashBits = 15
/** Bytes of a filter, in powers of two. */
const bytesMax = 2 ** hashBits / 8
const bytesMin = 64
/** Set bits up to which a filter is folded: of runs that are nowhere, one in so many seems to be there. */
const densityMax = 1 / 12
/** Set bits from which on a filter says too little to be worth its room. */
const uselessDensity = 1 / 2

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
    if (filter.length === 0) return true
    // The bits of a smaller filter are these, folded.
    return this.#bits.every((bits, i) => (bits & ~filter[i % filter.length]!) === 0)
  }

  /** The filter: a power of two of bytes, or none at all when it would say nothing. */
  folded(): Buffer {
    let bits: Buffer = Buffer.from(this.#bits)
    while (bits.length > bytesMin && density(bits) <= densityMax / 2) {
      const half = bits.length / 2
      for (let i = 0; i < half; i++) bits[i]! |= bits[half + i]!
      bits = bits.subarray(0, half)
    }
    return density(bits) > uselessDensity ? Buffer.alloc(0) : bits
  }
}

/** The runs that stand in a text, for `mayHoldRuns`. */
export function letterRunsOf(bytes: Uint8Array): Uint16Array {
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
  return Uint16Array.from(runs)
}

/** False when one of the runs is in none of the texts of the filter. */
export function mayHoldRuns(filter: Uint8Array, runs: Uint16Array): boolean {
  if (filter.length === 0) return true
  const mask = filter.length * 8 - 1
  for (let i = 0; i < runs.length; i++) {
    const bit = runs[i]! & mask
    if (((filter[bit >> 3]! >> (bit & 7)) & 1) === 0) return false
  }
  return true
}

/** Whether bytes can be a filter. */
export function isLetterFilter({ length }: Uint8Array): boolean {
  const isPower = (length & (length - 1)) === 0
  return length === 0 || (isPower && length >= bytesMin && length <= bytesMax)
}

function hashOf(run: number): number {
  return Math.imul(run, hashMultiplier) >>> (32 - hashBits)
}

const onesOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  return byte.toString(2).replaceAll('0', '').length
})

/** The share of bits that are set. */
function density(bits: Uint8Array): number {
  let ones = 0
  for (let i = 0; i < bits.length; i++) ones += onesOf[bits[i]!]!
  return ones / (8 * bits.length)
}
