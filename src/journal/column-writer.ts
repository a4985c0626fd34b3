/**
 * The texts of one column while it is gathered: their UTF-8 bytes end to end, where each ends, and, as
 * soon as a record has none, which records have one.
 *
 * The memory is kept from batch to batch, so that a column at work allocates nothing.
 */

import type { TextColumn } from '../columns/column.ts'
import { freeMemory, withRoom } from '../columns/growing-array.ts'
import { packIntegers } from '../columns/integers.ts'

/** Up to 64 bytes V8 keeps in its own heap, which makes the columns of rare names cheap. */
const firstBytes = 64
const firstValues = 15

/** Offsets are 32 bits. */
const bytesMax = 2 ** 32 - 1

/** Texts up to this length are copied character by character; a call of native code costs as much. */
const shortText = 48

export class ColumnWriter {
  valueCount = 0
  #bytes = Buffer.allocUnsafeSlow(firstBytes)
  /** Bytes of all texts. */
  #byteCount = 0
  /** Where in `#bytes` each text begins, and where the last one ends. */
  #offsets = new Uint32Array(firstValues + 1)
  /** Which records have a value; meaningless as long as all have. */
  #rows = new Uint32Array(firstValues + 1) // As long as the other, so that both grow together.
  #isDense = true

  /** Bytes of all texts so far. */
  get textBytes(): number {
    return this.#byteCount
  }

  /** Memory that is held, in bytes. */
  get heldBytes(): number {
    return this.#bytes.length + this.#offsets.byteLength + this.#rows.byteLength
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
    const first = this.valueCount
    this.#makeRoomForValues(first + count)
    const at = this.#byteCount
    for (let i = 1; i <= count; i++) this.#offsets[first + i] = at + offsets[i]!
    if (this.#isDense && (rows !== undefined || firstRow !== first)) this.#leaveDense()
    if (!this.#isDense) {
      for (let i = 0; i < count; i++) this.#rows[first + i] = firstRow + (rows?.[i] ?? i)
    }
    this.#byteCount = at + bytes.length
    this.valueCount = first + count
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
    if (needed > bytesMax) throw new RangeError(`a column of ${needed} bytes is too long`)
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, needed))
      this.#bytes.copy(grown, 0, 0, this.#byteCount)
      freeMemory(this.#bytes)
      this.#bytes = grown
    }
    return this.#bytes
  }

  #note(row: number, length: number): void {
    const index = this.valueCount
    this.#makeRoomForValues(index + 1)
    if (this.#isDense && row !== index) this.#leaveDense()
    if (!this.#isDense) this.#rows[index] = row
    this.#byteCount += length
    this.#offsets[index + 1] = this.#byteCount
    this.valueCount = index + 1
  }

  #makeRoomForValues(count: number): void {
    if (count < this.#offsets.length) return
    this.#offsets = withRoom(this.#offsets, count + 1)
    this.#rows = withRoom(this.#rows, count + 1)
  }

  #leaveDense(): void {
    for (let row = 0; row < this.valueCount; row++) this.#rows[row] = row
    this.#isDense = false
  }

  /** Records that have a value, or undefined when all of `recordCount` have; in memory that the next
   *  batch overwrites. */
  rows(recordCount: number): Uint32Array | undefined {
    if (this.valueCount === recordCount) return undefined
    if (this.#isDense) this.#leaveDense()
    return this.#rows.subarray(0, this.valueCount)
  }

  /** Lengths in bytes, packed. */
  packLengths(): Buffer {
    const count = this.valueCount
    lengths = withRoom(lengths, count)
    for (let i = 0; i < count; i++) lengths[i] = this.#offsets[i + 1]! - this.#offsets[i]!
    const packed = packIntegers(lengths.subarray(0, count))
    if (lengths.length > lengthsKeptMax) lengths = new Uint32Array(firstValues)
    return packed
  }

  /** All texts, in memory that the next batch overwrites. */
  texts(): TextColumn {
    const offsets = this.#offsets.subarray(0, this.valueCount + 1)
    return { offsets, bytes: this.#bytes.subarray(0, this.#byteCount) }
  }

  /** Starts over, in the same memory. */
  reset(): void {
    this.valueCount = 0
    this.#byteCount = 0
    this.#isDense = true
  }

  /** Frees the memory; the column is of no further use. */
  free(): void {
    for (const memory of [this.#bytes, this.#offsets, this.#rows]) freeMemory(memory)
  }
}

/** Where lengths are computed before they are packed. */
let lengths = new Uint32Array(firstValues)
/** A batch with more values in a column is rare: the memory is not kept for it. */
const lengthsKeptMax = 65_536
