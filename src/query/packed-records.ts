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
  const numbers = new Map<string, number>()
  const numberOf = (name: string) => {
    const known = numbers.get(name)
    if (known !== undefined) return known
    numbers.set(name, numbers.size)
    return numbers.size - 1
  }
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
    fields[at + 1] = numberOf(level)
    fields[at + 2] = numberOf(stream.service)
    fields[at + 3] = numberOf(stream.environment)
    fields[at + 4] = attributes.length / 2
    fields[at + 5] = ownLength ?? notSaid
    texts.push(message)
    for (let n = 0; n < attributes.length; n += 2) {
      attributeNames.push(numberOf(attributes[n]!))
      texts.push(attributes[n + 1]!)
    }
  }
  return {
    fields,
    names: [...numbers.keys()],
    attributeNames: Uint32Array.from(attributeNames),
    texts: texts.join(''),
    ends: endsOf(texts),
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
  const { fields, names, attributeNames, texts, ends } = packed
  const records: (RebuiltRecord | undefined)[] = []
  let nextText = 0
  let nextName = 0
  const takeText = () => {
    const text = texts.slice(ends[nextText - 1] ?? 0, ends[nextText])
    nextText++
    return text
  }
  const nameAt = (at: number) => names[fields[at]!]!
  let stream: Stream | undefined
  for (let at = 0; at < fields.length; at += fieldsPerRecord) {
    const attributeCount = fields[at + 4]!
    if (attributeCount === unread) {
      records.push(undefined)
      continue
    }
    const [service, environment] = [nameAt(at + 2), nameAt(at + 3)]
    // Neighbours share theirs, as most records of an answer do.
    if (stream?.service !== service || stream.environment !== environment) {
      stream = { service, environment }
    }
    const message = takeText()
    const attributes: string[] = []
    for (let n = 0; n < attributeCount; n++) {
      attributes.push(names[attributeNames[nextName++]!]!, takeText())
    }
    const ownLength = fields[at + 5]!
    records.push({
      timestamp: fields[at]!,
      level: nameAt(at + 1),
      message,
      attributes,
      ...(ownLength !== notSaid && { ownLength }),
      stream,
    })
  }
  return records
}
