/** What is kept of handshakes, so that those which fail can be reset: nothing, whatever becomes of them. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { connect as connectTls, createServer, type Server } from 'node:tls'
import t, { type Test } from 'tap'
import { TlsPeers } from '../../src/listen/tls-peers.ts'
import { hourMs } from '../../src/time-units.ts'
import { makeCertificate, noOpenssl } from '../service/certificate.ts'
import { until } from '../until.ts'

const opts = { skip: noOpenssl }
const host = '127.0.0.1'

interface Listening {
  readonly server: Server
  readonly peers: TlsPeers
  readonly port: number
  readonly ca: string
}

/** Takes TLS, ends what ends, and resets who cannot begin it. */
async function listen(t: Test, handshakeMs: number): Promise<Listening> {
  const { cert, key, pem: ca } = makeCertificate(t.testdir())
  const server = createServer({
    ...{ cert: readFileSync(cert), key: readFileSync(key) },
    ...{ allowHalfOpen: true, handshakeTimeout: handshakeMs },
  })
  const peers = new TlsPeers(server, handshakeMs)
  server.on('tlsClientError', (_, socket) => peers.reset(socket))
  server.on('secureConnection', socket => {
    socket.on('error', () => {}).on('end', () => socket.end())
    socket.resume()
  })
  server.listen(0, host)
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { server, peers, port: (server.address() as AddressInfo).port, ca }
}

const quiet = <S extends Socket>(socket: S) => socket.on('error', () => {}).resume()

t.test('a handshake that is done, or has failed, is kept no longer', opts, async t => {
  const { server, peers, port, ca } = await listen(t, hourMs)
  const secure = quiet(connectTls({ port, host, ca }))
  const plain = quiet(connect({ port, host }))
  await until(() => peers.count === 1 && secure.authorized)
  const failed = once(server, 'tlsClientError')
  const [error] = await Promise.all([once(plain, 'error'), failed, plain.write('no TLS')])
  t.match(error, [{ code: 'ECONNRESET' }], 'its connection is reset')
  t.equal(peers.count, 0)
  secure.destroy()
})

t.test('however handshakes end, none is kept for long', opts, async t => {
  const { server, peers, port, ca } = await listen(t, 200)
  let connectionCount = 0
  server.on('connection', () => connectionCount++)
  const plain = () => quiet(connect({ port, host }))
  const secure = () => quiet(connectTls({ port, host, ca }))
  const destroyedAt = (socket: Socket, event: string) => socket.on(event, () => socket.destroy())
  const resetAtOnce = (socket: Socket) => socket.on('connect', () => socket.resetAndDestroy())
  const ways = [
    () => plain(),
    () => plain().end('no TLS'),
    () => plain().end('a'),
    () => resetAtOnce(plain()),
    () => secure().end('x'),
    () => destroyedAt(secure(), 'connect'),
    () => destroyedAt(secure(), 'secureConnect'),
  ]
  const clients = Array.from({ length: 5 }, () => ways.map(way => way())).flat()
  await until(() => clients.every(({ closed }) => closed))
  await until(() => connectionCount > 0 && peers.count === 0)
  t.equal(peers.count, 0)
})
