import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { type Asked, fakeApi, refuse } from './fake-api.ts'
import { type FakeTerminal, fakeTerminal } from './fake-terminal.ts'

const record = (n: number) => ({
  id: `r${n}`,
  timestamp: Date.parse('2026-11-20T09:30:00Z') + n,
  log_level: 'info',
  message: `message ${n}`,
  attributes: { 'service.name': 'web' },
})

const event = (n: number) => `event: record\nid: c${n}\ndata: ${JSON.stringify(record(n))}\n\n`

const line = (n: number) => `2026-11-20T09:30:00.00${n}Z INFO  web  message ${n}\n`

/** What to write on each connection in turn; afterwards it is cut, unless it is the last. */
function connections(...texts: readonly string[]) {
  return (_: Asked, response: ServerResponse, attempt: number) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(texts[attempt - 1] ?? '')
    if (attempt < texts.length) response.end()
  }
}

/** Runs `tail` until `text` is printed, and interrupts it. */
async function tailUntil(
  text: string,
  answering: Parameters<typeof fakeApi>[1],
  argv: string[] = [],
) {
  const api = await fakeApi(t, answering)
  const environment = { LOGSTRATA_URL: api.url, LOGSTRATA_KEY: 'a-key' }
  const terminal = fakeTerminal({ environment })
  const ran = api.run(['tail', ...argv], { terminal })
  await Promise.race([printed(terminal, text), ran])
  terminal.interrupt.abort()
  return { ...(await ran), asked: api.asked, pauses: terminal.pauses }
}

async function printed(terminal: FakeTerminal, text: string): Promise<void> {
  while (!terminal.printed().includes(text)) await once(terminal.stdout, 'data')
}

t.test('records are printed as they come, until an interrupt', async t => {
  const text = `: heartbeat\n\n${event(1)}event: other\ndata: x\n\n${event(2)}`
  const result = await tailUntil('message 2', connections(text), ['logs{a="b"}', '--last', '3'])
  t.match(result, { code: 0, printed: line(1) + line(2), complained: '' })
  t.match(result.asked[0], {
    path: '/api/v1/query/logs/tail',
    headers: { accept: 'text/event-stream', authorization: 'Bearer a-key' },
  })
  t.same(Object.fromEntries(result.asked[0]!.parameters), { query: 'logs{a="b"}', last: '3' })
})

t.test('without a query all records are followed, after the last ten', async t => {
  const { asked } = await tailUntil('message 1', connections(event(1)))
  t.same(Object.fromEntries(asked[0]!.parameters), { query: 'logs', last: '10' })
})

t.test('--json prints each record as it came', async t => {
  const result = await tailUntil('message 1', connections(event(1)), ['--json'])
  t.same(JSON.parse(result.printed), record(1))
})

t.test('events may be cut anywhere, also within a character', async t => {
  const bytes = Buffer.from(event(1).replace('message 1', 'größe 日本 1'))
  const result = await tailUntil('日本 1', async (_, response) => {
    response.setHeader('content-type', 'text/event-stream')
    for (const byte of bytes) {
      response.write(Buffer.of(byte))
      await new Promise(resolve => setImmediate(resolve))
    }
  })
  t.match(result.printed, /größe 日本 1\n$/)
})

t.test('after a lost connection it goes on after the last record', async t => {
  const result = await tailUntil('message 3', connections(event(1) + event(2), '', event(3)))
  t.equal(result.printed, line(1) + line(2) + line(3))
  t.same(
    result.asked.map(({ headers }) => headers['last-event-id']),
    [undefined, 'c2', 'c2'],
  )
  t.match(result.complained, /connection.*trying again in 0.25 s\n.*connected again\n/)
  t.same(result.pauses, [250, 500], 'longer, as the second one gave nothing')
})

t.test('a service that is away is waited for, longer each time', async t => {
  const result = await tailUntil('message 2', (asked, response, attempt) => {
    if (attempt === 1) return connections(event(1), '')(asked, response, 1)
    if (attempt === 9) return connections(event(2))(asked, response, 1)
    if (attempt % 2 === 0) return refuse(response, 503, { code: 'stopping', detail: 'x' })
    response.socket?.destroy()
  })
  t.equal(result.code, 0)
  t.same(result.pauses, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000])
})

t.test('a heartbeat moves the place at which it goes on, and says how long to wait', async t => {
  const first = `retry: 3000\n\n${event(1)}:\nid: later\n\n`
  const result = await tailUntil('message 2', connections(first, '', event(2)))
  t.same(
    result.asked.map(({ headers }) => headers['last-event-id']),
    [undefined, 'later', 'later'],
  )
  t.same(result.pauses, [3000, 6000])
})

t.test('no record is lost or printed twice, wherever a connection is cut', async t => {
  const text = event(1) + event(2) + event(3)
  for (let cut = 1; cut < text.length; cut += 17) {
    // The first connection is cut there; the second gives what follows the id that comes back.
    const { printed } = await tailUntil('message 3', (asked, response, attempt) => {
      const seen = Number(asked.headers['last-event-id']?.slice(1) ?? 0)
      const rest = [1, 2, 3].filter(n => n > seen).map(event)
      const given = attempt === 1 ? [text.slice(0, cut), ''] : [rest.join('')]
      return connections(...given)(asked, response, 1)
    })
    t.equal(printed, line(1) + line(2) + line(3), `cut at ${cut}`)
  }
})

t.test('records that the service dropped are owned up to', async t => {
  const text = `event: dropped\ndata: {"count":1234}\n\n${event(1)}`
  const result = await tailUntil('message 1', connections(text))
  t.match(result, { printed: line(1), complained: /1,234 records were dropped/ })
})

t.test('a refusal is final: at once, and also after a lost connection', async t => {
  const problem = { code: 'query_syntax', detail: 'x', position: { offset: 4 } }
  const at = await fakeApi(t, (_, response) => refuse(response, 400, problem))
  t.match(await at.run(['tail', 'logs}']), { code: 2, complained: /logs}\n {6}\^/ })

  const later = await fakeApi(t, (asked, response, attempt) =>
    attempt === 1
      ? (connections(event(1), '')(asked, response, 1) as undefined)
      : refuse(response, 401, { code: 'credential_invalid', detail: 'x' }),
  )
  t.match(await later.run(['tail']), { code: 1, printed: line(1), complained: /401/ })
  t.equal(later.asked.length, 2)

  const busy = await fakeApi(t, (_, response) => refuse(response, 503, { code: 'not_ready' }))
  t.match(await busy.run(['tail']), { code: 1, complained: /503/ })
  t.equal(busy.asked.length, 1)
})

t.test('what answers with anything but events is not this service', async t => {
  const api = await fakeApi(t, (_, response) => {
    response.end('<html>')
  })
  t.match(await api.run(['tail']), { code: 1, complained: /is not this service/ })
})

t.test('when the reader has gone, it ends', async t => {
  const api = await fakeApi(t, connections(event(1)))
  const environment = { LOGSTRATA_URL: api.url, LOGSTRATA_KEY: 'a-key' }
  const terminal = fakeTerminal({ environment })
  const ran = api.run(['tail'], { terminal })
  await printed(terminal, 'message 1')
  terminal.stdout.destroy()
  t.match(await ran, { code: 0 })
})
