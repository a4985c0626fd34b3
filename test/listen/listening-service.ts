/** A service that listens to what is not HTTP, and senders by socket. */
import { createSocket } from 'node:dgram'
import { connect as connectTcp, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServiceProcess, startService } from '../service/service-process.ts'

export interface ListeningService extends ServiceProcess {
  /** The port of the listener whose flag's value began so: `tcp`, `udp`, `tls`. */
  port(protocol: string, transport: string): number
}

/** Starts it with port 0 at loopback for each of `listeners`, such as `['syslog', 'tcp', 'shop/test']`. */
export async function startListening(
  dataDir: string,
  listeners: readonly (readonly [protocol: string, transport: string, token: string])[],
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<ListeningService> {
  const listen = listeners.flatMap(([protocol, transport, token]) => [
    `--${protocol}`,
    `${transport}://127.0.0.1:0=${token}`,
  ])
  const service = await startService(dataDir, { flags: [...listen, ...flags], environment })
  return { ...service, port: (protocol, transport) => portOf(service, protocol, transport) }
}

/** One of a test whose listeners, each a protocol and a transport, take for the stream `shop/test`, and may. */
export async function startShopListening(
  t: { teardown(end: () => unknown): void },
  dataDir: string,
  listeners: readonly (readonly [protocol: string, transport: string])[],
  flags?: readonly string[],
): Promise<ListeningService> {
  const all = listeners.map(listener => [...listener, 'shop/test'] as const)
  const service = await startListening(dataDir, all, flags)
  t.teardown(() => service.end('SIGKILL'))
  await service.makeToken('shop', 'test')
  return service
}

/** Where a service listens, which it says before it is ready. */
export function portOf(service: ServiceProcess, protocol: string, transport: string): number {
  const { stdout } = service.output
  return Number(
    new RegExp(`^taking ${protocol} ${transport}://127\\.0\\.0\\.1:(\\d+)$`, 'm').exec(stdout)![1],
  )
}

/** All records that match, the earliest first, once there are `count` of them. */
export async function recordsOf(service: ServiceProcess, query: string, count: number) {
  for (const giveUpAt = Date.now() + 15_000; ; await sleep(20)) {
    const { body } = await service.query(query, { limit: 1_000 })
    if (body.count >= count) return body.logs
    if (Date.now() > giveUpAt) throw new Error(`${query}: ${body.count} of ${count} records`)
  }
}

/** A value of `/metrics`; 0 when there is none. */
export async function metricOf(service: ServiceProcess, name: string): Promise<number> {
  const { body } = await service.call('GET', '/metrics')
  const line = String(body)
    .split('\n')
    .find(line => line.startsWith(name))
  return Number(line?.split(' ').at(-1) ?? 0)
}

/** How many messages the listener has refused for `reason`. */
export function refusedBy(
  service: ListeningService,
  [protocol, transport]: readonly [protocol: string, transport: string],
  reason: string,
): Promise<number> {
  const listener = `${protocol} ${transport}://127.0.0.1:${service.port(protocol, transport)}`
  const labels = `{listener="${listener}",reason="${reason}"}`
  return metricOf(service, `logstrata_listener_refused_total${labels}`)
}

/** A connection that may be written to at once. A failure is told by `sendWhole`. */
export function connect(port: number): Socket {
  const socket = connectTcp({ port, host: '127.0.0.1', allowHalfOpen: true })
  return socket.on('error', () => {})
}

/** Sends all and ends; resolves with whether the service ended in order too, which says that all is stored. */
export function sendWhole(socket: Socket, bytes: string | Uint8Array): Promise<boolean> {
  if (socket.destroyed) return Promise.resolve(false)
  const closed = new Promise<boolean>(resolve => {
    socket.on('close', hasFailed => resolve(!hasFailed))
  })
  socket.resume().end(bytes)
  return closed
}

export async function sendDatagrams(port: number, ...datagrams: readonly Uint8Array[]) {
  const socket = createSocket('udp4')
  for (const datagram of datagrams) {
    await new Promise(resolve => socket.send(datagram, port, '127.0.0.1', resolve))
  }
  socket.close()
}
