/**
 * Memory of encoded bodies that goes round. Hundreds that come in one moment are read one after the other,
 * most of them to be refused, and each in fresh memory would be hundreds of pages that the main thread
 * touches for the first time: up to 13 µs each on virtual machines, a third of a second for all.
 *
 * What is given back is kept for the next bodies while some come, and let go some seconds later.
 */
import { freeMemory } from '../../columns/growing-array.ts'

/** Smaller ones cost less than looking for them. */
const keptBytesMin = 64 * 1024
/** Of all that is kept, bytes. */
const keptBytesMax = 8 * 1024 * 1024
/** How long it is kept after the last body, ms. */
const keptMs = 5_000

/** For bodies that are passed on with their memory: each has its own. */
export const ownMemory: Pick<SpareBuffers, 'take' | 'giveBack'> = {
  take: () => undefined,
  giveBack: freeMemory,
}

export class SpareBuffers {
  readonly #keptMs: number
  #spare: Buffer<ArrayBuffer>[] = []
  #bytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(ms = keptMs) {
    this.#keptMs = ms
  }

  /** What is kept now. */
  get bytes(): number {
    return this.#bytes
  }

  /** So many bytes that hold anything, at the begin of up to twice as much; undefined: none are kept. */
  take(bytes: number): Buffer<ArrayBuffer> | undefined {
    const at = this.#spare.findIndex(({ length }) => length >= bytes && length <= 2 * bytes)
    if (at === -1) return undefined
    const [spare] = this.#spare.splice(at, 1)
    this.#bytes -= spare!.length
    return spare!.subarray(0, bytes)
  }

  /** Keeps the memory of a body, or of the begin of one, that has all of its own and is not used any more. */
  giveBack(body: Buffer<ArrayBuffer>): void {
    const whole = Buffer.from(body.buffer)
    // Small ones may share theirs with others.
    if (body.length < keptBytesMin || this.#bytes + whole.length > keptBytesMax) {
      freeMemory(body)
      return
    }
    this.#spare.push(whole)
    this.#bytes += whole.length
    this.#timer ??= setTimeout(() => this.#letGo(), this.#keptMs).unref()
    this.#timer.refresh()
  }

  #letGo(): void {
    for (const spare of this.#spare) freeMemory(spare)
    this.#spare = []
    this.#bytes = 0
  }
}
