/**
 * Encodes the variables of one slot of one template: picks the smallest kind that holds them.
 */

import { packPlanes, planeCount } from '../planes.ts'
import { hashWord, WordTable } from '../words.ts'

/** How a slot's variables are kept; the number is the kind in the directory. */
export const slotKinds = { constant: 0, integer: 1, dictionary: 2, hex: 3, text: 4 } as const
export type SlotKind = (typeof slotKinds)[keyof typeof slotKinds]

/** Parameters of each kind, by its number. */
export const slotParameters: readonly (readonly string[])[] = [
  ['length'],
  ['least', 'planes'],
  ['entries', 'leastLength', 'lengthPlanes', 'textBytes'],
  ['length'],
  ['leastLength', 'lengthPlanes', 'textBytes'],
]

/** Planes of the codes of a dictionary of so many entries. */
export function codePlanes(entries: number): number {
  return planeCount(entries - 1)
}

/** The variables of a slot: variable i is `bytes[starts[i], ends[i])`, in the order of the texts. */
export interface SlotValues {
  readonly bytes: Buffer
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly count: number
}

/** An encoded slot. Bytes of a constant stand in the directory, all others in a chunk. */
export interface EncodedSlot {
  readonly kind: SlotKind
  /** Integers that it takes to read it; see `slotParameters`. */
  readonly parameters: readonly number[]
  readonly bytes: Buffer
}

/** Entries of a dictionary: their numbers have at most two bytes. */
export const entriesMax = 65_536

/** Entries that a dictionary may have whatever the number of values, and the share of the values that
 *  it may have beyond these: at the end, and on the way, where random values show early. */
const entriesFree = 256
const entriesShare = 1 / 8
const entriesShareOnTheWay = 1 / 4

const digitsMax = 16

export function encodeSlot(values: SlotValues): EncodedSlot {
  if (isConstant(values)) return encodeConstant(values)
  const integers = encodeIntegers(values)
  const isNarrow = integers !== undefined && integers.bytes.length <= values.count
  if (isNarrow) return integers
  const dictionary = encodeDictionary(values)
  const best = integers ?? encodeHex(values) ?? encodeText(values)
  return dictionary !== undefined && dictionary.bytes.length < best.bytes.length ? dictionary : best
}

function isConstant({ bytes, starts, ends, count }: SlotValues): boolean {
  const length = ends[0]! - starts[0]!
  for (let i = 1; i < count; i++) {
    if (ends[i]! - starts[i]! !== length) return false
    if (bytes[starts[i]!] !== bytes[starts[0]!]) return false
  }
  for (let i = 1; i < count; i++) {
    if (bytes.compare(bytes, starts[0]!, ends[0]!, starts[i]!, ends[i]!) !== 0) return false
  }
  return true
}

function encodeConstant({ bytes, starts, ends }: SlotValues): EncodedSlot {
  const constant = bytes.subarray(starts[0]!, ends[0]!)
  return { kind: slotKinds.constant, parameters: [constant.length], bytes: constant }
}

/** Integers as JavaScript writes them, so that writing them again gives the same bytes. */
function encodeIntegers(values: SlotValues): EncodedSlot | undefined {
  const { bytes, starts, ends, count } = values
  const integers = new Float64Array(count)
  let least = Number.MAX_SAFE_INTEGER
  let most = 0
  for (let i = 0; i < count; i++) {
    const start = starts[i]!
    const end = ends[i]!
    if (end - start > digitsMax || (bytes[start] === 0x30 && end - start > 1)) return undefined
    let value = 0
    for (let at = start; at < end; at++) {
      const digit = bytes[at]! - 0x30
      if (digit < 0 || digit > 9) return undefined
      value = value * 10 + digit
    }
    if (value > Number.MAX_SAFE_INTEGER) return undefined
    integers[i] = value
    if (value < least) least = value
    if (value > most) most = value
  }
  for (let i = 0; i < count; i++) integers[i]! -= least
  const planes = planeCount(most - least)
  const packed = Buffer.allocUnsafe(planes * count)
  packPlanes(integers, planes, packed)
  return { kind: slotKinds.integer, parameters: [least, planes], bytes: packed }
}

function encodeDictionary(values: SlotValues): EncodedSlot | undefined {
  const { bytes, starts, ends, count } = values
  const table = new WordTable(bytes)
  const codes = new Uint16Array(count)
  const countMax = Math.min(entriesMax, entriesFree + count * entriesShare)
  for (let i = 0; i < count; i++) {
    const start = starts[i]!
    const end = ends[i]!
    codes[i] = table.add(start, end, hashWord(bytes, start, end))
    const isTooMany = table.count > countMax || table.count > entriesFree + i * entriesShareOnTheWay
    if (isTooMany) return undefined
  }
  const entryStarts = Uint32Array.from({ length: table.count }, (_, entry) => table.startOf(entry))
  const entryEnds = Uint32Array.from({ length: table.count }, (_, entry) => table.endOf(entry))
  const entries = encodeText({ bytes, starts: entryStarts, ends: entryEnds, count: table.count })
  const planes = codePlanes(table.count)
  const packed = Buffer.allocUnsafe(planes * count)
  packPlanes(codes, planes, packed)
  return {
    kind: slotKinds.dictionary,
    parameters: [table.count, ...entries.parameters],
    bytes: Buffer.concat([packed, entries.bytes]),
  }
}

/** Lower-case hexadecimal digits, an even number of them, the same in all values. */
function encodeHex({ bytes, starts, ends, count }: SlotValues): EncodedSlot | undefined {
  const length = ends[0]! - starts[0]!
  if (length % 2 !== 0) return undefined
  for (let i = 1; i < count; i++) {
    if (ends[i]! - starts[i]! !== length) return undefined
  }
  const packed = Buffer.allocUnsafe((count * length) / 2)
  let into = 0
  for (let i = 0; i < count; i++) {
    for (let at = starts[i]!; at < ends[i]!; at += 2) {
      const high = hexDigits[bytes[at]!]!
      const low = hexDigits[bytes[at + 1]!]!
      if (high === notHex || low === notHex) return undefined
      packed[into++] = (high << 4) | low
    }
  }
  return { kind: slotKinds.hex, parameters: [length], bytes: packed }
}

const notHex = 0xff
const hexDigits = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(byte))
  return digit === -1 ? notHex : digit
})

/** What the lengths have beyond the least, in planes; then the bytes. */
function encodeText({ bytes, starts, ends, count }: SlotValues): EncodedSlot {
  const lengths = new Uint32Array(count)
  let least = ends[0]! - starts[0]!
  let most = least
  let textBytes = 0
  for (let i = 0; i < count; i++) {
    const length = ends[i]! - starts[i]!
    lengths[i] = length
    textBytes += length
    if (length < least) least = length
    if (length > most) most = length
  }
  for (let i = 0; i < count; i++) lengths[i]! -= least
  const planes = planeCount(most - least)
  const encoded = Buffer.allocUnsafe(planes * count + textBytes)
  packPlanes(lengths, planes, encoded)
  let into = planes * count
  for (let i = 0; i < count; i++) {
    for (let at = starts[i]!; at < ends[i]!; at++) encoded[into++] = bytes[at]!
  }
  return { kind: slotKinds.text, parameters: [least, planes, textBytes], bytes: encoded }
}
