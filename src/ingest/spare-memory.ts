/**
 * Memory of large bodies that goes round: what one is decoded into is kept for the next one. To map and
 * unmap 60 MiB holds up all threads of the process for 10 ms and more, page by page, and what V8 sees
 * come and go starts its collector.
 *
 * One piece is kept, and only while large bodies are decoded: after some seconds without one it is let go.
 */

import { discard } from '../threads/parcel.ts'
import type { SealedMemory } from '../threads/sealed-memory.ts'

/** What is smaller comes and goes in little time. */
const keptBytesMin = 8 * 1024 * 1024

/** How long it is kept for the next body, ms. */
const keptMs = 5_000

export class SpareMemory {
  readonly #roomBytes: () => number
  #spare: SealedMemory | undefined
  #isWanted = false
  #timer: NodeJS.Timeout | undefined

  /** `roomBytes`: what may be kept now. */
  constructor(roomBytes: () => number) {
    this.#roomBytes = roomBytes
  }

  /** What is kept now. */
  get bytes(): number {
    return this.#spare?.bytes ?? 0
  }

  /** Whether what a large body was read from is to be given to `keep`. */
  get isWanted(): boolean {
    return this.#isWanted && this.#spare === undefined
  }

  /** Memory of at least `bytes`, and less than twice as much, that holds anything; undefined: there is
   *  none. */
  take(bytes: number): SealedMemory | undefined {
    if (bytes <= keptBytesMin) return undefined
    this.#isWanted = true
    this.#timer ??= setTimeout(() => this.#rest(), keptMs).unref()
    this.#timer.refresh()
    const spare = this.#spare
    this.#spare = undefined
    if (spare === undefined) return undefined
    if (spare.bytes >= bytes && spare.bytes < 2 * bytes) return spare
    discard(spare)
    return undefined
  }

  /** Keeps memory that nobody uses any more for the next large body, or lets it go. */
  keep(memory: SealedMemory): void {
    const isWorth = memory.bytes > keptBytesMin && memory.bytes <= this.#roomBytes()
    if (this.isWanted && isWorth) this.#spare = memory
    else discard(memory)
  }

  /** Lets go what is kept: others need the room. */
  letGo(): void {
    if (this.#spare !== undefined) discard(this.#spare)
    this.#spare = undefined
  }

  #rest(): void {
    this.#isWanted = false
    this.letGo()
  }
}
