/**
 * A filter of what stands around digits in some texts, whatever the case of letters: what says, without a
 * look at the texts, that a piece of text with digits (`10.251.`, `port 22`, `blk_9`) is nowhere in them.
 *
 * - Four bytes in a row of which some are digits and some are not: `rt 2`, `0.25`. Digits alone are left
 *   out: ids have all runs of them.
 * - Two numbers with one sign between them, by the last two digits of the first and the first three of the
 *   second: `10.251`. Runs of four bytes of one address are in some other of the same block.
 *
 * Each is hashed to 17 bits, which name its bit in a filter of 16 KiB (`bit-filter.ts`).
 */
import type { TextColumn } from '../../columns/column.ts'
import { hashMultiplier } from '../../columns/words.ts'
import { areIn, folded, isFilter } from './bit-filter.ts'

const hashBits = 17
const bytesMax = 2 ** hashBits / 8
/** Pieces of text mostly have several runs: each may be taken for present more often than a single one. */
const bounds = { bytesMin: 64, bytesMax, densityMax: 1 / 4, uselessDensity: 2 / 3 }

const runLength = 4
/** Which of the last four bytes are digits, a bit each, when all of them are. */
const allDigits = 0b1111
/** Digits that count of the number before a sign, and of that behind it. */
const digitsBefore = 2
const digitsBehind = 3

/** A letter is a small one; a digit is marked. */
const [digit, sign] = [1, 2] as const
const smallLetters = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte,
)
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  const text = String.fromCharCode(byte)
  return /[0-9]/.test(text) ? digit : /[A-Za-z]/.test(text) ? 0 : sign
})

/** The runs of some texts, to be folded when all are there. A run ends with its text. */
export class DigitRuns {
  readonly #bits = Buffer.alloc(bytesMax)

  addTexts({ offsets, bytes }: TextColumn): this {
    const bits = this.#bits
    for (let i = 0; i + 1 < offsets.length; i++) {
      const start = offsets[i]!
      const end = offsets[i + 1]!
      let run = 0
      let digits = 0
      for (let at = start; at < end; at++) {
        const byte = bytes[at]!
        run = (run << 8) | smallLetters[byte]!
        const kind = kinds[byte]!
        digits = ((digits << 1) | (kind & digit)) & allDigits
        if (digits !== 0 && digits !== allDigits && at - start >= runLength - 1) {
          const bit = hashOf(run)
          bits[bit >> 3]! |= 1 << (bit & 7)
        }
        // A sign behind a digit: the first bit is its own.
        if (kind === sign && (digits & 0b10) !== 0 && at + 1 < end) {
          if (kinds[bytes[at + 1]!] !== digit) continue
          const bit = hashOf(pairAround(bytes, at, start, end))
          bits[bit >> 3]! |= 1 << (bit & 7)
        }
      }
    }
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

/** The runs that each text with this piece must have, for `mayHoldRuns`. */
export function digitRunsOf(piece: Uint8Array): Uint32Array {
  const runs: number[] = []
  const { length } = piece
  for (let at = 0; at < length; at++) {
    const four = piece.subarray(at, at + runLength)
    const isMixed = four.some(isDigit) && !four.every(isDigit)
    if (four.length === runLength && isMixed) {
      runs.push(hashOf(four.reduce((run, byte) => (run << 8) | smallLetters[byte]!, 0)))
    }
    if (kinds[piece[at]!] !== sign || !isDigit(piece[at - 1]) || !isDigit(piece[at + 1])) continue
    // At its ends the piece may have only a part of a number.
    const from = numberStart(piece, at, 0)
    const to = numberEnd(piece, at, length)
    const isWhole =
      (from > 0 || at - from === digitsBefore) && (to < length || to - at > digitsBehind)
    if (isWhole) runs.push(hashOf(pairAround(piece, at, 0, length)))
  }
  return Uint32Array.from(runs)
}

/** Whether bytes can be a filter of digits. */
export function isDigitFilter(bytes: Uint8Array): boolean {
  return isFilter(bytes, bounds)
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && kinds[byte] === digit
}

/** Where the digits that count begin before the sign at `at`. */
function numberStart(bytes: Uint8Array, at: number, start: number): number {
  let from = at
  while (from > start && at - from < digitsBefore && isDigit(bytes[from - 1])) from--
  return from
}

/** Where the digits that count end behind the sign at `at`. */
function numberEnd(bytes: Uint8Array, at: number, end: number): number {
  let to = at + 1
  while (to < end && to - at <= digitsBehind && isDigit(bytes[to])) to++
  return to
}

/** The numbers around a sign as one number: their digits, how many there are, and the sign. */
function pairAround(bytes: Uint8Array, at: number, start: number, end: number): number {
  const from = numberStart(bytes, at, start)
  const to = numberEnd(bytes, at, end)
  let pair = bytes[at]!
  for (let i = from; i < to; i++) if (i !== at) pair = pair * 10 + bytes[i]! - 0x30
  return (pair << 4) | ((at - from) << 2) | (to - at - 1)
}

function hashOf(run: number): number {
  return Math.imul(run, hashMultiplier) >>> (32 - hashBits)
}
