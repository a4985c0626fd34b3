/**
 * Takes datagrams. UDP knows no waiting: what comes while there is no room is dropped, here or by the kernel
 * before us, and both are counted.
 */

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIP, isIPv6 } from 'node:net'
import { listenerAddress } from '../config/listener-setting.ts'
import { GatheredIntake } from './gathered-intake.ts'
import { kernelDrops } from './kernel-drops.ts'
import type { Listener } from './listener.ts'
import type { DatagramReader } from './protocols/protocol.ts'

/** Asked of the kernel for what we have not read yet, in bytes; it grants `net.core.rmem_max` at most. */
const receiveBufferBytes = 16 * 1024 * 1024

export class DatagramListener {
  readonly #listener: Listener
  readonly #socket: Socket
  readonly #reader: DatagramReader
  readonly #stored = new Set<Promise<void>>()

  constructor(listener: Listener) {
    this.#listener = listener
    this.#reader = listener.protocol.openDatagrams()
    const type = isIPv6(listener.setting.host) ? 'udp6' : 'udp4'
    this.#socket = createSocket({ type, recvBufferSize: receiveBufferBytes })
    this.#socket.on('message', (bytes, peer) => this.#take(bytes, peer))
  }

  /** Rejects when the address cannot be had. */
  async listen(): Promise<void> {
    const { host, port, transport } = this.#listener.setting
    this.#socket.bind({ address: host, port })
    await once(this.#socket, 'listening')
    this.#socket.on('error', error => this.#listener.refuse('unreadable', 1, error.message))
    const bound = this.#socket.address()
    const address = listenerAddress({ transport, host, port: bound.port })
    this.#listener.name = `${this.#listener.protocol.name} ${address}`
    const { listeners } = this.#listener.dependencies.metrics
    if (isIP(bound.address) !== 0) {
      listeners.watchKernelDrops(this.#listener.name, () => kernelDrops(bound))
    }
  }

  /** Takes no more, and resolves when all that was taken is stored. */
  async close(): Promise<void> {
    await new Promise<void>(resolve => this.#socket.close(() => resolve()))
    await Promise.all(this.#stored)
  }

  #take(bytes: Buffer, { address }: RemoteInfo): void {
    const listener = this.#listener
    const token = listener.token()
    if (token === undefined) {
      listener.refuse('token_unknown', 1, listener.complaint ?? '', address)
      return
    }
    const intake = new GatheredIntake(listener.dependencies.now())
    try {
      this.#reader.read(bytes, address, intake)
    } catch (error) {
      intake.fail(error) // Nobody else would catch it, and it would end the process.
    }
    listener.noteRefusals(intake, address)
    if (intake.records.length === 0) return
    const stored = listener.store(intake, token, bytes.length).catch(error => {
      listener.refuseFor(error, intake.records.length, 'datagrams were dropped', address)
    })
    this.#stored.add(stored)
    stored.then(() => this.#stored.delete(stored))
  }
}
