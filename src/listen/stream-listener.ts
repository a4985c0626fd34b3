/** Takes connections by TCP, or by TLS. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Config } from '../config/config.ts'
import { listenerAddress } from '../config/listener-setting.ts'
import { limits } from '../limits.ts'
import type { Listener } from './listener.ts'
import { reset, StreamConnection } from './stream-connection.ts'
import { TlsPeers } from './tls-peers.ts'

export type CertificateFiles = Pick<Config, 'tlsCert' | 'tlsKey' | 'listenTlsCert' | 'listenTlsKey'>

/** A peer that is gone without a word is noticed after this time, ms, and some minutes. */
const keepAliveAfterMs = 60_000
/** How long a peer may take to begin TLS, ms. */
const handshakeMs = 30_000

const options = {
  allowHalfOpen: true, // Our end says that all is on disk: see `stream-connection.ts`.
  keepAlive: true,
  keepAliveInitialDelay: keepAliveAfterMs,
  noDelay: true,
}

export class StreamListener {
  readonly #listener: Listener
  readonly #server: Server
  readonly #connections = new Set<StreamConnection>()

  /** Throws when the certificate cannot be read. */
  constructor(
    listener: Listener,
    files: CertificateFiles,
    connectionsMax: number = limits.listenerConnectionsMax,
  ) {
    this.#listener = listener
    this.#server = listener.setting.transport === 'tls' ? this.#tlsServer(files) : this.#tcpServer()
    this.#server.maxConnections = connectionsMax
    this.#server.on('drop', () => {
      const detail = `there are ${connectionsMax} connections already`
      listener.refuse('too_many_connections', 1, detail)
    })
  }

  #tcpServer(): Server {
    return createServer(options).on('connection', socket => this.#take(socket))
  }

  #tlsServer(files: CertificateFiles): Server {
    const own = { ...certificateOf(files), handshakeTimeout: handshakeMs }
    const server = createTlsServer({ ...options, ...own })
    const peers = new TlsPeers(server, handshakeMs)
    server.on('secureConnection', socket => this.#take(socket))
    server.on('tlsClientError', (error, socket) => {
      const detail = `no TLS: ${error.message}`
      this.#listener.refuse('not_authenticated', 1, detail, socket.remoteAddress)
      peers.reset(socket)
    })
    return server
  }

  /** Rejects when the address cannot be had. */
  async listen(): Promise<void> {
    const { host, port, transport } = this.#listener.setting
    this.#server.listen({ host, port, backlog: 511 })
    await once(this.#server, 'listening')
    const bound = this.#server.address() as { readonly port: number }
    const address = listenerAddress({ transport, host, port: bound.port })
    this.#listener.name = `${this.#listener.protocol.name} ${address}`
  }

  /** Takes no more connections, and ends all when what they have brought is stored. */
  async close(): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    await Promise.all([...this.#connections].map(connection => connection.stop()))
    await closed
  }

  /** Undefined when a mistake of ours has reset the connection: nobody else would catch it. */
  #open(socket: Socket): StreamConnection | undefined {
    try {
      return new StreamConnection(this.#listener, socket)
    } catch (error) {
      this.#listener.refuseFor(error, 1, 'a connection was reset', socket.remoteAddress ?? '')
      socket.on('error', () => {})
      reset(socket)
      return undefined
    }
  }

  #take(socket: Socket): void {
    const listener = this.#listener
    const { complaint } = listener
    if (complaint !== undefined) {
      listener.refuse('token_unknown', 1, complaint, socket.remoteAddress)
      socket.on('error', () => {})
      reset(socket)
      return
    }
    const connection = this.#open(socket)
    if (connection === undefined) return
    const { listeners } = listener.dependencies.metrics
    this.#connections.add(connection)
    listeners.noteConnections(listener.name, this.#connections.size)
    socket.on('close', () => {
      this.#connections.delete(connection)
      listeners.noteConnections(listener.name, this.#connections.size)
    })
  }
}

/** The listeners' own certificate, or the service's. */
function certificateOf({ tlsCert, tlsKey, listenTlsCert, listenTlsKey }: CertificateFiles) {
  const cert = readFileSync((listenTlsCert ?? tlsCert)!)
  const key = readFileSync((listenTlsKey ?? tlsKey)!)
  return { cert, key, minVersion: 'TLSv1.2' as const }
}
