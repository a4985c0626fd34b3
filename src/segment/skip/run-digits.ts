/**
 * The filters of what stands around digits in the messages of a run of blocks.
 *
 *     ┌───────────────────────────────┬─────────┐
 *     │ of each block: length <u32>   │ filters │
 *     └───────────────────────────────┴─────────┘
 */
import { type DigitRuns, isDigitFilter } from './digit-runs.ts'

export function encodeDigits(blocks: readonly DigitRuns[]): Buffer {
  const filters = blocks.map(runs => runs.folded())
  const lengths = Uint32Array.from(filters, ({ length }) => length)
  return Buffer.concat([Buffer.from(lengths.buffer), ...filters])
}

export class RunDigits {
  readonly #filters: readonly Uint8Array[]
  readonly heldBytes: number

  /** `bytes`: aligned for numbers of 32 bits. Throws a RangeError for what `encodeDigits` did not make. */
  constructor(bytes: Buffer, blockCount: number) {
    if (bytes.length < 4 * blockCount) throw new RangeError('too short for its filters of digits')
    let end = 4 * blockCount
    const lengths = new Uint32Array(bytes.buffer, bytes.byteOffset, blockCount)
    this.#filters = Array.from(lengths, length => {
      end += length
      return bytes.subarray(end - length, end)
    })
    const isWhole = end === bytes.length && this.#filters.every(isDigitFilter)
    if (!isWhole) throw new RangeError('filters of digits have no such length')
    this.heldBytes = bytes.length
  }

  /** The digits of a block's messages, for `mayHoldRuns`. */
  of(block: number): Uint8Array {
    return this.#filters[block]!
  }
}
