/** Runs on its own clock: it takes as long as the slowest thing that it waits for, about 12 s. */

import t from 'tap'
import { limits } from '../../src/limits.ts'
import type { SelectResult } from '../../src/store/store.ts'
import { connectRaw, postHead, readToEnd } from './raw-client.ts'
import { ingestionSecret, keyOf, nothingSelected, startServer } from './stand-ins.ts'

/** Longer than the idle timeout of uWebSockets, which is 10 s, give or take its 4 s clock. */
const longMs = 12_000

t.jobs = 2
const atOnce = { buffered: true }

t.test('a query that takes longer than the idle timeout is answered', atOnce, async t => {
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
})

t.test('a connection lives as long as its client was told', atOnce, async t => {
  const server = await startServer(t)
  const startedAt = performance.now()
  const socket = await connectRaw(server.port, 'GET /health HTTP/1.1\r\nHost: test\r\n\r\n')
  const received = await readToEnd(socket)
  const livedMs = performance.now() - startedAt
  t.match(received, `Connection: keep-alive\r\nKeep-Alive: timeout=${limits.idleSeconds}\r\n`)
  t.ok(livedMs >= limits.idleSeconds * 1_000, `${livedMs} ms`)
})
