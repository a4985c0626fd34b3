/**
 * What is put off until uWebSockets has read all that a turn of the event loop brought.
 *
 * While a request waits for its answer, uWebSockets closes the connection on which the next one comes, and
 * tells so at once: when both came in one packet, before the first is begun with here. So of requests that
 * are sent after each other without waiting (pipelining) none is carried out and none answered, and
 * a client that sends them again, one by one, has each of them carried out once.
 *
 * And what is put off further, into turns of its own, so that others are looked at between two of them.
 */

/** Room for bodies that wait; what does not fit is kept in memory of its own. */
const roomBytes = 256 * 1024

export class Turn {
  #waiting: (() => void)[] = []
  readonly #ownTurns: (() => void)[] = []
  readonly #room = Buffer.allocUnsafe(roomBytes)
  #usedBytes = 0

  /** Calls `work`, which must not throw, when everything is read; in the order of the calls. */
  after(work: () => void): void {
    if (this.#waiting.push(work) === 1) setImmediate(() => this.#run())
  }

  /** Resolves in one of the next turns, in the order of the calls, one in each. */
  own(): Promise<void> {
    return new Promise(resolve => {
      if (this.#ownTurns.push(resolve) === 1) setImmediate(() => this.#giveOwn())
    })
  }

  /** A copy that is valid for what is called by `after` in this turn, until that first waits. */
  lend(bytes: ArrayBuffer): Buffer<ArrayBuffer> {
    const from = this.#usedBytes
    const to = from + bytes.byteLength
    if (to > roomBytes) return copyOf(bytes)
    this.#room.set(new Uint8Array(bytes), from)
    this.#usedBytes = to
    return this.#room.subarray(from, to)
  }

  #giveOwn(): void {
    this.#ownTurns.shift()!()
    if (this.#ownTurns.length > 0) setImmediate(() => this.#giveOwn())
  }

  #run(): void {
    const works = this.#waiting
    this.#waiting = []
    for (const work of works) work()
    if (this.#waiting.length === 0) this.#usedBytes = 0
  }
}

/** A copy that is the caller's to keep. */
export function copyOf(bytes: ArrayBuffer): Buffer<ArrayBuffer> {
  const copy = Buffer.allocUnsafe(bytes.byteLength)
  copy.set(new Uint8Array(bytes))
  return copy
}
