/**
 * A named collection of the catalog: values by key, each checked when it is read. A damaged value is never
 * given: `get` refuses it, and it is not among those of `getRange`.
 */
import { Packr, Unpackr } from 'msgpackr'
import { ProblemError } from '../problems.ts'
import { decodeChecked, encodeChecked, type Place } from './checked-value.ts'

/** How values of a collection are stored: objects of ours as msgpack, or text as it is. */
export type ValueEncoding = 'msgpack' | 'string'

/** Stored values by key; what lmdb returns. */
export interface StoredValues {
  get(key: string): Uint8Array | undefined
  getKeys(): Iterable<string>
}

export interface CollectionParts {
  readonly name: string
  readonly encoding: ValueEncoding
  readonly stored: StoredValues
  /** Makes a value part of the change under way; undefined removes it. */
  readonly change: (place: Place, stored: Buffer | undefined) => void
  /** Told of each damaged value that somebody comes upon. */
  readonly onDamaged: (place: Place) => void
}

const packr = new Packr({ useRecords: false })
/** Reads what lmdb's own encoder wrote in format 1 too: records, with their structure in each value. */
const unpackr = new Unpackr({ mapsAsObjects: true })

export class Collection<V> {
  readonly #parts: CollectionParts

  constructor(parts: CollectionParts) {
    this.#parts = parts
  }

  /** Throws ProblemError `data_damaged`. */
  get(key: string): V | undefined {
    const { name, stored, onDamaged } = this.#parts
    const found = stored.get(key)
    if (found === undefined) return undefined
    const place = { collection: name, key }
    const payload = decodeChecked(place, found)
    if (payload !== undefined) return this.#decode(payload)
    onDamaged(place)
    const detail = `the stored value of ${key} is damaged; the log of the service says what to do`
    throw new ProblemError('data_damaged', detail)
  }

  /** All values but damaged ones, in order of their keys. */
  *getRange(): Generator<{ readonly key: string; readonly value: V }> {
    const { name, stored, onDamaged } = this.#parts
    for (const key of [...stored.getKeys()]) {
      const place = { collection: name, key }
      const found = stored.get(key)
      if (found === undefined) continue
      const payload = decodeChecked(place, found)
      if (payload === undefined) onDamaged(place)
      else yield { key, value: this.#decode(payload) }
    }
  }

  /** Whether there is a value, be it damaged. */
  doesExist(key: string): boolean {
    return this.#parts.stored.get(key) !== undefined
  }

  /** Damaged ones too. */
  getKeysCount(): number {
    return [...this.#parts.stored.getKeys()].length
  }

  /** Inside of a change only, as `remove`. */
  put(key: string, value: V): void {
    const { name, change } = this.#parts
    const place = { collection: name, key }
    change(place, encodeChecked(place, this.#encode(value)))
  }

  remove(key: string): void {
    this.#parts.change({ collection: this.#parts.name, key }, undefined)
  }

  #encode(value: V): Uint8Array {
    return this.#parts.encoding === 'string' ? Buffer.from(value as string) : packr.pack(value)
  }

  #decode(payload: Buffer): V {
    const isText = this.#parts.encoding === 'string'
    return isText ? (payload.toString('utf8') as V) : unpackr.unpack(payload)
  }
}
