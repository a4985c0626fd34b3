/**
 * What a handler answers, and how that becomes the bytes of an answer.
 *
 * A `Reply` is plain data, so that handlers know nothing of sockets. Errors become RFC 9457 problem
 * documents here and nowhere else; what is not a `ProblemError` says nothing about its inside.
 */

import { type ProblemCode, ProblemError, problems } from '../../problems.ts'
import type { NativeResponse } from '../native.ts'
import type { CommonHeaders, HeaderChoices } from './common-headers.ts'

// Not imported: an import has all that the module exports, and loads an HTTP client and TLS for it (60 ms).
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/**
 * A body that is made while it is sent. What it throws before the first chunk is answered as any
 * error of a handler; what it throws later breaks the connection off. Its `return()` is called once
 * when the client goes, or when the service stops: a pending `next()` should then settle soon (the
 * request's `signal()` aborts at the same time).
 */
export type ReplyStream = AsyncIterable<string | Uint8Array>

export interface Reply extends HeaderChoices {
  readonly status: number
  readonly body?: string | Buffer
  /** Instead of `body`. Status and headers leave with the first chunk. */
  readonly stream?: ReplyStream
  /** Instead of `body`, on routes with sockets only: each chunk is a message. */
  readonly messages?: ReplyStream
  /** Whether the stream has no end of its own: it is ended cleanly as soon as the service stops. */
  readonly isLive?: boolean
  readonly headers?: readonly (readonly [name: string, value: string])[]
}

/** A reply of `value` as JSON. It must be one that JSON has. */
export function jsonReply(value: unknown, status = 200): Reply {
  return { status, contentType: 'application/json', body: JSON.stringify(value) }
}

export const noContent: Reply = { status: 204 }

const realm = 'Bearer realm="logstrata"'

/** The challenges of RFC 6750, section 3: no error code when there was no credential to judge. */
const challenges: Partial<Record<ProblemCode, string>> = {
  credential_missing: realm,
  credential_invalid: `${realm}, error="invalid_token"`,
  role_insufficient: `${realm}, error="insufficient_scope"`,
}

/** The answer to a failed request. `headers` come after those that the problem itself asks for. */
export function problemReply(error: ProblemError, headers: Reply['headers'] = []): Reply {
  const { field, position, members } = error.extras
  const { status, title } = problems[error.code]
  const document = {
    ...members,
    type: `/problems/${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    field,
    position,
  }
  return {
    status,
    contentType: 'application/problem+json',
    body: JSON.stringify(document),
    headers: [...problemHeaders(error), ...headers],
  }
}

/** The headers that a problem asks for, whatever the form of its body. */
export function problemHeaders({ code, extras }: ProblemError): NonNullable<Reply['headers']> {
  const { retryAfterSeconds } = extras
  const challenge = challenges[code]
  return [
    ...(challenge === undefined ? [] : [['WWW-Authenticate', challenge] as const]),
    ...(retryAfterSeconds === undefined
      ? []
      : [['Retry-After', String(Math.ceil(retryAfterSeconds))] as const]),
  ]
}

/** For an error that no client should meet: what it says is for our log only. */
export const internalProblem = new ProblemError(
  'internal',
  'the request was not carried out; the log of the service says why',
)

/** How the connection continues after an answer. */
export type Connection =
  /** It waits for the next request. */
  | 'keep'
  /** The client is told to close it; whatever still comes of the body is thrown away. */
  | 'announce-close'
  /** It is closed after the last byte of the answer. Loses the answer if a body is still coming. */
  | 'close'

export interface HeadOptions {
  readonly connection: Connection
  readonly common: CommonHeaders
}

export interface WriteOptions extends HeadOptions {
  /** Whether the request was HEAD: same headers, no body. */
  readonly isHead: boolean
  /** Called when the last byte was handed over, at once or later. Never after an abort. */
  onWritten(): void
}

/**
 * Bodies from this size on are handed over as fast as the client reads them, instead of being
 * copied into the socket's own buffer as a whole; and only then the request counts as answered.
 */
const pacedBodyBytesMin = 64 * 1024

/** Bytes of an answer that stay in our memory until its client has read them; 0 of a small one. */
export function pacedBytesOf({ body }: Reply): number {
  return body === undefined || body.length < pacedBodyBytesMin ? 0 : Buffer.byteLength(body)
}

/**
 * Writes the whole answer in one go. The caller has seen to it that the response is still alive and
 * that an abort handler is attached. The response must not be touched again.
 */
export function writeReply(response: NativeResponse, reply: Reply, options: WriteOptions): void {
  const { body } = reply
  const { common } = options
  if (options.isHead && options.connection === 'close') {
    response.cork(() => {
      writeHead(response, reply, options)
      response.end('', true)
    })
  } else if (body === undefined || options.isHead) {
    response.cork(() => {
      writeHead(response, reply, { common, connection: announced(options.connection) })
      if (body !== undefined) {
        response.writeHeader('Content-Length', String(Buffer.byteLength(body)))
      }
      response.endWithoutBody()
    })
  } else if (body.length < pacedBodyBytesMin) {
    response.cork(() => {
      writeHead(response, reply, options)
      response.end(body, options.connection === 'close')
    })
  } else {
    writePaced(response, reply, typeof body === 'string' ? Buffer.from(body) : body, options)
    return
  }
  options.onWritten()
}

function writePaced(
  response: NativeResponse,
  reply: Reply,
  body: Buffer,
  { connection, common, onWritten }: WriteOptions,
): void {
  response.cork(() => {
    writeHead(response, reply, { common, connection: announced(connection) })
    const [isWritten, isDone] = response.tryEnd(body, body.length)
    if (isDone) {
      onWritten()
    } else if (!isWritten) {
      response.onWritable(offset => {
        const [isRestWritten, isRestDone] = response.tryEnd(body.subarray(offset), body.length)
        if (isRestDone) {
          onWritten()
        }
        return isRestWritten
      })
    }
  })
}

/** Only `end` closes a connection; with the other ways to end, a close is only announced. */
function announced(connection: Connection): Connection {
  return connection === 'close' ? 'announce-close' : connection
}

/** Status and headers. Inside `cork`. */
export function writeHead(
  response: NativeResponse,
  reply: Reply,
  { connection, common }: HeadOptions,
): void {
  const { status, headers } = reply
  if (status !== 200) {
    response.writeStatus(`${status} ${STATUS_CODES[status] ?? ''}`)
  }
  const [first, lines] = common.lines(reply, connection === 'keep')
  response.writeHeader(first, lines)
  if (headers !== undefined) {
    for (const [name, value] of headers) {
      response.writeHeader(name, value)
    }
  }
  if (connection === 'announce-close') {
    response.writeHeader('Connection', 'close')
  }
}
