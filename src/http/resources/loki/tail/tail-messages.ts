/** A tail as the messages of a WebSocket, until the client's credential is no longer good. */

import type { TailEvent } from '../../../../store/store.ts'
import type { EventStreamOptions } from '../../query/event-stream.ts'

/** The tail is of the form `loki-streams`. */
export type TailMessagesOptions = Omit<EventStreamOptions, 'heartbeatMs'>

type Message = string | Uint8Array
const end = { done: true, value: undefined } as const

const [before, behind] = [Buffer.from('{"streams":['), Buffer.from(']}')]

/** Not a generator: `return()` must release the tail at once, also while `next()` waits. */
export class TailMessages implements AsyncIterableIterator<Message> {
  readonly #options: TailMessagesOptions
  #isEnded = false

  constructor(options: TailMessagesOptions) {
    this.#options = options
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Message>> {
    const { tail, isStillGranted, grantLookMs } = this.#options
    let grantedAt = performance.now()
    while (!this.#isEnded) {
      const event = await tail.next(grantLookMs)
      if (performance.now() - grantedAt >= grantLookMs) {
        if (!isStillGranted()) break
        grantedAt = performance.now()
      }
      const value = event && messageOf(event)
      if (event?.kind === 'ended') break
      if (value !== undefined) return { done: false, value }
    }
    return this.return()
  }

  async return(): Promise<IteratorResult<Message>> {
    this.#isEnded = true
    this.#options.tail.close()
    return end
  }
}

/** Undefined when the tail has ended. */
function messageOf(event: TailEvent): Message | undefined {
  switch (event.kind) {
    case 'records':
      // There is a comma after each stream, the last one too.
      return Buffer.concat([before, event.text.subarray(0, -1), behind])
    case 'dropped':
      return droppedMessage(event.count)
    case 'ended':
      return undefined
  }
}

/** Loki names each entry that was dropped; we know how many they were. */
function droppedMessage(count: number): string {
  const timestamp = `${Date.now()}000000`
  return JSON.stringify({
    streams: [],
    dropped_entries: [{ labels: { dropped_entries: String(count) }, timestamp }],
  })
}
