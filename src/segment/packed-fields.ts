/**
 * Packs the directory of a block and the footer of a segment with msgpack, and checks, field by
 * field, what is unpacked: the checksum says that these are the bytes that were written, this says
 * that they mean what we think.
 */
import { Packr, Unpackr } from 'msgpackr'
import { SegmentCorrupt } from './segment-error.ts'

const packr = new Packr({ useRecords: false, moreTypes: false })
const unpackr = new Unpackr({ useRecords: false })

export function packFields(fields: readonly unknown[]): Buffer {
  return packr.pack(fields)
}

/**
 * Unpacks fields and hands them to `decode`. Whatever either throws becomes SegmentCorrupt, which
 * says that `what` cannot be read.
 */
export function unpackFields<T>(
  bytes: Uint8Array,
  place: { readonly path: string; readonly offset: number; readonly what: string },
  decode: (fields: Fields) => T,
): T {
  try {
    return decode(new Fields(unpackr.unpack(bytes)))
  } catch (error) {
    throw new SegmentCorrupt(place.path, place.offset, `${place.what} cannot be read`, error)
  }
}

/** A packed list, taken from the front one field after the other. */
export class Fields {
  readonly #fields: readonly unknown[]
  #next = 0

  constructor(fields: unknown) {
    if (!Array.isArray(fields)) throw new TypeError('expected a list')
    this.#fields = fields
  }

  get isAtEnd(): boolean {
    return this.#next === this.#fields.length
  }

  any(): unknown {
    if (this.isAtEnd) throw new TypeError(`expected more than ${this.#next} fields`)
    return this.#fields[this.#next++]
  }

  /** Any safe integer. */
  integer(): number {
    const value = this.any()
    if (!Number.isSafeInteger(value)) throw new TypeError(`expected an integer: ${this.#next}`)
    return value as number
  }

  /** A safe integer that is not negative: a count, a length, an offset, a checksum. */
  natural(): number {
    const value = this.integer()
    if (value < 0) throw new TypeError(`expected no negative number: ${this.#next}`)
    return value
  }

  text(): string {
    const value = this.any()
    if (typeof value !== 'string') throw new TypeError(`expected a text: ${this.#next}`)
    return value
  }

  /** What is at the place that an integer field names. */
  oneOf<T>(choices: readonly T[]): T {
    const index = this.natural()
    if (index >= choices.length) throw new TypeError(`no choice ${index}: ${this.#next}`)
    return choices[index] as T
  }

  list(): Fields {
    return new Fields(this.any())
  }

  /** A list or nothing. */
  optionalList(): Fields | undefined {
    const value = this.any()
    return value === null ? undefined : new Fields(value)
  }

  /** Decodes what is left, however often it takes. */
  rest<T>(decode: (fields: Fields) => T): T[] {
    const values: T[] = []
    while (!this.isAtEnd) values.push(decode(this))
    return values.slice() // In a list that grew there is room for a dozen more.
  }
}
