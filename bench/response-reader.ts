/**
 * Reads the answers on one connection, one after the other, whatever pieces they come in. Strict: what is no
 * whole HTTP/1.1 answer, or comes where none is waited for, ends a benchmark.
 *
 * It reads what a service sends to requests other than HEAD: a body has a `Content-Length`, or chunks without
 * trailers. An answer that only the end of the connection ends might have been cut off, and is refused.
 */

export interface Response {
  readonly status: number
  readonly body: string
  /** Whether the connection is closed after it. */
  readonly isLast: boolean
}

/** Bytes of a head, and characters of a line before a chunk: nobody sends that much. */
const headBytesMax = 64 * 1024
const sizeLineMax = 1024
/** Bytes of a body, or of a chunk of one: of more no text can be made. */
const bodyBytesMax = 512 * 1024 * 1024

interface Head extends Pick<Response, 'status' | 'isLast'> {
  /** Bytes of the body; undefined when it comes in chunks. */
  readonly length: number | undefined
}

type Wait =
  /** For more of the head. */
  | 'head'
  /** For more of a body, or a chunk, of which the length is known. */
  | 'data'
  /** For the line before a chunk. */
  | 'size'
  /** For the end of the line behind a chunk, and behind the last one. */
  | 'data-end'
  | 'body-end'

const nothing = Buffer.alloc(0)

export class ResponseReader {
  #wait: Wait = 'head'
  #head: Head | undefined
  /** Of the head, or of a line, what has come without its end. */
  #begun: Buffer = nothing
  #parts: Buffer[] = []
  /** Of the body or chunk that comes. */
  #missingBytes = 0

  /**
   * Takes the next bytes, which are the caller's again afterwards. Returns the answer that they end; throws
   * for bytes behind it, since nobody asks before he has his answer.
   */
  take(bytes: Buffer): Response | undefined {
    let at = 0
    while (at < bytes.length) {
      at = this.#step(bytes, at)
      // A body of no bytes ends with its head.
      const isWhole = this.#head !== undefined && this.#wait === 'head'
      if (!isWhole) continue
      if (at < bytes.length) throw new Error(`${bytes.length - at} bytes came behind an answer`)
      return this.#finish()
    }
    return undefined
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#wait) {
      case 'head':
        return this.#takeUntil('\r\n\r\n', headBytesMax, bytes, at, line => this.#begin(line))
      case 'size':
        return this.#takeUntil('\r\n', sizeLineMax, bytes, at, line => this.#beginChunk(line))
      case 'data':
        return this.#takeData(bytes, at)
      case 'data-end':
        return this.#takeUntil('\r\n', 2, bytes, at, () => {
          this.#wait = 'size'
        })
      case 'body-end':
        return this.#takeUntil('\r\n', 2, bytes, at, () => {
          this.#wait = 'head'
        })
    }
  }

  /** Calls `take` with what comes before `end`, if that has come; returns how far it read. */
  #takeUntil(
    end: string,
    max: number,
    bytes: Buffer,
    at: number,
    take: (line: string) => void,
  ): number {
    const known = this.#begun.length
    const searched = known === 0 ? bytes : Buffer.concat([this.#begun, bytes.subarray(at)])
    const from = known === 0 ? at : 0
    const found = searched.indexOf(end, Math.max(from, known - end.length + 1), 'latin1')
    const length = (found === -1 ? searched.length : found + end.length) - from
    if (length > max) throw new Error(`a head, line or chunk does not end within ${max} bytes`)
    if (found === -1) {
      this.#begun = Buffer.from(searched.subarray(from))
      return bytes.length
    }
    this.#begun = nothing
    take(searched.toString('latin1', from, found))
    return at + length - known
  }

  #begin(text: string): void {
    const head = readHead(text)
    this.#head = head
    if (head.length === undefined) this.#wait = 'size'
    else this.#await(head.length)
  }

  #beginChunk(line: string): void {
    if (!/^[0-9a-f]{1,8}$/i.test(line)) throw new Error(`a chunk began ${JSON.stringify(line)}`)
    const length = Number.parseInt(line, 16)
    if (length === 0) this.#wait = 'body-end'
    else this.#await(length)
  }

  /** So many bytes come next. */
  #await(length: number): void {
    if (length > bodyBytesMax) throw new Error('the body is too large to be a text')
    this.#missingBytes = length
    this.#wait = length === 0 ? 'head' : 'data'
  }

  #takeData(bytes: Buffer, at: number): number {
    const part = bytes.subarray(at, at + this.#missingBytes)
    this.#missingBytes -= part.length
    const isEnd = this.#missingBytes === 0
    if (isEnd) this.#wait = this.#head!.length === undefined ? 'data-end' : 'head'
    // The caller's memory need not be copied when all is there.
    const isAll = isEnd && this.#wait === 'head' && this.#parts.length === 0
    this.#parts.push(isAll ? part : Buffer.from(part))
    return at + part.length
  }

  #finish(): Response {
    const { status, isLast } = this.#head!
    const [only = nothing] = this.#parts
    const body = this.#parts.length > 1 ? Buffer.concat(this.#parts) : only
    this.#head = undefined
    this.#parts = []
    return { status, body: body.toString('utf8'), isLast }
  }
}

/** Of all lines before the empty one. */
function readHead(text: string): Head {
  const [first, ...lines] = text.split('\r\n')
  const status = /^HTTP\/1\.1 ([2-5][0-9]{2})(?: [^\r\n]*)?$/.exec(first!)?.[1]
  if (status === undefined) throw new Error(`an answer began ${JSON.stringify(first)}`)
  let length: string | undefined
  let isChunked = false
  let isLast = false
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9a-z-]+):[ \t]*([^\r\n]*?)[ \t]*$/i.exec(line) ?? []
    if (name === undefined || value === undefined)
      throw new Error(`a header is ${JSON.stringify(line)}`)
    switch (name.toLowerCase()) {
      case 'content-length':
        if (length !== undefined || !/^[0-9]{1,15}$/.test(value))
          throw new Error(`a length is ${value}`)
        length = value
        break
      case 'transfer-encoding':
        if (isChunked || value.toLowerCase() !== 'chunked')
          throw new Error(`an encoding is ${value}`)
        isChunked = true
        break
      case 'connection':
        isLast ||= value.toLowerCase() === 'close'
    }
  }
  if (isChunked && length !== undefined) throw new Error('an answer has both a length and chunks')
  const hasNoBody = status === '204' || status === '304'
  if (isChunked && !hasNoBody) return { status: Number(status), isLast, length: undefined }
  if (length === undefined && !hasNoBody) throw new Error('an answer does not say where it ends')
  return { status: Number(status), isLast, length: hasNoBody ? 0 : Number(length) }
}
