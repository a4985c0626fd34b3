/**
 * Messages with their length in bytes before them, in decimal and followed by a blank (RFC 6587, 3.4.1). Line
 * breaks between messages, which some senders add, are read over.
 */

import { PartialFrame } from '../../ingest/partial-frame.ts'
import { type Framer, type FrameSink, UnreadableStream } from './framer.ts'

const digitsMax = 10
const zero = 0x30
const space = 0x20
const newline = 0x0a
const carriageReturn = 0x0d

export class CountedFrames implements Framer {
  readonly #bytesMax: number
  readonly #partial = new PartialFrame()
  /** The number that is being read, and its digits so far. */
  #count = 0
  #digits = 0
  /** Bytes that the message still lacks; -1 while its number is read. */
  #missing = -1
  #isSkipping = false

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get heldBytes(): number {
    return this.#partial.heldBytes
  }

  push(bytes: Buffer, sink: FrameSink): void {
    let at = 0
    while (at < bytes.length) {
      if (this.#missing < 0) {
        this.#readDigit(bytes[at++]!, sink)
        continue
      }
      const end = Math.min(at + this.#missing, bytes.length)
      this.#take(bytes.subarray(at, end), sink)
      at = end
    }
  }

  end(sink: FrameSink): void {
    const isTorn = this.#digits > 0 || (this.#missing > 0 && !this.#isSkipping)
    if (isTorn) sink.refused('torn')
  }

  #readDigit(code: number, sink: FrameSink): void {
    const digit = code - zero
    if (digit >= 0 && digit <= 9 && this.#digits < digitsMax && (digit > 0 || this.#digits > 0)) {
      this.#count = 10 * this.#count + digit
      this.#digits += 1
    } else if (code === space && this.#digits > 0) {
      this.#missing = this.#count
      this.#isSkipping = this.#count > this.#bytesMax
      if (this.#isSkipping) sink.refused('too_large')
      this.#count = 0
      this.#digits = 0
    } else if (this.#digits > 0 || (code !== newline && code !== carriageReturn)) {
      const found = JSON.stringify(String.fromCharCode(code))
      throw new UnreadableStream(`expected the length of the next message, found ${found}`)
    }
  }

  #take(bytes: Buffer, sink: FrameSink): void {
    this.#missing -= bytes.length
    const isWhole = this.#missing === 0
    if (isWhole) this.#missing = -1
    if (this.#isSkipping) return
    if (isWhole && this.#partial.length === 0) sink.frame(bytes)
    else this.#partial.append(bytes)
    if (isWhole && this.#partial.length > 0) sink.frame(this.#partial.take())
  }
}
