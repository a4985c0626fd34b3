/**
 * Where a value in MessagePack ends, without making it: for streams that come in pieces, and for values that
 * are only passed on. Source: github.com/msgpack/msgpack, spec.md.
 */

import { limits } from '../limits.ts'

/** Beside an event's own levels: those of the message around it. */
const depthMax = limits.eventDepthMax + 8

/** Bytes are no MessagePack, or are nested too deeply. */
export class MessagePackError extends Error {}

/** Scans one value after the other; a value may come in pieces, each call having all of it so far. */
export class MessagePackScanner {
  /** How many values each open array or map lacks, the innermost last. */
  #open: number[] = []
  /** Where the scan goes on, from the beginning of the value. */
  #at = 0

  /** The end of the value that begins at `start`; -1 when it is not whole yet. Throws MessagePackError. */
  endOf(bytes: Buffer, start: number): number {
    while (this.#at === 0 || this.#open.length > 0) {
      if (start + this.#at >= bytes.length) return -1
      const header = headerAt(bytes, start + this.#at)
      if (header === undefined) return -1
      this.#at += header.bytes
      if (header.children === 0) this.#close()
      else if (this.#open.length < depthMax) this.#open.push(header.children)
      else throw new MessagePackError('nested too deeply')
    }
    const end = start + this.#at // The last bytes of the value may still be missing.
    if (end > bytes.length) return -1
    this.#at = 0
    return end
  }

  #close(): void {
    while (this.#open.length > 0) {
      const last = this.#open.length - 1
      this.#open[last]! -= 1
      if (this.#open[last]! > 0) return
      this.#open.pop()
    }
  }
}

/** The end of the whole value at `start`; -1 when it is not whole. Throws MessagePackError. */
export function messagePackEnd(bytes: Buffer, start: number): number {
  return new MessagePackScanner().endOf(bytes, start)
}

interface MessagePackHeader {
  /** Of the value without what is nested in it. */
  readonly bytes: number
  /** Values that are nested in it directly. */
  readonly children: number
}

/** How a value goes on after its first byte: bytes of a length, of data, and what is nested per length. */
type Form = readonly [lengthBytes: number, dataBytes: number, children: number]

/** Data of these sizes. */
const fixed = (...sizes: readonly number[]): Form[] => sizes.map(bytes => [0, bytes, 0])

/** A length of so many bytes, for each of these, before data or what is nested. */
const counted = (sizes: readonly number[], { data = 0, children = 0 }): Form[] =>
  sizes.map(bytes => [bytes, data, children])

const never: Form = [-1, 0, 0]

/** Of 0xc0 to 0xdf. */
const forms: readonly Form[] = [
  ...[...fixed(0), never, ...fixed(0, 0)], // nil, never used, false, true
  ...counted([1, 2, 4], {}), // bin
  ...counted([1, 2, 4], { data: 1 }), // ext, with its type
  ...fixed(4, 8), // float
  ...fixed(1, 2, 4, 8), // uint
  ...fixed(1, 2, 4, 8), // int
  ...fixed(2, 3, 5, 9, 17), // fixext, with its type
  ...counted([1, 2, 4], {}), // str
  ...counted([2, 4], { children: 1 }), // array
  ...counted([2, 4], { children: 2 }), // map
]

/** What stands at `at`; undefined when it is not all there. Throws MessagePackError. */
function headerAt(bytes: Buffer, at: number): MessagePackHeader | undefined {
  const code = bytes[at]!
  if (code <= 0x7f || code >= 0xe0) return { bytes: 1, children: 0 }
  if (code <= 0x8f) return { bytes: 1, children: 2 * (code & 0x0f) }
  if (code <= 0x9f) return { bytes: 1, children: code & 0x0f }
  if (code <= 0xbf) return { bytes: 1 + (code & 0x1f), children: 0 }
  const [lengthBytes, dataBytes, perLength] = forms[code - 0xc0]!
  if (lengthBytes < 0) throw new MessagePackError('0xc1 stands where a value begins')
  if (at + 1 + lengthBytes > bytes.length) return undefined
  const length = lengthBytes === 0 ? 0 : bytes.readUIntBE(at + 1, lengthBytes)
  const bytesBefore = 1 + lengthBytes
  if (perLength > 0) return { bytes: bytesBefore, children: perLength * length }
  return { bytes: bytesBefore + dataBytes + length, children: 0 }
}
