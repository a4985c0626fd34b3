/**
 * How many threads work on large bodies at once, on decoding and reading them together: they leave one core
 * to all else. While every core is busy a thread that wakes waits for one of them, some milliseconds each
 * time however urgent it is, and an event takes four or five wakes to the disk and back.
 *
 * What is to be read goes before what is to be decoded: it holds the most memory.
 */
import { availableParallelism } from 'node:os'

const kinds = ['read', 'decode'] as const
export type LargeWorkKind = (typeof kinds)[number]

export class LargeWork {
  #freePlaces: number
  readonly #waiting: Record<LargeWorkKind, (() => void)[]> = { read: [], decode: [] }

  constructor(places = Math.max(1, availableParallelism() - 1)) {
    this.#freePlaces = places
  }

  /** Begins `work` when it has a place, which it has until it is done. */
  async run<T>(kind: LargeWorkKind, work: () => Promise<T>): Promise<T> {
    if (this.#freePlaces > 0) this.#freePlaces--
    else await new Promise<void>(resolve => this.#waiting[kind].push(resolve))
    try {
      return await work()
    } finally {
      this.#passOn()
    }
  }

  #passOn(): void {
    for (const kind of kinds) {
      const next = this.#waiting[kind].shift()
      if (next === undefined) continue
      next()
      return
    }
    this.#freePlaces++
  }
}
