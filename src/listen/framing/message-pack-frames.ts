/** Values in MessagePack, one after the other: each is a message. */

import { MessagePackError, MessagePackScanner } from '../../ingest/message-pack.ts'
import { PartialFrame } from '../../ingest/partial-frame.ts'
import { type Framer, type FrameSink, UnreadableStream } from './framer.ts'

export class MessagePackFrames implements Framer {
  readonly #bytesMax: number
  readonly #partial = new PartialFrame()
  readonly #scanner = new MessagePackScanner()

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get heldBytes(): number {
    return this.#partial.heldBytes
  }

  push(bytes: Buffer, sink: FrameSink): void {
    let rest = bytes
    if (this.#partial.length > 0) {
      this.#partial.append(bytes)
      const end = this.#endOf(this.#partial.bytes, 0)
      if (end < 0) {
        this.#requireSize(this.#partial.length)
        return
      }
      const whole = this.#partial.take()
      rest = whole.subarray(end)
      sink.frame(whole.subarray(0, end))
    }
    let at = 0
    for (let end = 0; at < rest.length; at = end) {
      end = this.#endOf(rest, at)
      if (end < 0) break
      sink.frame(rest.subarray(at, end))
    }
    if (at < rest.length) this.#partial.append(rest.subarray(at))
    this.#requireSize(this.#partial.length)
  }

  end(sink: FrameSink): void {
    if (this.#partial.length > 0) sink.refused('torn')
  }

  #endOf(bytes: Buffer, at: number): number {
    try {
      return this.#scanner.endOf(bytes, at)
    } catch (error) {
      if (error instanceof MessagePackError) throw new UnreadableStream(error.message)
      throw error
    }
  }

  #requireSize(bytes: number): void {
    if (bytes <= this.#bytesMax) return
    throw new UnreadableStream(`expected a message of at most ${this.#bytesMax} bytes`)
  }
}
