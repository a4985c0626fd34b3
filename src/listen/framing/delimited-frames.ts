/**
 * Messages that end in a byte: a line break or NUL for syslog, NUL for GELF. A last message without it
 * counts when the sender has ended in order. Of syslog, whose senders use both, a connection whose first
 * message ends in NUL (Python's handler) may have line breaks within its messages.
 */

import { PartialFrame } from '../../ingest/partial-frame.ts'
import type { Framer, FrameSink } from './framer.ts'

const nul = 0
const newline = 0x0a

export class DelimitedFrames implements Framer {
  readonly #bytesMax: number
  readonly #partial = new PartialFrame()
  /** Whether line breaks end messages too. */
  #hasLines: boolean
  #isFirst = true
  /** Of a message beyond the limit, up to its end. */
  #isSkipping = false

  constructor(delimiters: 'nul' | 'lines and nul', bytesMax: number) {
    this.#hasLines = delimiters === 'lines and nul'
    this.#bytesMax = bytesMax
  }

  get heldBytes(): number {
    return this.#partial.heldBytes
  }

  push(bytes: Buffer, sink: FrameSink): void {
    let at = 0
    let nextNul = bytes.indexOf(nul)
    for (;;) {
      const line = this.#hasLines ? bytes.indexOf(newline, at) : -1
      if (nextNul >= 0 && nextNul < at) nextNul = bytes.indexOf(nul, at)
      const end = line < 0 || (nextNul >= 0 && nextNul < line) ? nextNul : line
      if (end < 0) break
      if (this.#isFirst && end === nextNul) this.#hasLines = false
      this.#isFirst = false
      this.#close(bytes.subarray(at, end), sink)
      at = end + 1
    }
    this.#keep(bytes.subarray(at), sink)
  }

  end(sink: FrameSink): void {
    this.#close(bytesOfNone, sink)
  }

  /** The message ends with `bytes`. */
  #close(bytes: Buffer, sink: FrameSink): void {
    if (this.#partial.length > 0 || this.#isSkipping) this.#keep(bytes, sink)
    const isSkipped = this.#isSkipping
    this.#isSkipping = false
    const whole = this.#partial.length > 0 ? this.#partial.take() : bytes
    if (isSkipped || whole.length === 0) return
    if (whole.length > this.#bytesMax) sink.refused('too_large')
    else sink.frame(whole)
  }

  #keep(bytes: Buffer, sink: FrameSink): void {
    if (this.#isSkipping || bytes.length === 0) return
    if (this.#partial.length + bytes.length <= this.#bytesMax) {
      this.#partial.append(bytes)
      return
    }
    this.#partial.take()
    this.#isSkipping = true
    sink.refused('too_large')
  }
}

const bytesOfNone = Buffer.alloc(0)
