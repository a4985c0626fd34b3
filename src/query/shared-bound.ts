/**
 * The time behind which no record can be in an answer, as far as any thread that looks for it has found
 * out: in memory that all of them share, so that none opens a block for records that are behind what
 * another has found meanwhile. Nothing is sent for it, and no thread waits.
 */
import type { Timestamp } from '../record.ts'
import type { Order } from './top-k.ts'

/** Of a time in no order of time, and of one that nobody knows yet. */
const unknown = 2n ** 63n - 1n

export const sharedBoundBytes = BigInt64Array.BYTES_PER_ELEMENT

/** That of one query, at the beginning of `memory`, while nothing is known. */
export function newSharedBound(
  memory = new SharedArrayBuffer(sharedBoundBytes),
): BigInt64Array<SharedArrayBuffer> {
  const bound = new BigInt64Array(memory, 0, 1)
  bound[0] = unknown
  return bound
}

export class SharedBound {
  readonly #memory: BigInt64Array
  /** Times are kept as they grow along the order. */
  readonly #sign: 1 | -1

  constructor(memory: BigInt64Array, order: Order) {
    this.#memory = memory
    this.#sign = order === 'asc' ? 1 : -1
  }

  /** A record of a later time in the order is not in the answer; one of this time may be. Undefined: any
   *  may. */
  get time(): Timestamp | undefined {
    const along = Atomics.load(this.#memory, 0)
    return along === unknown ? undefined : this.#sign * Number(along)
  }

  /** Notes that as many records as are wanted lie up to a time in the order. */
  note(time: Timestamp): void {
    const along = BigInt(this.#sign * time)
    for (let known = Atomics.load(this.#memory, 0); along < known; ) {
      const found = Atomics.compareExchange(this.#memory, 0, known, along)
      if (found === known) return
      known = found
    }
  }
}
