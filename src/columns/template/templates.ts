/**
 * The templates of a column as its directory has them. Columns have up to thousands and most questions want
 * few of them: texts are made of those that are looked at, and kept, as most blocks have the same.
 */
import { sharedText } from '../shared-text.ts'
import type { ByteReader } from './bytes.ts'
import { slotMark } from './split.ts'

/** Where it begins, its first text and its first slot, and a reference to its text. */
const bytesOfEach = 3 * Uint32Array.BYTES_PER_ELEMENT + 8

export interface DirectoryTemplate {
  /** Latin1, "0" for each variable. */
  readonly text: string
  /** Texts that have it. */
  readonly count: number
  readonly firstSlot: number
  readonly slotCount: number
}

export class Templates {
  readonly length: number
  readonly #bytes: Buffer
  /** Where each template begins in the bytes, behind these the first row of each, and the first slot, counted
   *  over all; of each a last one that says where the others end. */
  readonly #begins: Uint32Array
  readonly #rowsAt: number
  readonly #slotsAt: number
  /** Of those that were looked at. */
  #texts: (string | undefined)[] | undefined

  private constructor(bytes: Buffer, length: number) {
    this.length = length
    this.#bytes = bytes
    this.#begins = new Uint32Array(3 * (length + 1))
    this.#rowsAt = length + 1
    this.#slotsAt = 2 * (length + 1)
  }

  /**
   * Reads lengths, counts and texts from the front of a directory. The bytes stay in use.
   * @throws RangeError when the templates do not have `rowCount` texts together.
   */
  static read(bytes: Buffer, reader: ByteReader, length: number, rowCount: number): Templates {
    const templates = new Templates(bytes, length)
    templates.#readLengths(reader)
    templates.#readCounts(reader, rowCount)
    templates.#findSlots(reader)
    return templates
  }

  get slotCount(): number {
    return this.firstSlot(this.length)
  }

  get heldBytes(): number {
    return this.length * bytesOfEach
  }

  /** Made anew each time: none is kept of the tens of thousands that a thread has open. @throws RangeError
   *  when there is no template of the number. */
  at(id: number): DirectoryTemplate {
    const firstSlot = this.firstSlot(id)
    const slotCount = this.firstSlot(id + 1) - firstSlot
    return { text: this.text(id), count: this.count(id), firstSlot, slotCount }
  }

  /** Latin1, "0" for each variable. @throws RangeError when there is no template of the number. */
  text(id: number): string {
    return this.#texts?.[id] ?? this.#readText(id)
  }

  /** Texts of the templates before it. */
  firstRow(id: number): number {
    return this.#begins[this.#rowsAt + id]!
  }

  /** Slots of the templates before it; of the number after the last one, of all. */
  firstSlot(id: number): number {
    return this.#begins[this.#slotsAt + id]!
  }

  /** Texts that have the template. */
  count(id: number): number {
    return this.firstRow(id + 1) - this.firstRow(id)
  }

  #readText(id: number): string {
    if (id >= this.length) throw new RangeError(`there is no template ${id}`)
    const text = this.#bytes.toString('latin1', this.#begins[id], this.#begins[id + 1])
    const shared = sharedText(text)
    this.#texts ??= new Array(this.length)
    this.#texts[id] = shared
    return shared
  }

  #readLengths(reader: ByteReader): void {
    let end = 0
    for (let id = 1; id <= this.length; id++) {
      end += reader.varint()
      if (end > this.#bytes.length) throw new RangeError('the templates pass the end of the bytes')
      this.#begins[id] = end
    }
  }

  #readCounts(reader: ByteReader, rowCount: number): void {
    let rows = 0
    for (let id = 1; id <= this.length; id++) {
      const count = reader.varint()
      rows += count
      if (count === 0 || rows > rowCount) break
      this.#begins[this.#rowsAt + id] = rows
    }
    if (rows !== rowCount || this.firstRow(this.length) !== rowCount) {
      throw new RangeError(`the templates do not add up to ${rowCount} texts`)
    }
  }

  #findSlots(reader: ByteReader): void {
    const begins = this.#begins
    const start = reader.skip(begins[this.length]!)
    let slots = 0
    for (let id = 0; id < this.length; id++) {
      const end = start + begins[id + 1]!
      begins[id]! += start
      for (let at = begins[id]!; at < end; at++) {
        if (this.#bytes[at] === slotMark) slots++
      }
      begins[this.#slotsAt + id + 1] = slots
    }
    begins[this.length]! += start
  }
}
