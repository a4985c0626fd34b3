/** Requests written byte by byte, for what no HTTP client would send. */

import { once } from 'node:events'
import net from 'node:net'

/** Writes `bytes` and gives all that comes until the server closes the connection. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  const socket = net.connect(port, '127.0.0.1')
  socket.write(bytes)
  const received = await readToEnd(socket)
  socket.destroy()
  return received
}

/** All that comes until the connection is closed, however that happens. */
export function readToEnd(socket: net.Socket): Promise<string> {
  return new Promise(resolve => {
    let received = ''
    socket.setEncoding('latin1')
    socket.on('data', text => {
      received += text
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received))
  })
}

/** An open connection on which `bytes` were written. */
export async function connectRaw(port: number, bytes: string): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  socket.write(bytes)
  return socket
}

/** Resolves when `condition` holds, tried after each turn of the event loop. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise(resolve => setImmediate(resolve))
  }
}

export function statusOf(received: string): number {
  return Number(received.split(' ', 2)[1])
}

/** The head of a POST, with the connection to be closed after its answer. */
export function postHead(path: string, secret: string, headers: readonly string[]): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: test',
    'Connection: close',
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}
