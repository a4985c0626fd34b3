/**
 * The headers that every request is judged by, read in one pass, and whether they say clearly where
 * its body ends.
 *
 * uWebSockets takes the first of several `Content-Length`s, and any `Transfer-Encoding` for `chunked`.
 * Whoever is between a client and us may read the same bytes otherwise, and take for a body what we
 * take for the next request; so such a head is refused (RFC 9112, 6.3), and its connection closed.
 */

import { ProblemError } from '../problems.ts'
import type { IngestionHeaders } from './access/ingestion-secret.ts'
import type { NativeRequest } from './native.ts'

/** Empty when absent. Of several the first counts. */
export interface RequestHead extends IngestionHeaders {
  readonly contentType: string
  readonly contentEncoding: string
  /** Of the page that sends, in a browser. */
  readonly origin: string
  /** Of Splunk's clients: names one sender among those of a token. */
  readonly splunkChannel: string
  /** Undefined when absent; several separated by commas. */
  readonly idempotencyKey: string | undefined
  /** Bytes that `Content-Length` announces; undefined when it is absent. */
  readonly announced: number | undefined
  readonly isChunked: boolean
  /** Whether its client wants the connection closed after the answer; uWebSockets does that. */
  readonly isLast: boolean
  /** Why the request must not be carried out, nor anything that follows it on its connection. */
  readonly fault: ProblemError | undefined
}

/** What was found so far; one object for all requests, of which one at a time is read. */
const found = {
  authorization: '',
  ddApiKey: '',
  xApiKey: '',
  contentType: '',
  contentEncoding: '',
  origin: '',
  splunkChannel: '',
  idempotencyKey: undefined as string | undefined,
  contentLength: undefined as string | undefined,
  transferEncoding: undefined as string | undefined,
  connection: '',
  hasTrailer: false,
  hostCount: 0,
  /** The header that is there twice and may not be. */
  repeated: '',
}

/** Reads the head; to be called while `request` is valid. */
export function readHead(request: Pick<NativeRequest, 'forEach'>): RequestHead {
  found.authorization = found.ddApiKey = found.xApiKey = ''
  found.contentType = found.contentEncoding = found.origin = found.splunkChannel = ''
  found.connection = found.repeated = ''
  found.contentLength = found.transferEncoding = found.idempotencyKey = undefined
  found.hasTrailer = false
  found.hostCount = 0
  request.forEach(take)
  const { authorization, ddApiKey, xApiKey, contentType, contentEncoding, splunkChannel } = found
  const { contentLength, transferEncoding, origin, idempotencyKey } = found
  return {
    authorization,
    ddApiKey,
    xApiKey,
    contentType,
    contentEncoding,
    origin,
    splunkChannel,
    idempotencyKey,
    announced: contentLength === undefined ? undefined : Number(contentLength),
    isChunked: transferEncoding !== undefined,
    isLast: found.connection.toLowerCase() === 'close',
    fault: findFault(),
  }
}

/** Told apart by length first, because most names are none of these. */
function take(name: string, value: string): void {
  switch (name.length) {
    case 4:
      if (name === 'host') found.hostCount++
      break
    case 6:
      if (name === 'origin' && found.origin === '') found.origin = value
      break
    case 7:
      if (name === 'trailer') found.hasTrailer = true
      break
    case 9:
      if (name === 'x-api-key' && found.xApiKey === '') found.xApiKey = value
      break
    case 10:
      if (name === 'connection' && found.connection === '') found.connection = value
      else if (name === 'dd-api-key' && found.ddApiKey === '') found.ddApiKey = value
      break
    case 12:
      if (name === 'content-type' && found.contentType === '') found.contentType = value
      break
    case 13:
      if (name === 'authorization' && found.authorization === '') found.authorization = value
      break
    case 14:
      if (name === 'content-length') takeContentLength(value)
      break
    case 15:
      if (name === 'idempotency-key') takeIdempotencyKey(value)
      break
    case 16:
      if (name === 'content-encoding' && found.contentEncoding === '') found.contentEncoding = value
      break
    case 17:
      if (name === 'transfer-encoding') takeTransferEncoding(value)
      break
    case 24:
      if (name === 'x-splunk-request-channel' && found.splunkChannel === '')
        found.splunkChannel = value
      break
  }
}

function takeIdempotencyKey(value: string): void {
  const known = found.idempotencyKey
  found.idempotencyKey = known === undefined ? value : `${known}, ${value}`
}

/** The same length twice is one length (RFC 9110, 8.6). */
function takeContentLength(value: string): void {
  const known = found.contentLength
  if (known !== undefined && known !== value) found.repeated = 'Content-Length'
  found.contentLength = value
}

function takeTransferEncoding(value: string): void {
  if (found.transferEncoding !== undefined) found.repeated = 'Transfer-Encoding'
  found.transferEncoding = value
}

function findFault(): ProblemError | undefined {
  const { contentLength, transferEncoding, repeated, hostCount, hasTrailer } = found
  if (repeated !== '') return fault(repeated, 'expected one, came several')
  // Other than digits uWebSockets refuses by itself; what is empty it takes for absent.
  if (contentLength === '') return fault('Content-Length', 'expected a number, was empty')
  if (hostCount > 1) return fault('Host', 'expected one, came several')
  if (transferEncoding === undefined) return undefined
  if (contentLength !== undefined) {
    return fault('Transfer-Encoding', 'expected no Content-Length beside it')
  }
  if (transferEncoding !== 'chunked' && transferEncoding.toLowerCase() !== 'chunked') {
    const was = JSON.stringify(transferEncoding.slice(0, 64))
    return fault('Transfer-Encoding', `expected "chunked" and nothing else, was ${was}`)
  }
  if (hasTrailer) return fault('Trailer', 'fields behind a chunked body are not read')
  return undefined
}

function fault(field: string, detail: string): ProblemError {
  return new ProblemError('head_invalid', `${field}: ${detail}`, { field })
}
