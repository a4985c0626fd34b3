/** One connection of the client, with one request at a time. */
import { connect, type Socket } from 'node:net'
import { type Response, ResponseReader } from './response-reader.ts'

/** Who waits for an answer; one of both is called, once. */
export interface Asker {
  answer(response: Response): void
  fail(error: Error): void
}

/** What becomes of a connection. */
export interface ConnectionEvents {
  /** It has its answer, and may be asked again. */
  free(): void
  /** It is not to be used any more; its asker has been told before. */
  closed(): void
}

const receivedBytes = 64 * 1024

export class Connection {
  readonly #socket: Socket
  readonly #reader = new ResponseReader()
  readonly #events: ConnectionEvents
  #asker: Asker | undefined
  #isClosed = false

  /** Connects when it is first asked, at the latest. It keeps no process alive while nobody waits for it. */
  constructor(host: string, port: number, events: ConnectionEvents) {
    this.#events = events
    const callback = (byteCount: number, memory: Uint8Array) => {
      this.#take(memory.subarray(0, byteCount) as Buffer)
      return true
    }
    const onread = { buffer: Buffer.allocUnsafe(receivedBytes), callback }
    this.#socket = connect({ host, port, noDelay: true, onread })
    this.#socket.on('error', error => this.#end(error))
    this.#socket.once('close', () => this.#end(new Error('the service closed the connection')))
  }

  /** Sends a request; nobody else may wait for an answer. */
  ask(head: string, body: string | Buffer, asker: Asker): void {
    this.#asker = asker
    this.#socket.ref()
    if (typeof body === 'string') {
      this.#socket.write(head + body)
      return
    }
    this.#socket.cork()
    this.#socket.write(head)
    this.#socket.write(body)
    this.#socket.uncork()
  }

  close(): void {
    this.#end(new Error('the client was closed'))
  }

  #take(bytes: Buffer): void {
    if (this.#isClosed) return
    try {
      if (this.#asker === undefined) throw new Error(`${bytes.length} bytes came unasked`)
      const response = this.#reader.take(bytes)
      if (response !== undefined) this.#answer(this.#asker, response)
    } catch (error) {
      this.#end(error as Error)
    }
  }

  #answer(asker: Asker, response: Response): void {
    this.#asker = undefined
    asker.answer(response)
    if (response.isLast) {
      this.#end(new Error('the service wished to close the connection'))
      return
    }
    this.#socket.unref()
    this.#events.free()
  }

  #end(error: Error): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket.destroy()
    this.#asker?.fail(error)
    this.#asker = undefined
    this.#events.closed()
  }
}
