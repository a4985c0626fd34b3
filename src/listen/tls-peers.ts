/**
 * The TCP sockets below TLS, during the handshake. When it fails, Node ends the connection in order, which to
 * a sender without TLS would say that all it sent is on disk; only the socket below can be reset. Node hands
 * out no link between the two; they have the same peer.
 */

import type { Socket } from 'node:net'
import type { Server } from 'node:tls'

type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>

interface Handshake {
  readonly below: Socket
  readonly timer: NodeJS.Timeout
}

export class TlsPeers {
  readonly #handshakes = new Map<string, Handshake>()

  /** Of all connections that `server` takes from now on. `handshakeMs`: after which it gives one up, ms. */
  constructor(server: Server, handshakeMs: number) {
    server.on('connection', (below: Socket) => {
      const name = nameOf(below)
      this.#forget(name)
      // Neither socket tells reliably who it was, or that it is closed, when the peer is gone first.
      const timer = setTimeout(() => this.#forget(name), 2 * handshakeMs).unref()
      this.#handshakes.set(name, { below, timer })
    })
    server.on('secureConnection', socket => this.#forget(nameOf(socket)))
  }

  /** How many handshakes are under way, or ended lately with a peer that was gone. */
  get count(): number {
    return this.#handshakes.size
  }

  /** Resets the connection of a peer whose handshake has failed. */
  reset(peer: Peer): void {
    const name = nameOf(peer)
    this.#handshakes.get(name)?.below.resetAndDestroy()
    this.#forget(name)
  }

  #forget(name: string): void {
    clearTimeout(this.#handshakes.get(name)?.timer)
    this.#handshakes.delete(name)
  }
}

function nameOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`
}
