/** Runs on its own clock: longer than the idle timeout of uWebSockets, 10 s, give or take its 4 s. */

import t from 'tap'
import { until } from '../raw-client.ts'
import { connectDeaf, startStreamServer } from './stream-server.ts'

const longMs = 16_000

async function* endless() {
  const chunk = Buffer.alloc(100_000, 'x')
  for (;;) yield chunk
}

t.test('a reader that is slower than the idle timeout allows is not cut off', async t => {
  const server = await startStreamServer(t, endless)
  const socket = await connectDeaf(server.port)
  let closedAfterMs: number | undefined
  const startedAt = performance.now()
  socket.on('close', () => {
    closedAfterMs = performance.now() - startedAt
  })
  // So little that the kernel would not call the socket writable for a minute.
  const reading = setInterval(() => socket.read(5_000), 100)
  await new Promise(resolve => setTimeout(resolve, longMs))
  clearInterval(reading)
  t.equal(closedAfterMs, undefined)
  t.equal(server.underWayCount, 1)
  socket.destroy()
  await until(() => server.underWayCount === 0)
  t.equal(server.seen.returns, 1)
})
