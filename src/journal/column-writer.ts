/**
 * The texts of one column while a batch is gathered: their UTF-8 bytes end to end, the length of each,
 * and, as soon as a record has none, which records have one.
 *
 * The memory is kept from batch to batch, so that a column at work allocates nothing.
 */
import { withRoom } from '../growing-array.ts'
import type { TextColumn } from '../segment/columns/column.ts'
import { packIntegers } from './integers.ts'

/** Up to 64 bytes V8 keeps in its own heap, which makes the columns of rare names cheap. */
const firstBytes = 64
const firstValues = 16

/** Texts up to this length are copied character by character; a call of native code costs as much. */
const shortText = 48

export class ColumnWriter {
  valueCount = 0
  #bytes = Buffer.allocUnsafeSlow(firstBytes)
  #byteCount = 0
  #lengths = new Uint32Array(firstValues)
  /** Which records have a value; meaningless as long as all have. */
  #rows = new Uint32Array(firstValues)
  #isDense = true

  /** Bytes of all texts. */
  get byteCount(): number {
    return this.#byteCount
  }

  /** Memory that is held, in bytes. */
  get heldBytes(): number {
    return this.#bytes.length + this.#lengths.byteLength + this.#rows.byteLength
  }

  /** Appends the UTF-8 text from `start` to `end` of `source` as the value of record `row`. */
  appendBytes(row: number, source: Uint8Array, start: number, end: number): void {
    const length = end - start
    const target = this.#makeRoom(length)
    const at = this.#byteCount
    if (length <= shortText) {
      for (let i = 0; i < length; i++) target[at + i] = source[start + i]!
    } else {
      target.set(source.subarray(start, end), at)
    }
    this.#note(row, length)
  }

  /** Appends `text` as the value of record `row`. */
  appendText(row: number, text: string): void {
    this.#note(row, this.#writeAscii(text) ? text.length : this.#writeUtf8(text))
  }

  /** Appends all of another column: of the records `rows` after `firstRow`, or of all of them in turn. */
  appendColumn(
    firstRow: number,
    rows: ArrayLike<number> | undefined,
    { offsets, bytes }: TextColumn,
  ): void {
    const count = offsets.length - 1
    this.#makeRoom(bytes.length).set(bytes, this.#byteCount)
    for (let i = 0; i < count; i++) {
      this.#note(firstRow + (rows === undefined ? i : rows[i]!), offsets[i + 1]! - offsets[i]!)
    }
  }

  /** Whether `text` was short and ASCII, and is written. */
  #writeAscii(text: string): boolean {
    const { length } = text
    if (length > shortText) return false
    const target = this.#makeRoom(length)
    const at = this.#byteCount
    let bits = 0
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      bits |= code
      target[at + i] = code
    }
    return bits < 0x80
  }

  #writeUtf8(text: string): number {
    return this.#makeRoom(3 * text.length).write(text, this.#byteCount, 'utf8')
  }

  #makeRoom(more: number): Buffer {
    const needed = this.#byteCount + more
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, needed))
      this.#bytes.copy(grown, 0, 0, this.#byteCount)
      this.#bytes = grown
    }
    return this.#bytes
  }

  #note(row: number, length: number): void {
    const index = this.valueCount
    if (index === this.#lengths.length) {
      this.#lengths = withRoom(this.#lengths, index + 1)
      this.#rows = withRoom(this.#rows, index + 1)
    }
    if (this.#isDense && row !== index) this.#leaveDense()
    if (!this.#isDense) this.#rows[index] = row
    this.#lengths[index] = length
    this.#byteCount += length
    this.valueCount = index + 1
  }

  #leaveDense(): void {
    for (let row = 0; row < this.valueCount; row++) this.#rows[row] = row
    this.#isDense = false
  }

  /** Records that have a value, packed; nothing when all of `recordCount` have. */
  packRows(recordCount: number): Buffer {
    if (this.valueCount === recordCount) return noBytes
    if (this.#isDense) this.#leaveDense()
    return packIntegers(this.#rows.subarray(0, this.valueCount))
  }

  /** Lengths in bytes, packed. */
  packLengths(): Buffer {
    return packIntegers(this.#lengths.subarray(0, this.valueCount))
  }

  /** The bytes of all texts, in memory that the next batch overwrites. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#byteCount)
  }

  /** Begins anew, in the same memory. */
  reset(): void {
    this.valueCount = 0
    this.#byteCount = 0
    this.#isDense = true
  }
}

const noBytes = Buffer.alloc(0)
