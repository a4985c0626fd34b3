/**
 * What tells a catalog's contents as a whole from any other: how many values there are, and the sum of
 * their checksums (exclusive or, so that a change costs the same however many there are). A value that
 * is missing shows, and so does one that came back: checksums of single values cannot tell that.
 *
 * It is stored as a value too, in each transaction, in a collection of its own that does not count.
 */
import { Packr } from 'msgpackr'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import {
  checksumBytes,
  decodeChecked,
  encodeChecked,
  type Place,
  storedChecksum,
} from './checked-value.ts'

export const formatVersion = 2

export const contentsPlace: Place = { collection: 'contents', key: 'all' }

const packr = new Packr({ useRecords: false })

const recordSchema = Type.Object({
  format: Type.Integer(),
  valueCount: Type.Integer({ minimum: 0 }),
  /** In hex. */
  sum: Type.String(),
  /** Goes up with each transaction, so that none leaves the record as it was. */
  transaction: Type.Integer(),
})

export class Contents {
  readonly valueCount: number
  readonly #sum: Buffer

  constructor(valueCount = 0, sum: Buffer = Buffer.alloc(checksumBytes)) {
    this.valueCount = valueCount
    this.#sum = sum
  }

  /** With one value in the place of another; undefined for none. */
  with(after: Uint8Array | undefined, before: Uint8Array | undefined): Contents {
    const sum = Buffer.from(this.#sum)
    for (const stored of [after, before]) {
      if (stored === undefined) continue
      const checksum = storedChecksum(stored)
      for (let i = 0; i < checksumBytes; i++) sum[i]! ^= checksum[i]!
    }
    const change = Number(after !== undefined) - Number(before !== undefined)
    return new Contents(this.valueCount + change, sum)
  }

  equals(other: Contents): boolean {
    return this.valueCount === other.valueCount && this.#sum.equals(other.#sum)
  }

  encode(transaction: number): Buffer {
    const { valueCount } = this
    const sum = this.#sum.toString('hex')
    const record: Static<typeof recordSchema> = {
      format: formatVersion,
      valueCount,
      sum,
      transaction,
    }
    return encodeChecked(contentsPlace, packr.pack(record))
  }
}

/** The stored record; undefined when it is damaged. */
export function decodeContents(stored: Buffer): { format: number; contents: Contents } | undefined {
  const payload = decodeChecked(contentsPlace, stored)
  if (payload === undefined) return undefined
  const record = packr.unpack(payload)
  if (!Check(recordSchema, record)) return undefined
  const { format, valueCount, sum } = record
  return { format, contents: new Contents(valueCount, Buffer.from(sum, 'hex')) }
}
