/** What the kernel drops of datagrams before we read them is counted. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import t from 'tap'
import { kernelDrops } from '../../src/listen/kernel-drops.ts'
import { metricOf, recordsOf, sendDatagrams, startShopListening } from './listening-service.ts'

const noProc = !existsSync('/proc/net/udp') && 'only Linux tells what it drops'

const bind = async (type: 'udp4' | 'udp6', address: string): Promise<Socket> => {
  const socket = createSocket({ type, recvBufferSize: 1 })
  socket.bind({ address, port: 0 })
  await once(socket, 'listening')
  return socket
}

/** Sends so much that a receiver that does not read cannot hold it, before it is let to read. */
async function flood(type: 'udp4' | 'udp6', port: number, address: string): Promise<void> {
  const sender = createSocket(type)
  const datagram = Buffer.alloc(1_000)
  const sent = Array.from(
    { length: 200 },
    () => new Promise(resolve => sender.send(datagram, port, address, resolve)),
  )
  await Promise.all(sent)
  sender.close()
}

t.test('the kernel tells what it drops of a socket of ours', { skip: noProc }, async t => {
  for (const [type, address] of [
    ['udp4', '127.0.0.1'],
    ['udp4', '0.0.0.0'],
    ['udp6', '::1'],
    ['udp6', '::'],
  ] as const) {
    const socket = await bind(type, address).catch(() => undefined)
    if (socket === undefined) continue // A machine without IPv6.
    const bound = socket.address()
    t.equal(kernelDrops(bound), 0)
    await flood(type, bound.port, type === 'udp4' ? '127.0.0.1' : '::1')
    t.ok(kernelDrops(bound)! > 0, `${address}: ${kernelDrops(bound)}`)
    const other = await bind(type, address)
    t.equal(kernelDrops(other.address()), 0, 'each socket has its own')
    other.close()
    socket.close()
  }
})

t.test('drops of a listener are in the metrics', { skip: noProc }, async t => {
  const service = await startShopListening(t, t.testdir(), [['syslog', 'udp']])
  const port = service.port('syslog', 'udp')
  const name = `logstrata_listener_kernel_drops_total{listener="syslog udp://127.0.0.1:${port}"}`
  t.equal(await metricOf(service, name), 0)
  process.kill(service.pid, 'SIGSTOP')
  const sender = createSocket('udp4')
  const datagram = Buffer.alloc(60_000, '<14>1 - - - - - - x')
  // More than the receive buffer that was asked for.
  for (let i = 0; i < 600; i++) {
    await new Promise(resolve => sender.send(datagram, port, '127.0.0.1', resolve))
  }
  sender.close()
  process.kill(service.pid, 'SIGCONT')
  t.ok((await metricOf(service, name)) > 0)
  await sendDatagrams(port, Buffer.from('<14>1 - - - - - - still there'))
  await recordsOf(service, 'logs{message="still there"}', 1)
})
