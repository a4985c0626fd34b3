/** Live tails as Grafana (`LiveStreams.ts`) and `logcli query --tail` open them. */
import type { Test } from 'tap'
import { type ServiceProcess, startService } from '../../service/service-process.ts'
import { basic } from './ask.ts'

interface Streams {
  readonly streams: readonly { readonly stream: object; readonly values: [string, string][] }[]
}

/** A tail: its entries as they come, and how it ends. */
function tailOf(service: ServiceProcess, parameters: Record<string, string>) {
  const url = `${service.url.replace('http', 'ws')}/loki/api/v1/tail?${new URLSearchParams(parameters)}`
  const socket = new WebSocket(url, { headers: { authorization: basic } } as never)
  const lines: string[] = []
  const messages: Streams[] = []
  let wake = () => {}
  socket.addEventListener('message', ({ data }) => {
    const message: Streams = JSON.parse(data)
    messages.push(message)
    for (const { values } of message.streams) lines.push(...values.map(([, line]) => line))
    wake()
  })
  const closed = new Promise<{ code: number; reason: string }>(resolve =>
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason })),
  )
  const opened = new Promise<boolean>(resolve => {
    socket.addEventListener('open', () => resolve(true))
    socket.addEventListener('error', () => resolve(false))
  })
  return {
    socket,
    messages,
    lines,
    opened,
    closed,
    async until(count: number) {
      while (lines.length < count) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    },
  }
}

export async function tailReplays(t: Test, service: ServiceProcess): Promise<void> {
  const token = await service.makeToken('live', 'test')
  const say = async (...messages: string[]) => {
    const events = messages.map(message => ({ message, level: 'warn', 'user.id': 7 }))
    await service.call('POST', '/api/v1/webhook/event/logs', { token, body: events })
  }
  const query = '{service_name="live"}'

  await t.test('entries come as they arrive, behind the last few', async t => {
    await say('one', 'two', 'three')
    const tail = tailOf(service, { query, limit: '2' })
    t.ok(await tail.opened)
    await tail.until(2)
    await say('four', 'five')
    await tail.until(4)
    t.same(tail.lines, ['two', 'three', 'four', 'five'])
    const [{ stream, values }] = tail.messages.at(-1)!.streams as [Streams['streams'][number]]
    t.same(stream, {
      environment: 'test',
      service_name: 'live',
      detected_level: 'warn',
      user_id: '7',
    })
    t.match(values[0]![0], /^\d{13}000000$/)
    tail.socket.close()
    t.match(await tail.closed, { code: 1005 })
  })

  await t.test('a start leaves out what is older, a filter what is other', async t => {
    const start = `${Date.now() + 1}000000`
    await new Promise(resolve => setTimeout(resolve, 5))
    await say('six')
    const tail = tailOf(service, {
      query: `${query} |~ "s|e"`,
      start,
      limit: '100',
      delay_for: '0',
    })
    await tail.until(1)
    await say('nobody', 'seven')
    await tail.until(2)
    t.same(tail.lines, ['six', 'seven'])
    tail.socket.close()
    await tail.closed
  })

  await t.test('stages make entries what they are', async t => {
    const piped = `${query} | user_id="7" | line_format "user {{.user_id}}: {{__line__}}"`
    const tail = tailOf(service, { query: piped, limit: '1' })
    await tail.until(1)
    await say('eight')
    await tail.until(2)
    t.same(tail.lines, ['user 7: seven', 'user 7: eight'])
    tail.socket.close()
    await tail.closed
  })

  await t.test('what is wrong is said before there is a WebSocket', async t => {
    const refused = async (parameters: string, headers: Record<string, string> = {}) => {
      const options = { token: null, headers: { authorization: basic, ...headers } }
      return service.call('GET', `/loki/api/v1/tail?${parameters}`, options)
    }
    const plain = await refused('query={a="b"}')
    t.equal(plain.status, 400)
    t.match(plain.body, { status: 'error', code: 400, message: /Upgrade/ })
    t.notOk(await tailOf(service, { query: '{' }).opened)
    t.notOk(await tailOf(service, { query: 'vector(1)' }).opened)
    t.notOk(await tailOf(service, { query, limit: '0' }).opened)
    const bad = await refused('query={a="b"}', { authorization: `Basic ${btoa('a:b')}` })
    t.equal(bad.status, 401)
  })

  await t.test('a tail ends with the key that opened it', async t => {
    const { body } = await service.call('POST', '/api/v1/settings/api-keys', {
      body: { name: 'tailing', role: 'viewer' },
    })
    const url = `${service.url.replace('http', 'ws')}/loki/api/v1/tail?${new URLSearchParams({ query })}`
    const headers = { authorization: `Bearer ${body.key}` }
    const socket = new WebSocket(url, { headers } as never)
    await new Promise(resolve => socket.addEventListener('open', resolve))
    const closed = new Promise<number>(resolve =>
      socket.addEventListener('close', ({ code }) => resolve(code)),
    )
    await service.call('DELETE', `/api/v1/settings/api-keys/${body.id}`)
    t.equal(await closed, 1000)
  })

  await t.test('the service ends tails when it stops', async t => {
    const ending = await startService(t.testdir())
    const tail = tailOf(ending, { query })
    t.ok(await tail.opened)
    t.equal(await ending.end(), 0)
    t.match(await tail.closed, { code: 1001, reason: 'the service is stopping' })
  })
}
