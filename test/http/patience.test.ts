/** What only time shows. All of it waits at once: it takes as long as the slowest, 16 s. */
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { limits } from '../../src/limits.ts'
import type { SelectResult } from '../../src/store/store.ts'
import { connectRaw, postHead, readToEnd, until } from './raw-client.ts'
import { connectDeaf, startStreamServer } from './reply/stream-server.ts'
import { ingestionSecret, keyOf, nothingSelected, startServer } from './stand-ins.ts'

/** Longer than the idle timeout of uWebSockets, which is 10 s, give or take its 4 s clock. */
const longMs = 12_000
const longerMs = 16_000

t.test('what takes longer than the idle timeout', { jobs: 4 }, async t => {
  t.test('a query is answered', { buffered: true }, queryIsAnswered)
  t.test('a connection lives as long as its client was told', { buffered: true }, livesAsTold)
  t.test('large bodies are taken', { buffered: true }, largeBodiesAreTaken)
  t.test('a reader that is slower is not cut off', { buffered: true }, slowReaderStays)
})

async function queryIsAnswered(t: Test): Promise<void> {
  const store = {
    select: () =>
      new Promise<SelectResult>(resolve => setTimeout(() => resolve(nothingSelected), longMs)),
  }
  const server = await startServer(t, { store })
  const slow = fetch(`${server.url}/api/v1/query/logs`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${keyOf.viewer}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'logs', startTime: 1, endTime: 2 }),
  })

  const head = postHead('/api/v1/webhook/event/log', ingestionSecret, ['Content-Length: 100'])
  const silent = {
    'that sends nothing': await connectRaw(server.port, ''),
    'that sends half of its headers': await connectRaw(server.port, 'GET /health HTTP/1.1\r\n'),
    'that sends half of its body': await connectRaw(server.port, `${head}{"a":`),
  }
  const closed = Object.entries(silent).map(async ([name, socket]) => {
    await readToEnd(socket)
    return name
  })

  t.same(await Promise.all(closed), Object.keys(silent), 'clients that stall are cut off')
  t.equal((await slow).status, 200)
  t.equal(server.underWayCount, 0)
}

async function largeBodiesAreTaken(t: Test): Promise<void> {
  const batch = async () => {
    await pause(13_500)
    return { accepted: 1, rejected: 0, errors: [] }
  }
  const { url } = await startServer(t, { ingest: { batch } })
  const headers = {
    Authorization: `Bearer ${ingestionSecret}`,
    'Content-Type': 'application/json',
  }
  const body = Buffer.alloc(1.5 * 1024 * 1024, 7)
  const posts = Array.from({ length: 8 }, async () => {
    const answer = await fetch(`${url}/api/v1/webhook/event/logs`, {
      method: 'POST',
      headers,
      body,
    })
    await answer.text()
    return answer.status
  })
  t.same(
    await Promise.all(posts),
    Array.from(posts, () => 200),
  )
}

async function livesAsTold(t: Test): Promise<void> {
  const server = await startServer(t)
  const startedAt = performance.now()
  const socket = await connectRaw(server.port, 'GET /health HTTP/1.1\r\nHost: test\r\n\r\n')
  const received = await readToEnd(socket)
  const livedMs = performance.now() - startedAt
  t.match(received, `Connection: keep-alive\r\nKeep-Alive: timeout=${limits.idleSeconds}\r\n`)
  t.ok(livedMs >= limits.idleSeconds * 1_000, `${livedMs} ms`)
}

async function* endless() {
  const chunk = Buffer.alloc(100_000, 'x')
  for (;;) yield chunk
}

async function slowReaderStays(t: Test): Promise<void> {
  const server = await startStreamServer(t, endless)
  const socket = await connectDeaf(server.port)
  let closedAfterMs: number | undefined
  const startedAt = performance.now()
  socket.on('close', () => {
    closedAfterMs = performance.now() - startedAt
  })
  // So little that the kernel would not call the socket writable for a minute.
  const reading = setInterval(() => socket.read(5_000), 100)
  await new Promise(resolve => setTimeout(resolve, longerMs))
  clearInterval(reading)
  t.equal(closedAfterMs, undefined)
  t.equal(server.underWayCount, 1)
  socket.destroy()
  await until(() => server.underWayCount === 0)
  t.equal(server.seen.returns, 1)
}
