/**
 * The socket side: listens, hands requests to exchanges, stops. The only file that knows
 * uWebSockets.js; `native.ts` has its rules.
 */

import {
  App,
  SSLApp,
  type TemplatedApp,
  us_listen_socket_close,
  us_socket_local_port,
  type WebSocket,
  type WebSocketBehavior,
} from 'uWebSockets.js'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { networkList } from '../config/networks.ts'
import { BodyMemory } from '../ingest/body-memory.ts'
import { limits } from '../limits.ts'
import { AuthFailures } from './access/auth-failures.ts'
import { BrowserGuard } from './access/browser-guard.ts'
import { CrossOrigin } from './access/cross-origin.ts'
import { FailureGuard } from './access/failure-guard.ts'
import { DecoderQueue } from './body/decoder-queue.ts'
import { LargeDecoder } from './body/large-decoder.ts'
import { SharedReading } from './body/shared-reading.ts'
import { SpareBuffers } from './body/spare-buffers.ts'
import { StreamedBodies } from './body/streamed-bodies.ts'
import type { HttpDependencies } from './dependencies.ts'
import { Exchange, type ExchangeContext, type ExchangeOptions } from './exchange.ts'
import type { NativeRequest, NativeResponse } from './native.ts'
import { nativePattern, parameterNames } from './paths.ts'
import { AnswerMemory } from './reply/answer-memory.ts'
import { CommonHeaders } from './reply/common-headers.ts'
import type { SocketHandlers } from './reply/socket-reply.ts'
import type { Route } from './route.ts'
import { createRoutes } from './routes.ts'
import { type AnswerCount, Traffic } from './traffic.ts'
import { Turn } from './turn.ts'

export interface HttpServerOptions extends HttpDependencies {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Instead of the operations of the service. */
  readonly routes?: readonly Route[]
  /** Time without progress, ms, after which the reader of a streamed answer is cut off. */
  readonly streamStallMs?: number
  /** Bytes of answers not yet read, beyond which the oldest of their clients is cut off. */
  readonly unreadAnswerBytesMax?: number
  /** Counts of wrong credentials, with bounds of their own. */
  readonly authFailures?: AuthFailures
}

export interface HttpServer {
  /** The real one, also when 0 was asked for. */
  readonly port: number
  readonly routes: readonly Route[]
  /** Requests that came since the start. */
  readonly begunCount: number
  /** Requests that are neither answered nor given up. */
  readonly underWayCount: number
  /** Those of them that have no answer yet, not even the beginning of a stream. */
  readonly awaitedCount: number
  /** Memory that bodies take while they arrive and until they are answered. */
  readonly bodyBytesHeld: number
  /** What was answered since the start, by operation and status; 499 when the client had gone. */
  answers(): Iterable<AnswerCount>
  /**
   * Listens no more, answers new requests on open connections 503, ends live streams, waits until
   * the requests under way are answered, at most `limitMs`, and closes all connections. Resolves with
   * whether all were answered. May be called again.
   */
  stop(limitMs: number): Promise<boolean>
}

/** Listens and answers. Rejects when it cannot listen at this address. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, port, catalog, ingest, logger, config } = options
  const traffic = new Traffic()
  const answerMemory = new AnswerMemory(options.unreadAnswerBytesMax ?? limits.unreadAnswerBytesMax)
  const { routes = createRoutes(options), streamStallMs = limits.streamStallMs } = options
  const { tlsCert, tlsKey } = config
  const isTls = tlsCert !== undefined && tlsKey !== undefined
  const app = isTls ? SSLApp({ cert_file_name: tlsCert, key_file_name: tlsKey }) : App()
  const bodyMemory = new BodyMemory(config.pendingBytesMax)
  const failureGuard = guardOf(options)
  const common = new CommonHeaders({ isTls })
  const streamedBodies = new StreamedBodies()
  const largeDecoder = new LargeDecoder(bodyMemory.spare, bodyMemory.largeWork)
  const memory = {
    bodyMemory,
    streamedBodies,
    largeDecoder,
    decoders: new DecoderQueue(bodyMemory),
    answerMemory,
  }
  const doors = { catalog, ingest, logger }
  const reading = {
    turn: new Turn(),
    sharedReading: new SharedReading(),
    spareBuffers: new SpareBuffers(),
  }
  const crossOrigin = new CrossOrigin(config.corsOrigins)
  const browserGuard = new BrowserGuard({ crossOrigin, now: () => performance.now() })
  const writing = { common, streamStallMs, crossOrigin, browserGuard }
  const shared = { ...doors, traffic, ...reading, ...memory, failureGuard, ...writing }
  register(app, routes, shared)
  const listenSocket = await listen(app, host, port)
  let stopped: Promise<boolean> | undefined

  return {
    port: us_socket_local_port(listenSocket),
    routes,
    get begunCount() {
      return traffic.begunCount
    },
    get underWayCount() {
      return traffic.underWayCount
    },
    get awaitedCount() {
      return traffic.awaitedCount
    },
    get bodyBytesHeld() {
      return bodyMemory.heldBytes
    },
    answers: () => traffic.answers(),
    stop(limitMs) {
      stopped ??= stop(limitMs)
      return stopped
    },
  }

  async function stop(limitMs: number): Promise<boolean> {
    traffic.beginStop()
    us_listen_socket_close(listenSocket)
    const isIdle = await traffic.idle(limitMs)
    await nextTurn() // Not from inside one of uWebSockets' callbacks.
    app.close()
    await largeDecoder.close()
    return isIdle
  }
}

function guardOf({ authFailures, config, metrics, logger }: HttpServerOptions): FailureGuard {
  const failures =
    authFailures ??
    new AuthFailures({
      failuresMax: limits.authFailuresMax,
      windowMs: limits.authFailureWindowMs,
      addressesMax: limits.authFailureAddressesMax,
      now: () => performance.now(),
    })
  const { trustedProxies } = config
  const trusted = trustedProxies && networkList(trustedProxies)
  return new FailureGuard({ failures, trustedProxies: trusted, metrics, logger })
}

const anything = { method: '*', path: '*' } as const

function register(app: TemplatedApp, routes: readonly Route[], context: ExchangeContext): void {
  for (const route of routes) {
    const { method, path } = route
    const carryOut = (options: ExchangeOptions) => (res: NativeResponse, req: NativeRequest) =>
      new Exchange(res, options, context).carryOut(route, req)
    const names = { parameterNames: parameterNames(path) }
    const answer = carryOut({ operation: { method, path }, isHead: false, ...names })
    const pattern = nativePattern(path)
    if (route.body === 'socket') {
      app.ws(pattern, socketBehavior(route, { operation: { method, path }, ...names }, context))
    }
    if (method === 'GET') {
      app.get(pattern, answer)
      app.head(pattern, carryOut({ operation: { method: 'HEAD', path }, isHead: true, ...names }))
    } else if (method === 'POST') {
      app.post(pattern, answer)
    } else if (method === 'PUT') {
      app.put(pattern, answer)
    } else {
      app.del(pattern, answer)
    }
  }
  app.any('/*', (res, req) => {
    const isHead = req.getMethod() === 'head'
    const options = { operation: anything, isHead, parameterNames: [] }
    new Exchange(res, options, context).turnAway(routes, req)
  })
}

interface SocketData {
  readonly handlers: SocketHandlers
}

/**
 * How a WebSocket at `route` comes about and lives. Requests that ask for none continue to the route's
 * GET.
 */
function socketBehavior(
  route: Route,
  options: Omit<ExchangeOptions, 'isHead'>,
  context: ExchangeContext,
): WebSocketBehavior<SocketData> {
  const handlersOf = (socket: WebSocket<SocketData>) => socket.getUserData().handlers
  return {
    idleTimeout: limits.socketIdleSeconds,
    maxPayloadLength: limits.socketMessageBytesMax,
    maxBackpressure: 0, // No bound of its own: there is one message at a time, which must get through.
    upgrade(res, req, socketContext) {
      const key = req.getHeader('sec-websocket-key')
      const upgrade = (handlers: SocketHandlers) =>
        res.upgrade<SocketData>({ handlers }, key, '', '', socketContext)
      new Exchange(res, { ...options, isHead: false, upgrade }, context).carryOut(route, req)
    },
    open: socket => handlersOf(socket).opened(socket),
    drain: socket => handlersOf(socket).drained(),
    close: socket => handlersOf(socket).closed(),
  }
}

type ListenSocket = Parameters<typeof us_listen_socket_close>[0] &
  Parameters<typeof us_socket_local_port>[0]

/** `LIBUS_LISTEN_EXCLUSIVE_PORT`: without it, two services on one port would share its requests. */
const exclusivePort = 1

function listen(app: TemplatedApp, host: string, port: number): Promise<ListenSocket> {
  // The package takes these four arguments; its types know only host without options.
  const exclusively = app as unknown as {
    listen(
      host: string,
      port: number,
      options: number,
      callback: (listenSocket: ListenSocket | false) => void,
    ): void
  }
  return new Promise((resolve, reject) => {
    exclusively.listen(host, port, exclusivePort, listenSocket => {
      if (listenSocket === false) {
        const why = 'the port is taken, or the address is not one of this machine'
        reject(new Error(`cannot listen on ${host}:${port}: ${why}`))
      } else {
        resolve(listenSocket)
      }
    })
  })
}
