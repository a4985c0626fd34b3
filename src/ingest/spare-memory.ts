/**
 * Memory of large bodies that goes round: what one is decoded into is kept for the next one. To map and
 * unmap 60 MiB holds up all threads of the process for 10 ms and more, page by page, and what V8 sees
 * come and go starts its collector.
 *
 * One piece is kept, and only while large bodies are decoded: after some seconds without one it is let go.
 */

/** What is smaller comes and goes in little time. */
const keptBytesMin = 8 * 1024 * 1024

/** How long it is kept for the next body, ms. */
const keptMs = 5_000

export class SpareMemory {
  readonly #roomBytes: () => number
  #spare: ArrayBuffer | undefined
  #isWanted = false
  #timer: NodeJS.Timeout | undefined

  /** `roomBytes`: what may be kept now. */
  constructor(roomBytes: () => number) {
    this.#roomBytes = roomBytes
  }

  /** What is kept now. */
  get bytes(): number {
    return this.#spare?.byteLength ?? 0
  }

  /** Whether what a large body was read from is to be given to `keep`. */
  get isWanted(): boolean {
    return this.#isWanted && this.#spare === undefined
  }

  /** Memory of at least `bytes`, and less than twice as much, that holds anything. */
  take(bytes: number): ArrayBuffer {
    this.#isWanted = true
    this.#timer ??= setTimeout(() => this.#rest(), keptMs).unref()
    this.#timer.refresh()
    const spare = this.#spare
    this.#spare = undefined
    if (spare !== undefined && spare.byteLength >= bytes && spare.byteLength < 2 * bytes)
      return spare
    spare?.transfer(0)
    return new ArrayBuffer(bytes)
  }

  /** Keeps memory that nobody uses any more for the next large body, or lets it go. */
  keep(memory: ArrayBuffer): void {
    const isWorth = memory.byteLength > keptBytesMin && memory.byteLength <= this.#roomBytes()
    if (this.isWanted && isWorth) this.#spare = memory
    else memory.transfer(0)
  }

  /** Lets go what is kept: others need the room. */
  letGo(): void {
    this.#spare?.transfer(0)
    this.#spare = undefined
  }

  #rest(): void {
    this.#isWanted = false
    this.letGo()
  }
}
