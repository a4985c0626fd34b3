/**
 * Records as they travel from a scan thread. A hundred of them are some two thousand texts, and copying each
 * from thread to thread takes longer than making it: all values in one text, and names, which most
 * records share, once, are copied in a tenth of the time.
 */

import type { Stream } from '../record.ts'
import type { RebuiltRecord } from './scan-task.ts'

export interface PackedRecords {
  /** `fieldsPerRecord` numbers of each record. */
  readonly fields: Float64Array
  /** Levels, parts of streams and names of attributes, each once. */
  readonly names: readonly string[]
  /** Of all attributes, by `names`. */
  readonly attributeNames: Uint32Array
  /** Of each record its message and then the values of its attributes, all end to end. */
  readonly texts: string
  /** Where each of these ends. */
  readonly ends: Uint32Array
}

/** Time; level, service and environment by `names`; attributes, -1 for a record that could not be read; of
 *  them those that came with it, -1 where that is not said. */
const fieldsPerRecord = 6
const unread = -1
const notSaid = -1

export function packRecords(records: readonly (RebuiltRecord | undefined)[]): PackedRecords {
  const fields = new Float64Array(records.length * fieldsPerRecord)
  const names = new NameNumbers()
  const attributeNames: number[] = []
  const texts: string[] = []
  for (const [i, record] of records.entries()) {
    const at = i * fieldsPerRecord
    if (record === undefined) {
      fields[at + 4] = unread
      continue
    }
    const { timestamp, level, stream, message, attributes, ownLength } = record
    fields[at] = timestamp
    fields[at + 1] = names.numberOf(level)
    fields[at + 2] = names.numberOf(stream.service)
    fields[at + 3] = names.numberOf(stream.environment)
    fields[at + 4] = attributes.length / 2
    fields[at + 5] = ownLength ?? notSaid
    texts.push(message)
    for (let n = 0; n < attributes.length; n += 2) {
      attributeNames.push(names.numberOf(attributes[n]!))
      texts.push(attributes[n + 1]!)
    }
  }
  return {
    fields,
    names: names.all(),
    attributeNames: Uint32Array.from(attributeNames),
    texts: texts.join(''),
    ends: endsOf(texts),
  }
}

/** Numbers of names, in the order in which they come. */
class NameNumbers {
  readonly #numbers = new Map<string, number>()

  numberOf(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.#numbers.size)
    return this.#numbers.size - 1
  }

  all(): string[] {
    return [...this.#numbers.keys()]
  }
}

function endsOf(texts: readonly string[]): Uint32Array {
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (let i = 0; i < texts.length; i++) {
    end += texts[i]!.length
    ends[i] = end
  }
  return ends
}

/** The records that were packed, in their order. Their texts are parts of one: to keep few of many records
 *  for long, they are packed anew. */
export function unpackRecords(packed: PackedRecords): (RebuiltRecord | undefined)[] {
  return new Unpacking(packed).records()
}

class Unpacking {
  readonly #packed: PackedRecords
  #nextText = 0
  #nextName = 0
  #stream: Stream | undefined

  constructor(packed: PackedRecords) {
    this.#packed = packed
  }

  records(): (RebuiltRecord | undefined)[] {
    const { fields } = this.#packed
    const records: (RebuiltRecord | undefined)[] = []
    for (let at = 0; at < fields.length; at += fieldsPerRecord) {
      records.push(fields[at + 4] === unread ? undefined : this.#record(at))
    }
    return records
  }

  #record(at: number): RebuiltRecord {
    const { fields, names, attributeNames } = this.#packed
    const stream = this.#streamAt(at)
    const message = this.#takeText()
    const attributes: string[] = []
    for (let n = fields[at + 4]!; n > 0; n--) {
      attributes.push(names[attributeNames[this.#nextName++]!]!, this.#takeText())
    }
    const record = { timestamp: fields[at]!, level: this.#nameAt(at + 1), message, attributes }
    const ownLength = fields[at + 5]!
    return ownLength === notSaid ? { ...record, stream } : { ...record, ownLength, stream }
  }

  /** Neighbours share theirs, as most records of an answer do. */
  #streamAt(at: number): Stream {
    const [service, environment] = [this.#nameAt(at + 2), this.#nameAt(at + 3)]
    if (this.#stream?.service !== service || this.#stream.environment !== environment) {
      this.#stream = { service, environment }
    }
    return this.#stream
  }

  #nameAt(at: number): string {
    return this.#packed.names[this.#packed.fields[at]!]!
  }

  #takeText(): string {
    const { texts, ends } = this.#packed
    const text = texts.slice(ends[this.#nextText - 1] ?? 0, ends[this.#nextText])
    this.#nextText++
    return text
  }
}
