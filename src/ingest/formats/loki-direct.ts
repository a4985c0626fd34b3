/**
 * Usual entries of Loki's protobuf, read where they stand, without an object on the way: labels with plain
 * values (`{app="shop", level="info"}`), a time after 1970, pairs of metadata with the name first. Every
 * other goes the plain way, `loki-protobuf.ts`, which alone says what becomes of an entry.
 */

import type { FlatReader } from '../direct/flat-reader.ts'
import type { Range } from '../otlp/wire.ts'

/** A field's number and that its value has a length, or is an integer: as `push.proto` has them. */
const tag = {
  entry: { time: 0x0a, line: 0x12, metadata: 0x1a },
  time: { seconds: 0x08, nanoseconds: 0x10 },
  pair: { name: 0x0a, value: 0x12 },
} as const

const msPerSecond = 1_000
const nanosecondsPerMs = 1_000_000
/** Seven bits each: integers of more bytes go the plain way. */
const integerBytesMax = 5

/** `{`, a name, `="`, a value without escapes, `"`: several with a comma and perhaps a blank between. */
const label = /([a-zA-Z_][\w.:-]*)="([^"\\]*)"(?:, ?|(?=\}$))/y
/** Whose meaning depends on other fields. */
const detectedLevel = 'detected_level'

interface Pair {
  readonly nameStart: number
  readonly nameEnd: number
  readonly start: number
  readonly end: number
}

export class LokiDirect {
  readonly #body: Buffer
  readonly #flat: FlatReader
  /** Of the stream; undefined when its entries go the plain way. */
  #labels: Pair[] | undefined = []
  /** Where the integer or length that was read last ends. */
  #at = 0
  #timestamp: number | undefined
  #subMsNanoseconds = 0

  constructor(body: Buffer, flat: FlatReader) {
    this.#body = body
    this.#flat = flat
  }

  /** Where the labels are of the entries that follow, if they have any. */
  takeLabels(place: Range | undefined): void {
    this.#labels = place === undefined ? [] : placesOfLabels(this.#body, place)
  }

  /** Reads the entry in `range`; false when it goes the plain way. */
  read({ start, end }: Range): boolean {
    const labels = this.#labels
    if (labels === undefined) return false
    this.#flat.begin(this.#body)
    this.#timestamp = undefined
    this.#subMsNanoseconds = 0
    for (const { nameStart, nameEnd, start, end } of labels) {
      if (!this.#flat.note(nameStart, nameEnd, start, end)) return false
    }
    return this.#readEntry(start, end)
  }

  #readEntry(start: number, end: number): boolean {
    let lineStart = start
    let lineEnd = start
    for (let offset = start; offset < end; ) {
      const valueEnd = this.#lengthEnd(offset + 1, end)
      if (valueEnd < 0) return false
      const valueStart = this.#at
      switch (this.#body[offset]) {
        case tag.entry.time:
          if (!this.#readTime(valueStart, valueEnd)) return false
          break
        case tag.entry.line:
          lineStart = valueStart
          lineEnd = valueEnd
          break
        case tag.entry.metadata:
          if (!this.#readPair(valueStart, valueEnd)) return false
          break
        default:
          return false
      }
      offset = valueEnd
    }
    const time = { timestamp: this.#timestamp, subMsNanoseconds: this.#subMsNanoseconds }
    return this.#flat.finish({ start: lineStart, end: lineEnd, ...time })
  }

  /** Both are there mostly; one that is absent is 0. */
  #readTime(start: number, end: number): boolean {
    let seconds = 0
    let nanoseconds = 0
    for (let offset = start; offset < end; offset = this.#at) {
      const value = this.#integer(offset + 1, end)
      if (value < 0) return false
      if (this.#body[offset] === tag.time.seconds) seconds = value
      else if (this.#body[offset] === tag.time.nanoseconds) nanoseconds = value
      else return false
    }
    if (seconds === 0 || nanoseconds >= msPerSecond * nanosecondsPerMs) return false
    const subMs = nanoseconds % nanosecondsPerMs
    this.#timestamp = seconds * msPerSecond + (nanoseconds - subMs) / nanosecondsPerMs
    this.#subMsNanoseconds = subMs
    return true
  }

  #readPair(start: number, end: number): boolean {
    if (this.#body[start] !== tag.pair.name) return false
    const nameEnd = this.#lengthEnd(start + 1, end)
    if (nameEnd < 0) return false
    const nameStart = this.#at
    if (this.#isDetectedLevel(nameStart, nameEnd)) return false
    if (nameEnd === end) return this.#flat.note(nameStart, nameEnd, end, end)
    if (this.#body[nameEnd] !== tag.pair.value) return false
    const valueEnd = this.#lengthEnd(nameEnd + 1, end)
    return valueEnd === end && this.#flat.note(nameStart, nameEnd, this.#at, valueEnd)
  }

  #isDetectedLevel(start: number, end: number): boolean {
    const isAsLong = end - start === detectedLevel.length
    return isAsLong && this.#body.toString('latin1', start, end) === detectedLevel
  }

  /** Where the value ends whose length is at `start`; -1 when not by `end`. It begins at `#at`. */
  #lengthEnd(start: number, end: number): number {
    const length = this.#integer(start, end)
    return length < 0 || this.#at + length > end ? -1 : this.#at + length
  }

  /** The integer at `start`, -1 when it does not end by `end` or is long; then goes on at `#at`. */
  #integer(start: number, end: number): number {
    const body = this.#body
    let value = 0
    let scale = 1
    for (let at = start; at < end && at < start + integerBytesMax; at++) {
      const byte = body[at]!
      value += (byte & 0x7f) * scale
      if (byte < 0x80) {
        this.#at = at + 1
        return value
      }
      scale *= 0x80
    }
    return -1
  }
}

/** Undefined when they are not the usual ones. */
function placesOfLabels(body: Buffer, { start, end }: Range): Pair[] | undefined {
  // Latin-1 has a character for each byte, so that places in it are places of the body.
  const text = body.toString('latin1', start, end)
  if (text === '{}') return []
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined
  const places: Pair[] = []
  label.lastIndex = 1
  while (label.lastIndex < text.length - 1) {
    const at = label.lastIndex
    const [whole, name, value] = label.exec(text) ?? []
    if (whole === undefined || name === undefined || value === undefined) return undefined
    if (name === detectedLevel) return undefined
    const nameStart = start + at
    const nameEnd = nameStart + name.length
    places.push({ nameStart, nameEnd, start: nameEnd + 2, end: nameEnd + 2 + value.length })
  }
  return places
}
