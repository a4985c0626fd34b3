/** One tailing client: what waits for it, and how far it has come. */
import type { Sequence } from '../../record.ts'
import { positionId } from '../answer/place-text.ts'
import type { Tail, TailEvent } from '../store.ts'
import { TailQueue, type TailText } from './queue.ts'

export interface TailClientOptions {
  /** The first record that comes from the pump; all before it are the backlog's. */
  readonly from: Sequence
  readonly noteDropped: (count: number) => void
  /** Called once, when the client has gone or was ended. */
  readonly onClose: () => void
}

export class TailClient implements Tail {
  readonly from: Sequence
  readonly #queue: TailQueue
  readonly #onClose: () => void
  /** Every record before it was looked at for this client. */
  #seenUpTo: Sequence
  /** The same when the queue was last found empty: what is looked at since may be in the queue. */
  #givenUpTo: Sequence
  #isOpen = true
  #endReason: string | undefined
  /** Ends the wait of `next`. */
  #wake: (() => void) | undefined

  constructor({ from, noteDropped, onClose }: TailClientOptions) {
    this.from = from
    this.#seenUpTo = from
    this.#givenUpTo = from
    this.#queue = new TailQueue(noteDropped)
    this.#onClose = onClose
  }

  get position(): string {
    return positionId(this.#givenUpTo)
  }

  async next(waitMs: number): Promise<TailEvent | undefined> {
    const event = this.#take()
    if (event !== undefined || waitMs === 0) return event
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, waitMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
    return this.#take()
  }

  /** Puts what arrived before `from` in front of what the pump has brought meanwhile. */
  begin(backlog: readonly TailText[]): void {
    this.#queue.prepend(backlog)
  }

  push(text: TailText): void {
    this.#queue.push(text)
  }

  /** To be called after what was pushed: all records before `sequence` have been looked at. */
  advance(sequence: Sequence): void {
    this.#seenUpTo = sequence
    if (!this.#queue.isEmpty) this.#wake?.()
  }

  /** Nothing more will come; what waits is given all the same. */
  end(reason: string): void {
    this.#endReason ??= reason
    this.#leave()
    this.#wake?.()
  }

  close(): void {
    this.end('closed')
  }

  #leave(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#onClose()
  }

  #take(): TailEvent | undefined {
    const item = this.#queue.take()
    if (item !== undefined) {
      const { text, count } = item
      return text === undefined ? { kind: 'dropped', count } : { kind: 'records', text }
    }
    this.#givenUpTo = this.#seenUpTo
    const reason = this.#endReason
    return reason === undefined ? undefined : { kind: 'ended', reason }
  }
}
