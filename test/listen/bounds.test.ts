import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { BodyMemory } from '../../src/ingest/body-memory.ts'
import { limits } from '../../src/limits.ts'
import { syslogProtocol } from '../../src/listen/protocols/syslog.ts'
import { StreamListener } from '../../src/listen/stream-listener.ts'
import { ProblemError } from '../../src/problems.ts'
import type { LogRecord } from '../../src/record.ts'
import { listenerOnStandIns, noFiles, portOfListener } from './listener-on-stand-ins.ts'

/** A listener on stand-ins: `store` takes records, or throws. */
async function listening(
  store: (records: readonly LogRecord[]) => Promise<void>,
  {
    memoryBytes = limits.listenersHoldBytesMax,
    connectionsMax = undefined as number | undefined,
  } = {},
) {
  const memory = new BodyMemory(memoryBytes)
  const { listener, refused } = listenerOnStandIns(
    syslogProtocol({ eventBytesMax: 1024 * 1024 }),
    'tcp',
    { records: store, batch: () => Promise.reject(full) },
    memory,
  )
  const server = new StreamListener(listener, noFiles, connectionsMax)
  await server.listen()
  const port = portOfListener(listener)
  const open = () =>
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume()
  return { server, refused, memory, open }
}

/** Unlike `once`, it takes a failure for an end. */
const whenClosed = (socket: Socket) => new Promise(resolve => socket.on('close', resolve))

const full = new ProblemError('storage_full', 'full')

t.test('a connection waits while the disk is full, and loses nothing', async t => {
  const stored: string[] = []
  let refusing = 3
  const { server, refused, memory, open } = await listening(async records => {
    if (refusing-- > 0) throw full
    stored.push(...records.map(({ message }) => message))
  })
  const socket = open()
  socket.end('<14>one\n<14>two\n')
  const [hasFailed] = await once(socket, 'close')
  t.same(stored, ['one', 'two'])
  t.notOk(hasFailed)
  t.same(refused, [])
  t.equal(memory.heldBytes, 0)
  await server.close()
})

t.test('what waits and what has come in part is bounded, over all connections', async t => {
  const { server, refused, open } = await listening(() => Promise.reject(full), {
    memoryBytes: 256 * 1024,
  })
  const sockets = Array.from({ length: 8 }, open)
  for (const socket of sockets) socket.write(`<14>${'x'.repeat(60_000)}\n`)
  await Promise.any(sockets.map(whenClosed))
  t.ok(refused.length > 0)
  t.ok(refused.every(reason => reason === 'overloaded 1'))
  for (const socket of sockets) socket.destroy()
  await server.close()

  const parts = await listening(() => Promise.resolve(), { memoryBytes: 256 * 1024 })
  const partial = Array.from({ length: 8 }, parts.open)
  const closed = partial.map(whenClosed)
  for (const socket of partial) socket.write(`<14>${'x'.repeat(100_000)}`)
  await Promise.any(closed)
  t.equal(parts.refused[0], 'overloaded 1')
  for (const socket of partial) socket.destroy()
  await parts.server.close()
  t.equal(parts.memory.heldBytes, 0)
})

t.test('there are so many connections, and not one more', async t => {
  const { server, refused, open } = await listening(() => Promise.resolve(), { connectionsMax: 2 })
  const first = [open(), open()]
  await Promise.all(first.map(socket => once(socket, 'connect')))
  await whenClosed(open())
  t.same(refused, ['too_many_connections 1'])
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
