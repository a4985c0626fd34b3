/**
 * Syslog over a stream: how messages are told apart is told by the first of them, and stays so for the
 * connection. A number, a blank and `<` are a length (octet counting); all else is a message that ends in a
 * line break or NUL (RFC 6587).
 */

import { CountedFrames } from './counted-frames.ts'
import { DelimitedFrames } from './delimited-frames.ts'
import type { Framer, FrameSink } from './framer.ts'

/** A length, and what begins a message behind it; and what may become that. */
const counted = /^[1-9]\d{0,9} </
const perhapsCounted = /^[1-9]\d{0,9} ?$/
const tellingBytes = 12

export class SyslogFrames implements Framer {
  readonly #bytesMax: number
  #framer: Framer | undefined
  #first = Buffer.alloc(0)

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get heldBytes(): number {
    return this.#framer?.heldBytes ?? this.#first.length
  }

  push(bytes: Buffer, sink: FrameSink): void {
    if (this.#framer !== undefined) {
      this.#framer.push(bytes, sink)
      return
    }
    const first = this.#first.length === 0 ? bytes : Buffer.concat([this.#first, bytes])
    const beginning = first.toString('latin1', 0, tellingBytes)
    if (perhapsCounted.test(beginning)) {
      this.#first = Buffer.from(first)
      return
    }
    this.#choose(counted.test(beginning)).push(first, sink)
  }

  end(sink: FrameSink): void {
    if (this.#framer === undefined && this.#first.length > 0) {
      const first = this.#first
      this.#choose(false).push(first, sink)
    }
    this.#framer?.end(sink)
  }

  #choose(isCounted: boolean): Framer {
    this.#framer = isCounted
      ? new CountedFrames(this.#bytesMax)
      : new DelimitedFrames('lines and nul', this.#bytesMax)
    this.#first = this.#first.subarray(0, 0)
    return this.#framer
  }
}
