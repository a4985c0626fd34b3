/**
 * Lower-case hexadecimal digits of one length (trace ids, digests), and lower-case UUIDs: as the bytes
 * that they write, one after the other, in half the space.
 *
 * Description: [form, bytes per value]. Equality searches those bytes; a part of a value is searched
 * in the digits, made for the moment: kept, they would take three times the memory.
 */
import { type Condition, passes } from '../match/condition.ts'
import type { ChunkSource, EncodedColumn, SearchableColumn, TextColumn } from './column.ts'
import { offsetsFrom } from './plain.ts'
import { checkCount, checkLength, checkShape, readIntegers } from './shape.ts'

/** Characters of the shortest value: below, integers and dictionaries do as well. */
const lengthMin = 8

/**
 * How much of a value is searched first. Node searches fewer than 8 bytes with `memchr`, longer needles with
 * Boyer's, Moore's and Horspool's way, which skips a value at a time and takes three times as long here.
 */
const endBytes = 7
/** Values that end alike: from then on comparing them takes longer than searching all of the value. */
const vainFindsMax = 64

const digitForm = 0
const uuidForm = 1
type Form = typeof digitForm | typeof uuidForm

const uuidLength = 36
const uuidBytes = 16
/** Where in a UUID's text each of its bytes stands, and its dashes. */
const uuidPlaces = Uint32Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34)
const uuidDashes = [8, 13, 18, 23]

const dash = 0x2d
const notDigit = 0xff
/** The value of each character that is a digit here. */
const digitValues = new Uint8Array(256).fill(notDigit)
Buffer.from('0123456789abcdef').forEach((digit, value) => {
  digitValues[digit] = value
})
/** The two digits of each byte, as a little-endian integer of 16 bits. */
const digitPairs = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(byte.toString(16).padStart(2, '0')).readUInt16LE(),
)

/** Undefined unless all values are hexadecimal of one even length, at least 8, or all UUIDs. */
export function encodeHex(values: TextColumn): EncodedColumn | undefined {
  const { offsets, bytes } = values
  const valueCount = offsets.length - 1
  if (valueCount === 0) return undefined
  const length = offsets[1]! - offsets[0]!
  for (let i = 1; i < valueCount; i++) {
    if (offsets[i + 1]! - offsets[i]! !== length) return undefined
  }
  const form = length === uuidLength && bytes[offsets[0]! + 8] === dash ? uuidForm : digitForm
  if (form === digitForm && (length < lengthMin || length % 2 !== 0)) return undefined
  const width = form === uuidForm ? uuidBytes : length / 2
  const packed = Buffer.allocUnsafeSlow(valueCount * width)
  const isHex = packDigits(bytes, offsets[0]!, form, width, packed)
  return isHex ? { encoding: 'hex', meta: [form, width], chunks: [packed] } : undefined
}

export function openHex(meta: unknown, valueCount: number, chunk: ChunkSource): SearchableColumn {
  checkCount('hex', valueCount)
  const [form, width] = readIntegers('hex', meta, ['form', 'width']) as [Form, number]
  const isDigits = form === digitForm && width >= lengthMin / 2
  checkShape(
    isDigits || (form === uuidForm && width === uuidBytes),
    `hex column: form ${form} has no values of ${width} bytes`,
  )
  return new HexColumn(form, width, valueCount, chunk)
}

class HexColumn implements SearchableColumn {
  readonly valueCount: number
  readonly #form: Form
  readonly #width: number
  readonly #chunk: ChunkSource
  #opened: Buffer | undefined

  constructor(form: Form, width: number, valueCount: number, chunk: ChunkSource) {
    this.valueCount = valueCount
    this.#form = form
    this.#width = width
    this.#chunk = chunk
  }

  get heldBytes(): number {
    return this.#opened?.length ?? 0
  }

  textAt(index: number): string {
    const text = this.#bytes.toString('hex', index * this.#width, (index + 1) * this.#width)
    if (this.#form === digitForm) return text
    const group = (from: number, to: number) => text.slice(from, to)
    return `${group(0, 8)}-${group(8, 12)}-${group(12, 16)}-${group(16, 20)}-${group(20, 32)}`
  }

  markHits({ test }: Condition, hits: Uint8Array, isWanted: Uint8Array | undefined): void {
    if (test.kind === 'equals') this.#markEqual(test.bytes, hits)
    else if (test.kind === 'contains') this.#markContaining(test.bytes, hits)
    else {
      for (let i = 0; i < this.valueCount; i++) {
        const isAsked = isWanted === undefined || isWanted[i] === 1
        if (isAsked && passes(test, this.textAt(i))) hits[i] = 1
      }
    }
  }

  markBeginning(prefix: string, hits: Uint8Array): void {
    const needle = Buffer.from(prefix)
    if (needle.length > this.#textLength) return
    if (startsOf(needle, this.#form, this.#width)[0] !== 1) return
    const digits = needle.toString('latin1').replaceAll('-', '')
    const wanted = Buffer.from(digits.padEnd(Math.ceil(digits.length / 2) * 2, '0'), 'hex')
    const last = wanted.length - 1
    // Of an odd number of digits, half of the last byte counts.
    const lastMask = digits.length % 2 === 0 ? 0xff : 0xf0
    const bytes = this.#bytes
    const width = this.#width
    for (let value = 0, at = 0; at < bytes.length; value++, at += width) {
      let i = 0
      while (i < last && bytes[at + i] === wanted[i]) i++
      if (i === last && (bytes[at + last]! & lastMask) === wanted[last]) hits[value] = 1
    }
  }

  toTextColumn(): TextColumn {
    const length = this.#textLength
    const isUuid = this.#form === uuidForm
    return {
      offsets: offsetsFrom(new Uint32Array(this.valueCount).fill(length)),
      bytes: isUuid ? uuidTexts(this.#bytes) : Buffer.from(this.#bytes.toString('hex'), 'latin1'),
    }
  }

  /**
   * Searches the end of the value, which differs even where ids begin with the time, and compares the rest
   * where that is found. After some finds in vain all of the value is searched.
   */
  #markEqual(wanted: Buffer, hits: Uint8Array): void {
    if (wanted.length !== this.#textLength) return
    const width = this.#width
    const needle = Buffer.allocUnsafe(width)
    if (!packDigits(wanted, 0, this.#form, width, needle)) return
    const bytes = this.#bytes
    let sought = needle.subarray(-endBytes)
    let lead = width - sought.length
    let vainFinds = 0
    let at = bytes.indexOf(sought, lead)
    while (at !== -1) {
      const start = at - lead
      const isWhole = start % width === 0 && needle.compare(bytes, start, start + width) === 0
      if (isWhole) hits[start / width] = 1
      else if (++vainFinds === vainFindsMax) {
        sought = needle
        lead = 0
      }
      at = bytes.indexOf(sought, start + lead + (isWhole ? width : 1))
    }
  }

  #markContaining(needle: Buffer, hits: Uint8Array): void {
    const length = this.#textLength
    if (needle.length === 0) hits.fill(1)
    else if (needle.length === length) this.#markEqual(needle, hits)
    else if (needle.length < length) this.#markPart(needle, hits)
  }

  /** Searches the digits of all values end to end; a find counts where the needle can begin. */
  #markPart(needle: Buffer, hits: Uint8Array): void {
    const isStart = startsOf(needle, this.#form, this.#width)
    if (!isStart.includes(1)) return
    const wanted = needle.toString('latin1').replaceAll('-', '')
    if (wanted === '') {
      hits.fill(1) // A single dash, which every UUID has.
      return
    }
    const text = this.#bytes.toString('hex')
    const digitCount = isStart.length
    let at = text.indexOf(wanted)
    while (at !== -1) {
      const index = Math.floor(at / digitCount)
      const isInside = isStart[at - index * digitCount] === 1
      if (isInside) hits[index] = 1
      at = text.indexOf(wanted, isInside ? (index + 1) * digitCount : at + 1)
    }
  }

  get #textLength(): number {
    return textLengthOf(this.#form, this.#width)
  }

  get #bytes(): Buffer {
    if (this.#opened === undefined) {
      const bytes = this.#chunk(0)
      checkLength('hex', bytes, this.valueCount * this.#width)
      this.#opened = bytes
    }
    return this.#opened
  }
}

function textLengthOf(form: Form, width: number): number {
  return form === uuidForm ? uuidLength : width * 2
}

/**
 * At which digits of a value a part of it can begin that looks like the needle: where all of it fits
 * and its dashes stand where the value's do. Nowhere, when it has characters that no value has.
 */
function startsOf(needle: Buffer, form: Form, width: number): Uint8Array {
  const isStart = new Uint8Array(width * 2)
  if (form === digitForm) {
    const isPossible = needle.every(byte => digitValues[byte] !== notDigit)
    return isPossible ? isStart.fill(1, 0, isStart.length - needle.length + 1) : isStart
  }
  if (!needle.every(byte => digitValues[byte] !== notDigit || byte === dash)) return isStart
  let digit = 0
  for (let start = 0; start + needle.length <= uuidLength; start++) {
    const fits = needle.every((byte, i) => (byte === dash) === uuidDashes.includes(start + i))
    if (fits) isStart[digit] = 1
    if (!uuidDashes.includes(start)) digit++
  }
  return isStart
}

/** Fills `packed` from the text at `start`; false when that is not what the form writes. */
function packDigits(
  text: Buffer,
  start: number,
  form: Form,
  width: number,
  packed: Buffer,
): boolean {
  const places =
    form === uuidForm ? uuidPlaces : Uint32Array.from({ length: width }, (_, i) => i * 2)
  const textLength = textLengthOf(form, width)
  let from = start
  for (let value = 0; value < packed.length; value += width) {
    if (form === uuidForm && !uuidDashes.every(place => text[from + place] === dash)) return false
    let bits = 0
    for (let i = 0; i < width; i++) {
      const place = from + places[i]!
      const high = digitValues[text[place]!]!
      const low = digitValues[text[place + 1]!]!
      bits |= high | low
      packed[value + i] = (high << 4) | low
    }
    if (bits > 0xf) return false
    from += textLength
  }
  return true
}

function uuidTexts(packed: Buffer): Buffer {
  const textBytes = (packed.length / uuidBytes) * uuidLength
  const text = Buffer.allocUnsafeSlow(textBytes)
  const view = new DataView(text.buffer, text.byteOffset, textBytes)
  text.fill(dash) // They stay where no digits are written.
  let to = 0
  for (let value = 0; value < packed.length; value += uuidBytes) {
    for (let i = 0; i < uuidBytes; i++) {
      view.setUint16(to + uuidPlaces[i]!, digitPairs[packed[value + i]!]!, true)
    }
    to += uuidLength
  }
  return text
}
