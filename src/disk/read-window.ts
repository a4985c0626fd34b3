/**
 * A part of a file in memory that moves along while the file is read: one large read for many small
 * parts, into memory that is used again, also for the next file. It may jump, also backwards.
 */
import type { InputFile } from './disk.ts'
import { readInto } from './read.ts'

/** Large enough that calls of the system do not count, small enough to stay in a processor's cache. */
const windowBytesDefault = 1024 * 1024

export class ReadWindow {
  /** What is read at a time, at least. */
  readonly windowBytes: number
  #buffer: Buffer = Buffer.alloc(0)
  #file: InputFile | undefined
  #fileBytes = 0
  /** What was read, from `offset` of the file on. The next `reach` may overwrite it. */
  bytes = this.#buffer
  /** Where in the file `bytes` begins. */
  offset = 0

  constructor(windowBytes = windowBytesDefault) {
    this.windowBytes = windowBytes
  }

  /** Turns to a file: at first, and for each one more. */
  open(file: InputFile): this {
    this.#file = file
    this.#fileBytes = file.size()
    this.bytes = this.#buffer.subarray(0, 0)
    return this
  }

  /**
   * Sees to it that `length` bytes of the file from `offset` on, which is inside of it, are in `bytes`,
   * or as many as there are before its end. Returns where in `bytes` they begin. Memory: a window, or
   * the most that was ever asked for at once.
   */
  reach(offset: number, length: number): number {
    const at = offset - this.offset
    if (at >= 0 && at + length <= this.bytes.length) return at
    const wanted = Math.min(Math.max(length, this.windowBytes), this.#fileBytes - offset)
    if (wanted > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(wanted)
    const target = this.#buffer.subarray(0, wanted)
    this.offset = offset
    this.bytes = target.subarray(0, readInto(target, this.#file!, offset))
    return 0
  }
}
