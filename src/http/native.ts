/**
 * The part of uWebSockets' request and response that this layer uses, and its rules.
 *
 * - A request is valid only inside the call that hands it over: read its headers there.
 * - A response must not be touched after its abort handler was called, nor after `end`,
 *   `endWithoutBody` or a `tryEnd` that was done. Breaking this throws, or worse.
 * - Whoever does not answer inside the call that hands over the response attaches `onAborted`.
 * - A chunk's memory is valid only inside its callback: copy what is needed.
 * - Further requests of the same packet are read as soon as the callbacks of one return. If that is not
 *   answered by then, its connection is closed and its abort handler called, before anything else is.
 * - Slow handlers are not cut off: the idle timeout of 10 s counts only while a request is arriving
 *   (a body must bring 16 KiB/s), while an answer is not taken, and between requests.
 *
 * Only `server.ts` knows the package itself.
 */

export interface NativeRequest {
  /** The value of the first such header, without white space around it; empty when absent. */
  getHeader(lowerCaseName: string): string
  /** The part of the path that stands for the `index`th parameter, still percent-encoded. */
  getParameter(index: number): string | undefined
  /** What follows the `?`, still encoded; undefined when there is none. */
  getQuery(): string | undefined
  /** The path, without the query. */
  getUrl(): string
  /** In lower case. */
  getMethod(): string
  /** Calls `each` for every header, in the order of the request; names in lower case. */
  forEach(each: (name: string, value: string) => void): void
}

/**
 * A WebSocket, from when it is open until its close handler was called; it must not be touched after that.
 * `end` and `close` call it before they return.
 */
export interface NativeSocket {
  /** Sends one message of text. What the socket does not take is kept, whatever its size. */
  send(message: string | Uint8Array): number
  /** Bytes that the socket has not taken yet. */
  getBufferedAmount(): number
  /** Says goodbye with a code of RFC 6455, 7.4, and a reason, and closes. */
  end(code: number, reason: string): unknown
  /** Resets the connection. */
  close(): unknown
}

export interface NativeResponse {
  writeStatus(status: string): unknown
  writeHeader(name: string, value: string): unknown
  end(body: string | Buffer, closeConnection: boolean): unknown
  /**
   * Without arguments only: given a length above 0, uWebSockets takes the answer for unfinished, and
   * closes the connection on the next request; given undefined, it announces 2^63 bytes.
   */
  endWithoutBody(): unknown
  /**
   * Writes one chunk of a body of unknown length; never an empty one. Returns whether the socket took
   * it; what it did not take is kept, and the connection cut 10 s later unless a write comes before
   * or the socket becomes writable. Truthful only while something is kept, or for chunks that do
   * not fit into the 16 KiB that `cork` gathers.
   */
  write(chunk: Uint8Array): boolean
  /** Resets the connection. Calls the abort handler before it returns. */
  close(): unknown
  /** Writes what the socket takes. Returns whether that was all of it, and whether all is done. */
  tryEnd(rest: Buffer, totalLength: number): [isWritten: boolean, isDone: boolean]
  /** Whoever attaches a handler has to move on by himself what `write` kept: by `cork`. */
  onWritable(handler: (offset: number) => boolean): unknown
  onAborted(handler: () => void): unknown
  /** Without a body the handler is called once, with an empty last chunk. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
  /** Reads no more from the socket until `resume`, whatever time that takes. */
  pause(): unknown
  /** The idle timeout begins anew, even when the body has come whole and the answer is waited for. */
  resume(): unknown
  cork(write: () => void): unknown
  /** 4 or 16 bytes. */
  getRemoteAddress(): ArrayBuffer
}
