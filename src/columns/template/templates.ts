/**
 * The templates of a column as its directory has them. Columns have up to thousands and most questions want
 * few of them: texts and objects are made for those that are looked at.
 */
import { sharedText } from '../shared-text.ts'
import type { ByteReader } from './bytes.ts'
import { slotMark } from './split.ts'

/** What a template that was looked at takes on the heap, about: its object. */
const templateBytes = 100

export interface DirectoryTemplate {
  /** Latin1. */
  readonly text: string
  /** Texts that have it. */
  readonly count: number
  /** Texts of the templates before it. */
  readonly firstRow: number
  readonly firstSlot: number
  readonly slotCount: number
}

export class Templates {
  readonly length: number
  readonly #bytes: Buffer
  /** Template i is `bytes[offsets[i], offsets[i + 1])`; the same of rows and slots, counted over all. */
  readonly #offsets: Uint32Array
  readonly #firstRows: Uint32Array
  readonly #firstSlots: Uint32Array
  readonly #seen: (DirectoryTemplate | undefined)[]

  private constructor(bytes: Buffer, length: number) {
    this.length = length
    this.#bytes = bytes
    this.#offsets = new Uint32Array(length + 1)
    this.#firstRows = new Uint32Array(length + 1)
    this.#firstSlots = new Uint32Array(length + 1)
    this.#seen = new Array(length)
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
    return this.#firstSlots[this.length]!
  }

  get heldBytes(): number {
    return this.length * (3 * Uint32Array.BYTES_PER_ELEMENT + templateBytes)
  }

  /** @throws RangeError when there is no template of the number. */
  at(id: number): DirectoryTemplate {
    return this.#seen[id] ?? this.#look(id)
  }

  firstRow(id: number): number {
    return this.#firstRows[id]!
  }

  /** Slots of the templates before it; of the number after the last one, of all. */
  firstSlot(id: number): number {
    return this.#firstSlots[id]!
  }

  /** Texts that have the template. */
  count(id: number): number {
    return this.#firstRows[id + 1]! - this.#firstRows[id]!
  }

  #look(id: number): DirectoryTemplate {
    if (id >= this.length) throw new RangeError(`there is no template ${id}`)
    const text = this.#bytes.toString('latin1', this.#offsets[id], this.#offsets[id + 1])
    const firstSlot = this.#firstSlots[id]!
    const template = {
      text: sharedText(text),
      count: this.count(id),
      firstRow: this.#firstRows[id]!,
      firstSlot,
      slotCount: this.#firstSlots[id + 1]! - firstSlot,
    }
    this.#seen[id] = template
    return template
  }

  #readLengths(reader: ByteReader): void {
    let end = 0
    for (let id = 1; id <= this.length; id++) {
      end += reader.varint()
      if (end > this.#bytes.length) throw new RangeError('the templates pass the end of the bytes')
      this.#offsets[id] = end
    }
  }

  #readCounts(reader: ByteReader, rowCount: number): void {
    let rows = 0
    for (let id = 1; id <= this.length; id++) {
      const count = reader.varint()
      rows += count
      if (count === 0 || rows > rowCount) break
      this.#firstRows[id] = rows
    }
    if (rows !== rowCount || this.#firstRows[this.length] !== rowCount) {
      throw new RangeError(`the templates do not add up to ${rowCount} texts`)
    }
  }

  #findSlots(reader: ByteReader): void {
    const start = reader.skip(this.#offsets[this.length]!)
    let slots = 0
    for (let id = 0; id < this.length; id++) {
      const end = start + this.#offsets[id + 1]!
      this.#offsets[id]! += start
      for (let at = this.#offsets[id]!; at < end; at++) {
        if (this.#bytes[at] === slotMark) slots++
      }
      this.#firstSlots[id + 1] = slots
    }
    this.#offsets[this.length]! += start
  }
}
