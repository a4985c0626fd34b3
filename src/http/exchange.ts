/**
 * One request, from its headers to the last byte of its answer.
 *
 *     headers ── access ── type, encoding, length ── body ── decode ── parse ── handle ── answer
 *     400 503    401 403   415 413                   413     400 413   400      4xx 5xx
 *
 * Each step may end the exchange with a problem. The client may go away at any point; from then on
 * the response is not touched. What is being handled continues even so: an event is stored though its
 * sender did not wait for the answer. (Not if it went away in the same turn, see `turn.ts`.) A body
 * that waits to be decoded, or is being decoded, is not: nobody would hear of it, and others wait for
 * its memory. (A small one is decoded at once.)
 */

import type { IngestionToken } from '../catalog/ingestion-tokens.ts'
import { callerHeader } from '../catalog/primary/primary.ts'
import { BodyClaim, type BodyMemory, memoryPerBodyByte } from '../ingest/body-memory.ts'
import { parseEvent } from '../ingest/json.ts'
import { type DecodedBody, isSealed, opened } from '../ingest/sealed-body.ts'
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import { discard } from '../threads/parcel.ts'
import type { BrowserGuard } from './access/browser-guard.ts'
import type { CrossOrigin } from './access/cross-origin.ts'
import type { FailureGuard } from './access/failure-guard.ts'
import { grantIngestion, grantRole, isGranted } from './access/grant.ts'
import { type From, readAsked, readBrowserHeaders } from './asked-request.ts'
import { bodyTooLarge, collectBody, type Unread, unreadBody } from './body/collect-body.ts'
import {
  acceptEncoding,
  acceptPlain,
  type ContentEncoding,
  decodeBody,
  encodedBytesMax,
  readContentEncoding,
  requirePlain,
} from './body/content-encoding.ts'
import { requireContentType } from './body/content-type.ts'
import type { DecodeOptions } from './body/decode-later.ts'
import type { DecoderQueue } from './body/decoder-queue.ts'
import { type ExpectedBody, forms, jsonBodies, noForms } from './body/expected-body.ts'
import { readParameters } from './body/form.ts'
import type { LargeDecoder } from './body/large-decoder.ts'
import type { SharedReading } from './body/shared-reading.ts'
import { ownMemory, type SpareBuffers } from './body/spare-buffers.ts'
import type { StreamedBodies } from './body/streamed-bodies.ts'
import { StreamedBody } from './body/streamed-body.ts'
import type { HttpDependencies } from './dependencies.ts'
import type { NativeRequest, NativeResponse } from './native.ts'
import { allowedMethods, pathWithoutSlash, readPathParameters, routesAt } from './paths.ts'
import type { AnswerMemory, UnreadAnswer } from './reply/answer-memory.ts'
import type { CommonHeaders } from './reply/common-headers.ts'
import type { ErrorReply } from './reply/error-form.ts'
import {
  type Connection,
  internalProblem,
  pacedBytesOf,
  problemReply,
  type Reply,
  type ReplyStream,
  writeHead,
  writeReply,
} from './reply/reply.ts'
import { type SocketHandlers, SocketReply } from './reply/socket-reply.ts'
import { type StreamEnd, StreamReply } from './reply/stream-reply.ts'
import { type RequestHead, readHead } from './request-head.ts'
import type { Route, SenderRequest } from './route.ts'
import { clientGoneStatus, type Operation, switchingStatus, type Traffic } from './traffic.ts'
import type { Turn } from './turn.ts'

export interface ExchangeContext {
  readonly catalog: HttpDependencies['catalog']
  readonly ingest: HttpDependencies['ingest']
  readonly logger: HttpDependencies['logger']
  readonly traffic: Traffic
  readonly turn: Turn
  readonly sharedReading: SharedReading
  readonly spareBuffers: SpareBuffers
  readonly streamedBodies: StreamedBodies
  readonly bodyMemory: BodyMemory
  readonly decoders: DecoderQueue
  readonly largeDecoder: LargeDecoder
  readonly answerMemory: AnswerMemory
  readonly failureGuard: FailureGuard
  readonly common: CommonHeaders
  readonly crossOrigin: CrossOrigin
  readonly browserGuard: BrowserGuard
  /** Time without progress, ms, after which the reader of a streamed answer is cut off. */
  readonly streamStallMs: number
}

export interface ExchangeOptions {
  /** What the request counts as. */
  readonly operation: Operation
  /** The names of what stands for `{name}` in the path, in order. */
  readonly parameterNames: readonly string[]
  /** HEAD is answered as GET, without the body. */
  readonly isHead: boolean
  /** Makes the connection a WebSocket, which the handlers then have. Absent where nobody asks for one. */
  readonly upgrade?: (handlers: SocketHandlers) => void
}

/**
 * What a page sends without being asked first is text (`sendBeacon` with a text): it is read as JSON where
 * the route takes that.
 */
function asSentByPage(head: RequestHead, { contentTypes }: ExpectedBody): RequestHead {
  const isText = /^text\/plain *(;|$)/i.test(head.contentType)
  const json = contentTypes?.find(type => type === 'application/json')
  return isText && json !== undefined ? { ...head, contentType: json } : head
}

/** A page sends what one reader of it does. */
function expectedOfPage({ contentTypes, bodyBytesMax }: ExpectedBody): ExpectedBody {
  return { contentTypes, bodyBytesMax: Math.min(bodyBytesMax, limits.browserBodyBytesMax) }
}

/** Whether pages of other origins may call a route, if their origin is allowed at all. */
function isForPages({ access, takesPages }: Route): boolean {
  return access === 'ingestion-token' || takesPages === true
}

function stoppingProblem(): ProblemError {
  const detail = 'no new requests are taken; the service may be back soon'
  return new ProblemError('stopping', detail, { retryAfterSeconds: 1 })
}

const noHeaders: NonNullable<Reply['headers']> = []

export class Exchange {
  readonly #response: NativeResponse
  readonly #options: ExchangeOptions
  readonly #context: ExchangeContext
  readonly #memory: BodyClaim
  #stage: 'receiving' | 'decoding' | 'handling' | 'answering' = 'receiving'
  #errorReply: ErrorReply = problemReply
  #forwardedFor = ''
  #streamed: StreamReply | undefined
  #streamedBody: StreamedBody | undefined
  #accepted: string = acceptEncoding
  #isAborted = false
  #mustClose = false
  #isLast = false
  /** What may still come of the body when the answer is written. */
  #unread: Unread = 'nothing'
  #unreadAnswer: UnreadAnswer | undefined
  /** For the page that sent events, if one did. */
  #pageHeaders: NonNullable<Reply['headers']> = noHeaders
  #abortController: AbortController | undefined

  constructor(response: NativeResponse, options: ExchangeOptions, context: ExchangeContext) {
    this.#response = response
    this.#options = options
    this.#context = context
    this.#memory = new BodyClaim(context.bodyMemory)
    context.traffic.begin()
  }

  /** Takes a request through all steps. All that is needed of `request` is read at once. */
  carryOut(route: Route, request: NativeRequest): void {
    const { catalog } = this.#context
    const head = readHead(request)
    this.#isLast = head.isLast
    if (isForPages(route) && head.origin !== '') {
      this.#pageHeaders = this.#context.crossOrigin.answerHeaders(head.origin)
    }
    if (route.errors !== undefined) this.#errorReply = route.errors.replyTo(request)
    if (head.fault !== undefined) {
      this.#refuseHead(head.fault)
      return
    }
    try {
      this.#refuseWhenStopping()
      if (route.access === 'ingestion-token') {
        this.#carryOutSent(route, request, head)
        return
      }
      const credential = head.authorization
      const browser = readBrowserHeaders(request)
      const proof = { credential, browser, callerId: request.getHeader(callerHeader) }
      const caller = grantRole(route, proof, catalog)
      const isStillGranted = () => isGranted(route, proof, catalog)
      this.#requireUpgrade(route)
      this.#carryOutAsked(route, { request, head }, { caller, browser, isStillGranted })
    } catch (error) {
      this.#unread = unreadBody(head)
      this.#forwardedFor = this.#context.failureGuard.forwardedFor(request)
      this.#fail(error)
    }
  }

  #carryOutSent(
    route: Extract<Route, { access: 'ingestion-token' }>,
    request: NativeRequest,
    head: RequestHead,
  ): void {
    const { catalog, ingest } = this.#context
    const query = request.getQuery() ?? ''
    const token = grantIngestion(head, query, catalog.ingestionTokens)
    this.#admitPage(token, request, head.origin)
    const pathParameter = readPathParameters(this.#options.parameterNames, request)
    if (route.body === 'none') {
      this.#response.onAborted(() => this.#abort())
      this.#handle(() => route.handle({ token, pathParameter }))
      return
    }
    if (route.body === 'streamed') {
      // Nobody knows beforehand how much comes.
      if (token.isForBrowsers) throw bodyTooLarge(limits.browserBodyBytesMax)
      this.#carryOutStreamed(route, head, { token, pathParameter })
      return
    }
    if (route.refusesEach !== true) ingest.checkRoom()
    const { splunkChannel, idempotencyKey } = head
    const sent = { query, splunkChannel, idempotencyKey }
    const asked = { token, pathParameter, ...sent, memory: this.#memory }
    const { ownEncoding } = route
    const isOwn = ownEncoding !== undefined && ownEncoding === head.contentEncoding.toLowerCase()
    const asSent = isOwn ? { ...head, contentEncoding: '' } : head
    const handle = (body: DecodedBody, contentType: string) =>
      route.handle({ ...asked, body, contentType })
    if (token.isForBrowsers)
      this.#receive(asSentByPage(asSent, route), expectedOfPage(route), handle)
    else this.#receive(asSent, route, handle)
  }

  #admitPage(token: IngestionToken, request: NativeRequest, origin: string): void {
    const { browserGuard, failureGuard } = this.#context
    const address = () => failureGuard.addressOf(this.#response, failureGuard.forwardedFor(request))
    browserGuard.admit(token, { origin, address })
  }

  /** The body is taken as it comes; the handler waits for the store whatever becomes of it meanwhile. */
  #carryOutStreamed(
    route: Extract<Route, { body: 'streamed' }>,
    head: RequestHead,
    asked: SenderRequest,
  ): void {
    const { catalog, traffic, streamedBodies } = this.#context
    if (asked.token.isForBrowsers) {
      const detail = 'a token for pages in a browser sends no body without an end'
      throw new ProblemError('credential_invalid', detail)
    }
    this.#accepted = acceptPlain
    requireContentType(head.contentType, route.contentTypes)
    requirePlain(head.contentEncoding)
    const place = streamedBodies.enter()
    this.#response.onAborted(() => this.#abort())
    const pieces = new StreamedBody(this.#response, place.claim)
    this.#streamedBody = pieces
    const forgetStop = traffic.onStop(() => pieces.fail(stoppingProblem()))
    const requireGrant = () => {
      grantIngestion(head, '', catalog.ingestionTokens)
    }
    this.#handle(async () => {
      try {
        return await route.handle({ ...asked, pieces, requireGrant, memory: this.#memory })
      } catch (error) {
        pieces.fail(error as Error)
        if (!pieces.isWhole) this.#unread = 'much'
        throw error
      } finally {
        pieces.end()
        forgetStop()
        place.end()
      }
    })
  }

  #carryOutAsked(
    route: Exclude<Route, { access: 'ingestion-token' }>,
    { request, head }: { readonly request: NativeRequest; readonly head: RequestHead },
    from: Omit<From, 'signal'>,
  ): void {
    const asked = readAsked(request, this.#options.parameterNames, {
      ...from,
      signal: () => this.#signal(),
    })
    if (route.body === 'json') {
      // Whether the key of somebody who signs in is wrong turns out when the request is gone.
      if (route.access === 'open') {
        this.#forwardedFor = this.#context.failureGuard.forwardedFor(request)
      }
      this.#receive(head, jsonBodies, body => {
        const bytes = opened(body)
        return route.handle({ ...asked, body: parseEvent(bytes), bytes })
      })
      return
    }
    const query = request.getQuery() ?? ''
    if (route.body === 'form' && route.method === 'POST') {
      const expected = unreadBody(head) === 'nothing' ? noForms : forms
      this.#receive(head, expected, form =>
        route.handle({ ...asked, parameters: readParameters(query, opened(form)) }),
      )
      return
    }
    const parameters = readParameters(query, undefined)
    this.#response.onAborted(() => this.#abort())
    this.#handle(() =>
      route.body === 'form'
        ? route.handle({ ...asked, parameters })
        : route.handle({ ...asked, query: parameters }),
    )
  }

  /**
   * Answers a request that no route takes: 404, 405 and what the path takes instead, or the way to a page.
   */
  turnAway(routes: readonly Route[], request: NativeRequest): void {
    const head = readHead(request)
    this.#isLast = head.isLast
    const atPath = routesAt(routes, request.getUrl())
    this.#errorReply = atPath[0]?.errors?.replyTo(request) ?? problemReply
    if (head.fault !== undefined) {
      this.#refuseHead(head.fault)
      return
    }
    this.#unread = unreadBody(head)
    try {
      this.#refuseWhenStopping()
      const withoutSlash = pathWithoutSlash(routes, request)
      if (withoutSlash !== undefined) {
        // With an empty body, not without one: only 204 and 304 end with their head.
        this.#answer({ status: 308, headers: [['Location', withoutSlash]], body: '' })
        return
      }
      if (atPath.length === 0) {
        throw new ProblemError('path_unknown', 'no operation of this service has this path')
      }
      const allowed = allowedMethods(atPath)
      const headers = [['Allow', allowed]] as const
      if (request.getMethod() === 'options') {
        const { crossOrigin } = this.#context
        if (atPath.some(isForPages)) this.#pageHeaders = crossOrigin.preflightHeaders(head.origin)
        // Not 204: Docker's splunk driver asks this first, and takes nothing else for a yes.
        this.#answer({ status: 200, headers, body: '' })
        return
      }
      const problem = new ProblemError('method_unknown', `expected one of ${allowed}`)
      this.#answer(this.#errorReply(problem, headers))
    } catch (error) {
      this.#fail(error)
    }
  }

  /**
   * It is unclear where this request ends: the connection is closed after the answer. That is put off,
   * because what was answered at once would let uWebSockets carry out what follows in the same packet.
   */
  #refuseHead(fault: ProblemError): void {
    this.#mustClose = true
    this.#response.onAborted(() => this.#abort())
    this.#context.turn.after(() => {
      if (!this.#isAborted) this.#fail(fault)
    })
  }

  #requireUpgrade({ body }: Route): void {
    if (body === 'socket' && this.#options.upgrade === undefined) {
      const detail = 'expected "Upgrade: websocket": there is nothing here for plain HTTP'
      throw new ProblemError('field_invalid', detail, { field: 'Upgrade' })
    }
  }

  #refuseWhenStopping(): void {
    if (this.#context.traffic.isStopping) throw stoppingProblem()
  }

  /** Throws what is wrong with the headers alone; everything later is answered from inside. */
  #receive(
    head: RequestHead,
    { contentTypes, bodyBytesMax }: ExpectedBody,
    handle: (body: DecodedBody, contentType: string) => Reply | Promise<Reply>,
  ): void {
    const contentType =
      contentTypes === undefined
        ? head.contentType
        : requireContentType(head.contentType, contentTypes)
    const { announced } = head
    const encoding = readContentEncoding(head.contentEncoding)
    const bytesMax = encodedBytesMax(encoding, bodyBytesMax)
    if (announced !== undefined && announced > bytesMax) {
      throw bodyTooLarge(bodyBytesMax)
    }
    this.#response.onAborted(() => this.#abort())
    const isEncoded = encoding !== 'identity'
    const perByte = isEncoded ? 1 : memoryPerBodyByte
    collectBody(this.#response, {
      announced,
      bytesMax,
      lentBytesMax: isEncoded ? 0 : limits.lentBodyBytesMax,
      reservedBytesMin: isEncoded ? limits.lentBodyBytesMax : undefined,
      turn: this.#context.turn,
      sharedReading: this.#context.sharedReading,
      buffers: isEncoded ? this.#context.spareBuffers : ownMemory,
      reserve: bytes => this.#memory.resize(this.#memory.bytes + perByte * bytes),
      onBody: body =>
        this.#afterTurn(() => {
          if (isEncoded) {
            this.#handleDecoded(encoding, body, bodyBytesMax, decoded =>
              handle(decoded, contentType),
            )
          } else {
            this.#handle(() => handle(body, contentType))
          }
        }),
      crowdedOut: isEncoded ? () => this.#context.decoders.crowdedOut() : undefined,
      onRefused: (error, isOver) => {
        if (!isOver) this.#unread = unreadBody({ announced, isChunked: true })
        this.#fail(error)
      },
    })
  }

  #handleDecoded(
    encoding: ContentEncoding,
    body: Buffer<ArrayBuffer>,
    bytesMax: number,
    handle: (decoded: DecodedBody) => Reply | Promise<Reply>,
  ): void {
    const { decoders, largeDecoder, spareBuffers, turn } = this.#context
    const options: DecodeOptions = {
      bytesMax,
      ownTurn: () => turn.own(),
      checkPlace: kind => decoders.checkPlace(kind),
      takeTurn: (kind, bytes) => decoders.enter(kind, this.#memory, bytes, this.#signal()),
      signal: () => this.#signal(),
      giveBack: spent => spareBuffers.giveBack(spent),
      largeDecoder,
    }
    this.#stage = 'decoding'
    const handleNow = (decoded: Buffer<ArrayBuffer>) => {
      this.#stage = 'handling'
      return handle(decoded)
    }
    const handleLater = async (decoded: DecodedBody) => {
      this.#stage = 'handling'
      try {
        return await handle(decoded)
      } finally {
        if (isSealed(decoded)) discard(decoded.memory) // Unless it was opened, or passed on.
      }
    }
    this.#carryThrough(() => {
      const decoded = decodeBody(encoding, body, options)
      return decoded instanceof Promise ? decoded.then(handleLater) : handleNow(decoded)
    })
  }

  /** Handles nothing when uWebSockets has closed the connection over what came after the body. */
  #afterTurn(handle: () => void): void {
    this.#context.turn.after(() => {
      if (!this.#isAborted) handle()
    })
  }

  #handle(handle: () => Reply | Promise<Reply>): void {
    this.#stage = 'handling'
    this.#carryThrough(handle)
  }

  #carryThrough(handle: () => Reply | Promise<Reply>): void {
    let outcome: Reply | Promise<Reply>
    try {
      outcome = handle()
    } catch (error) {
      this.#fail(error)
      return
    }
    if (outcome instanceof Promise) {
      outcome.then(
        reply => this.#answer(reply),
        error => this.#fail(error),
      )
    } else {
      this.#answer(outcome)
    }
  }

  #fail(error: unknown): void {
    if (error instanceof ProblemError) {
      const isEncoding = error.code === 'content_encoding'
      const problem = this.#isAborted ? error : this.#judge(error)
      this.#answer(
        this.#errorReply(problem, isEncoding ? [['Accept-Encoding', this.#accepted]] : []),
      )
      return
    }
    const isOurAbort = this.#isAborted && error === this.#abortController?.signal.reason
    if (!isOurAbort) {
      this.#context.logger.error({ err: error, ...this.#options.operation }, 'request failed')
    }
    this.#answer(this.#errorReply(internalProblem))
  }

  #judge(error: ProblemError): ProblemError {
    return this.#context.failureGuard.judge(error, this.#response, this.#forwardedFor)
  }

  #answer(plain: Reply): void {
    const reply = this.#forPage(plain)
    const { stream, messages } = reply
    if (messages !== undefined) {
      if (this.#isAborted) this.#discard(messages)
      else {
        this.#converse(messages)
        return
      }
    }
    if (stream !== undefined && !this.#isAborted && !this.#options.isHead) {
      this.#stream(reply, stream)
      return
    }
    if (stream !== undefined) this.#discard(stream)
    if (this.#isAborted) {
      this.#end(clientGoneStatus)
      return
    }
    this.#stage = 'answering'
    const bytes = this.#options.isHead ? 0 : pacedBytesOf(reply)
    if (bytes > 0) {
      this.#unreadAnswer = { bytes, cutOff: () => this.#response.close() }
      this.#context.answerMemory.hold(this.#unreadAnswer)
    }
    try {
      if (this.#unread === 'much') {
        this.#response.pause()
      }
      writeReply(this.#response, reply, {
        isHead: this.#options.isHead,
        connection: this.#connectionAfter(reply),
        common: this.#context.common,
        onWritten: () => this.#end(reply.status),
      })
    } catch (error) {
      this.#context.logger.error({ err: error, ...this.#options.operation }, 'BUG: answer failed')
      this.#end(reply.status)
    }
  }

  #forPage(reply: Reply): Reply {
    if (this.#pageHeaders.length === 0) return reply
    return { ...reply, headers: [...(reply.headers ?? []), ...this.#pageHeaders] }
  }

  /** The exchange continues until the messages' iterator has ended too. */
  #converse(messages: ReplyStream): void {
    const { traffic, streamStallMs } = this.#context
    const conversation = new SocketReply(messages, {
      stallMs: streamStallMs,
      onError: error => this.#logFailure(error),
    })
    this.#stage = 'answering'
    this.#response.cork(() => this.#options.upgrade!(conversation))
    const forgetStop = traffic.onStopOfStream(() => conversation.stop())
    conversation.ended.then(() => {
      forgetStop()
      this.#end(switchingStatus)
    })
  }

  /** A stream that is not begun still releases what it holds. */
  #discard(stream: ReplyStream): void {
    const returned = (async () => stream[Symbol.asyncIterator]().return?.())()
    returned.catch(error => this.#logFailure(error))
  }

  #logFailure(error: unknown): void {
    this.#context.logger.error({ err: error, ...this.#options.operation }, 'stream failed')
  }

  /** The exchange continues until the stream's iterator has ended too. */
  #stream(reply: Reply, stream: ReplyStream): void {
    const { traffic, streamStallMs, common } = this.#context
    const streamed = new StreamReply(this.#response, stream, {
      writeHead: () =>
        writeHead(this.#response, reply, { connection: this.#connectionAfter(reply), common }),
      stallMs: streamStallMs,
      onError: error => this.#logFailure(error),
    })
    this.#streamed = streamed
    const forgetStop = traffic.onStopOfStream(() => {
      if (reply.isLive === true) {
        streamed.stop()
        this.#abortController?.abort()
      }
    })
    const statuses: Record<StreamEnd, number> = {
      whole: reply.status,
      broken: internalProblem.status,
      gone: clientGoneStatus,
    }
    streamed.run().then(
      end => {
        forgetStop()
        this.#end(statuses[end])
      },
      error => {
        forgetStop()
        this.#streamed = undefined
        this.#fail(error)
      },
    )
  }

  /**
   * A connection with an unread body is never closed outright: the reset would reach the client
   * while it is still sending, and most would never read the answer. What comes of the body is
   * thrown away by uWebSockets; of a body that is too long even for that, no more is read at all.
   */
  #connectionAfter(reply: Reply): Connection {
    if (this.#mustClose) return 'close'
    if (this.#unread === 'nothing') {
      if (this.#context.traffic.isStopping) return 'close'
      return this.#isLast ? 'announce-close' : 'keep'
    }
    const isTooLarge = reply.status === 413
    const mustClose = isTooLarge || this.#unread === 'much' || this.#context.traffic.isStopping
    return mustClose || this.#isLast ? 'announce-close' : 'keep'
  }

  #signal(): AbortSignal {
    this.#abortController ??= new AbortController()
    if (this.#isAborted) {
      this.#abortController.abort()
    }
    return this.#abortController.signal
  }

  #abort(): void {
    this.#isAborted = true
    this.#context.sharedReading.delete(this.#response)
    this.#streamed?.abort()
    this.#streamedBody?.fail(new ProblemError('body_idle', 'the client went away'))
    this.#abortController?.abort()
    const isUnderWay = this.#stage === 'decoding' || this.#stage === 'handling'
    if (!isUnderWay) {
      this.#end(clientGoneStatus)
    }
  }

  #end(status: number): void {
    this.#memory.end()
    if (this.#unreadAnswer !== undefined) this.#context.answerMemory.letGo(this.#unreadAnswer)
    this.#context.traffic.end(this.#options.operation, status)
  }
}
