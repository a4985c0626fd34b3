import { once } from 'node:events'
import net from 'node:net'
import t from 'tap'
import type { SelectResult } from '../../../src/store/store.ts'
import { postHead, until } from '../raw-client.ts'
import { keyOf, nothingSelected, startServer } from '../stand-ins.ts'

/** More than all buffers between two sockets of one machine take. */
const answerLength = 16 * 1024 * 1024
const record = {
  timestamp: 1,
  log_level: 'info',
  message: 'x'.repeat(answerLength),
  attributes: {},
  id: '~0',
}
const selected: SelectResult = { ...nothingSelected, count: 1, records: [record] as never }

t.test('of too many answers that nobody reads the oldest is given up', async t => {
  const server = await startServer(t, {
    store: { select: async () => selected },
    unreadAnswerBytesMax: 2.5 * answerLength,
  })
  const body = JSON.stringify({ query: 'logs', startTime: 1, endTime: 2 })
  const ask = () =>
    fetch(`${server.url}/api/v1/query/logs`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${keyOf.viewer}`, 'Content-Type': 'application/json' },
      body,
    })
  const askAndNeverRead = async () => {
    const before = server.underWayCount
    const deaf = net.connect(server.port, '127.0.0.1')
    deaf.pause()
    deaf.on('error', () => undefined)
    await once(deaf, 'connect')
    const head = postHead('/api/v1/query/logs', keyOf.viewer, [`Content-Length: ${body.length}`])
    deaf.write(head + body)
    await until(() => server.underWayCount > before)
    await fetch(`${server.url}/health`) // By now its answer is there.
    return deaf
  }
  const deaf = [await askAndNeverRead(), await askAndNeverRead()]
  t.equal(server.underWayCount, 2, 'there is room for two')
  const { length } = await (await ask()).text()
  t.ok(length > answerLength, 'whoever reads gets the whole answer')
  t.equal(server.underWayCount, 1, 'the oldest was given up for it')
  t.match(
    [...server.answers()].find(({ status }) => status === 499),
    { count: 1 },
  )
  t.equal((await (await ask()).text()).length, length, 'now there is room')
  t.equal(server.underWayCount, 1)
  for (const socket of deaf) socket.destroy()
  await until(() => server.underWayCount === 0)
})
