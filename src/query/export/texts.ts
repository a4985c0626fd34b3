/** The texts of chosen rows: written in the order of the columns, returned in the order of the rows. */

import type { RecordColumns } from '../../columns/record-columns.ts'
import type { ExportFormat, ExportTarget } from './task.ts'
import { type RowText, rowTextOf } from './text.ts'

/** Used again from task to task, as large as the longest text so far. */
let scratch = Buffer.alloc(0)

/** What a character takes at most in UTF-8. */
const bytesPerCharacterMax = 3

export class ExportTexts {
  readonly #bytesMax: number
  /** Where the text of each row begins and ends, by the row's number in the order. */
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array
  #length = 0

  constructor(count: number, bytesMax: number) {
    this.#starts = new Uint32Array(count)
    this.#ends = new Uint32Array(count)
    this.#bytesMax = bytesMax
  }

  /**
   * Writes rows of the same columns: those at `places` in `rows`, ascending by row. False when the
   * texts have become too long; a single one never is.
   */
  write(
    columns: RecordColumns,
    format: ExportFormat,
    places: readonly number[],
    rows: Uint32Array,
  ): boolean {
    const textOf: RowText = rowTextOf(columns, format)
    for (const place of places) {
      const text = textOf(rows[place]!)
      reserve(this.#length, text.length * bytesPerCharacterMax)
      this.#starts[place] = this.#length
      this.#length += scratch.write(text, this.#length)
      this.#ends[place] = this.#length
      if (this.#length > this.#bytesMax && this.#ends.length > 1) return false
    }
    return true
  }

  /**
   * Writes the texts to `target`, end to end in the order of the rows, and where each ends. Returns them
   * instead when they do not fit.
   */
  putInOrder({ text, ends }: Pick<ExportTarget, 'text' | 'ends'>): Uint8Array | undefined {
    const isInTarget = this.#length <= text.length
    const bytes = isInTarget ? text : new Uint8Array(this.#length)
    const count = this.#ends.length
    let at = 0
    for (let i = 0; i < count; i++) {
      let last = i
      while (last + 1 < count && this.#starts[last + 1] === this.#ends[last]) last++
      bytes.set(scratch.subarray(this.#starts[i]!, this.#ends[last]!), at)
      const moved = at - this.#starts[i]!
      for (; i < last; i++) ends[i] = this.#ends[i]! + moved
      at = this.#ends[last]! + moved
      ends[last] = at
    }
    return isInTarget ? undefined : bytes
  }
}

function reserve(length: number, more: number): void {
  if (length + more <= scratch.length) return
  const larger = Buffer.allocUnsafeSlow(2 * (length + more))
  larger.set(scratch.subarray(0, length))
  scratch = larger
}
