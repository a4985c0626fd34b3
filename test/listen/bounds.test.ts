import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { BodyMemory } from '../../src/ingest/body-memory.ts'
import { limits } from '../../src/limits.ts'
import { Listener } from '../../src/listen/listener.ts'
import { syslogProtocol } from '../../src/listen/protocols/syslog.ts'
import { StreamListener } from '../../src/listen/stream-listener.ts'
import { ProblemError } from '../../src/problems.ts'
import type { LogRecord } from '../../src/record.ts'

const noFiles = {
  tlsCert: undefined,
  tlsKey: undefined,
  listenTlsCert: undefined,
  listenTlsKey: undefined,
}

/** A listener on stand-ins: `store` takes records, or throws. */
async function listening(
  store: (records: readonly LogRecord[]) => Promise<void>,
  {
    memoryBytes = limits.listenersHoldBytesMax,
    connectionsMax = undefined as number | undefined,
  } = {},
) {
  const refusals: string[] = []
  const memory = new BodyMemory(memoryBytes)
  const token = { id: '1', stream: { service: 'shop', environment: 'test' } }
  const listener = new Listener(
    syslogProtocol({ eventBytesMax: 1024 * 1024 }),
    { transport: 'tcp', host: '127.0.0.1', port: 0, tokenName: 'shop/test' },
    {
      tokens: { named: () => token, isLive: () => true },
      ingest: { records: store, checkRoom: () => {}, batch: () => Promise.reject(full) },
      config: { batchBytesMax: 1024 },
      metrics: {
        noteUnreadableTimes: () => {},
        listeners: {
          noteRecords: () => {},
          noteConnections: () => {},
          watchKernelDrops: () => {},
          noteRefused: (_listener, reason) => refusals.push(reason),
        },
      },
      logger: { warn: () => {} },
      now: Date.now,
      memory,
    },
  )
  const server = new StreamListener(listener, noFiles, connectionsMax)
  await server.listen()
  const port = Number(/\d+$/.exec(listener.name)![0])
  const open = () =>
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume()
  return { server, refusals, memory, open }
}

/** Unlike `once`, it takes a failure for an end. */
const whenClosed = (socket: Socket) => new Promise(resolve => socket.on('close', resolve))

const full = new ProblemError('storage_full', 'full')

t.test('a connection waits while the disk is full, and loses nothing', async t => {
  const stored: string[] = []
  let refusing = 3
  const { server, refusals, memory, open } = await listening(async records => {
    if (refusing-- > 0) throw full
    stored.push(...records.map(({ message }) => message))
  })
  const socket = open()
  socket.end('<14>one\n<14>two\n')
  const [hasFailed] = await once(socket, 'close')
  t.same(stored, ['one', 'two'])
  t.notOk(hasFailed)
  t.same(refusals, [])
  t.equal(memory.heldBytes, 0)
  await server.close()
})

t.test('what waits and what has come in part is bounded, over all connections', async t => {
  const { server, refusals, open } = await listening(() => Promise.reject(full), {
    memoryBytes: 256 * 1024,
  })
  const sockets = Array.from({ length: 8 }, open)
  for (const socket of sockets) socket.write(`<14>${'x'.repeat(60_000)}\n`)
  await Promise.any(sockets.map(whenClosed))
  t.ok(refusals.length > 0)
  t.ok(refusals.every(reason => reason === 'overloaded'))
  for (const socket of sockets) socket.destroy()
  await server.close()

  const parts = await listening(() => Promise.resolve(), { memoryBytes: 256 * 1024 })
  const partial = Array.from({ length: 8 }, parts.open)
  const closed = partial.map(whenClosed)
  for (const socket of partial) socket.write(`<14>${'x'.repeat(100_000)}`)
  await Promise.any(closed)
  t.equal(parts.refusals[0], 'overloaded')
  for (const socket of partial) socket.destroy()
  await parts.server.close()
  t.equal(parts.memory.heldBytes, 0)
})

t.test('there are so many connections, and not one more', async t => {
  const { server, refusals, open } = await listening(() => Promise.resolve(), { connectionsMax: 2 })
  const first = [open(), open()]
  await Promise.all(first.map(socket => once(socket, 'connect')))
  await whenClosed(open())
  t.same(refusals, ['too_many_connections'])
  await server.close()
})

t.test('a service that stops does not wait for the disk', async t => {
  const { server, open } = await listening(() => Promise.reject(full))
  const socket = open()
  socket.write('<14>one\n')
  await once(socket, 'connect')
  await new Promise(resolve => setTimeout(resolve, 50))
  const closed = new Promise<string>(resolve => {
    socket.on('error', error => resolve(error.message))
  })
  await server.close()
  t.match(await closed, 'ECONNRESET', 'its sender sees that it was not in order')
})
