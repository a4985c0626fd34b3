/** The beginning of a message whose rest has not come yet, in memory that grows with it. */

const firstBytes = 1024

export class PartialFrame {
  #memory: Buffer<ArrayBuffer> = Buffer.alloc(0)
  /** Bytes that came so far. */
  length = 0

  get heldBytes(): number {
    return this.#memory.length
  }

  /** What came so far, valid until more comes. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.length)
  }

  append(bytes: Buffer): void {
    const length = this.length + bytes.length
    if (length > this.#memory.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#memory.length, firstBytes))
      this.#memory.copy(grown, 0, 0, this.length)
      this.#memory = grown
    }
    bytes.copy(this.#memory, this.length)
    this.length = length
  }

  /** All of it; nothing is held any more: idle connections, of which there may be thousands, hold none. */
  take(): Buffer<ArrayBuffer> {
    const whole = this.#memory.subarray(0, this.length)
    this.#memory = Buffer.alloc(0)
    this.length = 0
    return whole
  }
}
