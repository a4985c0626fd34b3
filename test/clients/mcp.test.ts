/** Assistants at /mcp: the official client of the Model Context Protocol, of both eras, on a real service. */
import t from 'tap'
import { adminKey, type ServiceProcess } from '../service/service-process.ts'
import { serviceOfProcess } from '../service/shared-service.ts'
import { connect, type Era } from './mcp-client.ts'

const eras: readonly Era[] = ['2026', '2025']
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

let filled: Promise<ServiceProcess> | undefined

/** A service with forty orders, of which each fourth failed, and one trace. */
function filledService(): Promise<ServiceProcess> {
  filled ??= (async () => {
    const service = await serviceOfProcess('mcp')
    const orders = Array.from({ length: 40 }, (_, i) => ({
      ...{ level: i % 4 ? 'info' : 'error', message: `order ${i} ${i % 4 ? 'taken' : 'refused'}` },
      ...{
        order: i,
        customer: { plan: i % 2 ? 'pro' : 'free' },
        ...(i < 3 && { trace_id: traceId }),
      },
    }))
    const send = async (name: string, body: object) => {
      await service.send(await service.makeToken(name), body)
    }
    await send('shop', orders)
    await send('bank', [{ message: 'card refused', level: 'error', trace: { id: traceId } }])
    return service
  })()
  return filled
}

for (const era of eras) {
  t.test(`an assistant of ${era} looks around and finds what happened`, async t => {
    const service = await filledService()
    const { client, ask } = await connect(t, service.url, { era })
    t.match(client.getInstructions(), /list_fields/)
    t.match(client.getServerVersion(), { name: 'logstrata', version: /^\d/ })
    const { tools } = await client.listTools()
    t.equal(tools[0]?.name, 'list_fields', 'what to begin with stands first')

    const query = 'logs{service.name="shop"}'
    const { fields } = await ask('list_fields', { query })
    t.match(
      fields.find(({ name }: { name: string }) => name === 'customer.plan'),
      { count: 40 },
    )
    const { values } = await ask('list_values', { query, field: 'customer.plan' })
    t.same(values, [
      { value: 'free', count: 20 },
      { value: 'pro', count: 20 },
    ])
    t.match(await ask('count_logs', { query: 'logs{log_level="error", order >= 0}' }), {
      count: 10,
    })
    const { groups, count } = await ask('count_logs', { query, by: ['log_level'] })
    t.equal(count, 40)
    t.same(groups, [
      { labels: { log_level: 'info' }, count: 30 },
      { labels: { log_level: 'error' }, count: 10 },
    ])
    const kinds = await ask('find_patterns', { query, compareFrom: 'now-2d', compareTo: 'now-1d' })
    t.match(kinds, { count: 40, countBefore: 0, patternCount: 2 })
    t.match(kinds.patterns[0], { text: 'order <*> taken', count: 30, change: { kind: 'new' } })
    const ofKind = { query: `logs{pattern="${kinds.patterns[1].pattern}"}` }
    t.match(await ask('count_logs', ofKind), { count: 10 }, 'a kind can be asked for')
    const changed = await ask('what_changed', { query })
    t.match(changed, { count: 40, countBefore: 0, patterns: Array, values: Array })
    const { buckets } = await ask('count_logs', { query, buckets: 5 })
    const sum = (counts: readonly { count: number }[]) =>
      counts.reduce((n, one) => n + one.count, 0)
    t.equal(sum(buckets), 40)
    t.match(await ask('count_logs', { query: `max(${query} | unwrap order)` }), { value: 39 })
    t.match(
      await ask('count_logs', {
        query: 'count(logs{log_level="error", order >= 0}) / count(logs{order >= 0})',
      }),
      { value: 0.25 },
    )
    const words = await ask('search_logs', { query: 'order refused', limit: 3 })
    t.match(words, { count: 10, interpretedAs: /search/ })
    t.equal(words.records.length, 3)
    t.match(words.records[0], { level: 'error', service: 'shop', message: 'order 36 refused' })

    const { id } = words.records[0]
    const around = await ask('log_context', { id, before: 1, after: 1 })
    t.match(around, {
      before: [{ message: 'order 35 taken' }],
      record: { id },
      after: [{ message: 'order 37 taken' }],
    })
    const trace = await ask('get_trace', { traceId })
    t.match(trace, {
      count: 4,
      services: [
        { service: 'shop', count: 3 },
        { service: 'bank', errors: 1 },
      ],
    })
    const found = await service.call('POST', '/api/v1/query/logs', {
      body: {
        query: new URL(trace.open).searchParams.get('query'),
        startTime: 0,
        endTime: 8.64e15,
      },
    })
    t.equal(found.body.count, 4, 'the address of a trace shows the trace')

    const { contents } = await client.readResource({ uri: 'logstrata://query-language' })
    t.match(contents, [{ text: /quantile/ }])
    await t.rejects(client.readResource({ uri: 'logstrata://nothing' }))
  })

  t.test(`what a model of ${era} does wrong it is told, with the place and what to do`, async t => {
    const { client, refusal } = await connect(t, (await filledService()).url, { era })
    t.match(await refusal('search_logs', { query: 'logs{level=error}' }), {
      code: 'query_syntax',
      position: { column: 12 },
      near: 'logs{level=⟨here⟩error}',
      remedy: /query-language/,
    })
    t.match(await refusal('search_logs', {}), { code: 'field_invalid', field: 'query' })
    t.match(await refusal('search_logs', { query: 'logs', limits: 3 }), {
      field: 'limits',
      error: /limit,/,
    })
    t.match(await refusal('search_logs', { query: 'logs', limit: 0 }), { field: 'limit' })
    t.match(await refusal('search_logs', { query: 'logs', maxTokens: 1 }), { field: 'maxTokens' })
    t.match(await refusal('search_logs', { query: 'logs', from: 'yesterday' }), { field: 'from' })
    t.match(await refusal('search_logs', { query: 'logs', from: 'now', to: 'now-1h' }), {
      field: 'from',
    })
    for (const cursor of [
      '',
      'x',
      '-~',
      '-~asc.1.2~',
      `zzzzzzzzzzzz~1~1`,
      '-~desc.zzzzzzzzzzzz.1',
    ]) {
      t.match(await refusal('search_logs', { query: 'logs', cursor }), { code: 'cursor_invalid' })
    }
    for (const cursor of ['-~asc.1.1', 'zzzzzzzzzzzz~1~1', '-zzzzzzzzzzzz~1~1']) {
      const asked = { query: 'logs', field: 'a', cursor }
      t.match(await refusal('list_values', asked), { code: 'cursor_invalid' }, cursor)
    }
    for (const cursor of ['-~1', '-~1.1', '-~a.b.501.c.d.1', '-~a.b.1.c.d']) {
      const asked = { id: '0.0', cursor }
      t.match(await refusal('log_context', asked), { code: 'cursor_invalid' }, cursor)
    }
    for (const cursor of ['-~1', '-~1.x', '-~1.1.1']) {
      const asked = { query: 'logs', cursor }
      t.match(await refusal('what_changed', asked), { code: 'cursor_invalid' }, cursor)
    }
    t.match(await refusal('count_logs', { query: 'avg(logs | unwrap a)', by: ['b'] }), {
      field: 'by',
    })
    t.match(await refusal('log_context', { id: 'zzz.zzz' }), {
      code: 'record_unknown',
      remedy: /search/,
    })
    t.match(await refusal('get_trace', {}), { field: 'traceId' })
    t.match(await refusal('get_dashboard', { id: 'none' }), { code: 'dashboard_unknown' })
    await t.rejects(client.callTool({ name: 'no_tool', arguments: {} }), { message: /no tool/ })
  })

  t.test(`an assistant of ${era} may what its key may`, async t => {
    const service = await filledService()
    const namesOf = async (role: string) => {
      const { client } = await connect(t, service.url, { era, key: await service.makeKey(role) })
      return { client, names: (await client.listTools()).tools.map(({ name }) => name) }
    }
    const viewer = await namesOf('viewer')
    t.notOk(viewer.names.includes('save_dashboard'))
    const dashboard = {
      metadata: { title: 'T' },
      settings: {},
      content: { variables: [], widgets: [] },
    }
    await t.rejects(viewer.client.callTool({ name: 'save_dashboard', arguments: { dashboard } }), {
      message: /no tool "save_dashboard"/,
    })
    const key = await service.makeKey('editor')
    const { ask, refusal, client } = await connect(t, service.url, { era, key })
    t.ok((await client.listTools()).tools.some(({ name }) => name === 'save_dashboard'))
    const saved = await ask('save_dashboard', { dashboard })
    const read = await ask('get_dashboard', { id: saved.id })
    t.match(read, { version: saved.version, dashboard: { metadata: { title: 'T' } } })
    t.equal(new URL(saved.open).pathname, `/dashboards/${saved.id}`)
    const changed = { ...read.dashboard, content: { ...dashboard.content, title: 'Changed' } }
    t.match(await refusal('save_dashboard', { dashboard: changed }), { code: 'dashboard_changed' })
    const again = await ask('save_dashboard', { dashboard: changed, version: read.version })
    t.match(await refusal('save_dashboard', { dashboard, version: 'old' }), {
      code: 'dashboard_changed',
    })
    t.match(await refusal('save_dashboard', { dashboard: changed, version: read.version }), {
      code: 'dashboard_changed',
      remedy: /get_dashboard/,
    })
    t.match(await refusal('save_dashboard', { dashboard: { metadata: 7 } }), {
      field: /^dashboard/,
    })
    const { dashboards } = await ask('list_dashboards')
    t.ok(dashboards.some(({ id }: { id: string }) => id === saved.id))
    t.not(again.version, saved.version)
  })
}

t.test('every answer says where the page shows the same', async t => {
  const service = await filledService()
  const { ask } = await connect(t, service.url)
  const query = 'logs{service.name="shop", log_level="error"}'
  const asked = { query, from: '2026-01-01T00:00:00Z' }
  const { records } = await ask('search_logs', { ...asked, limit: 1 })
  for (const [name, args] of [
    ['list_fields', asked],
    ['list_values', { ...asked, field: 'order' }],
    ['find_patterns', asked],
    ['what_changed', asked],
    ['search_logs', asked],
    ['count_logs', asked],
    ['count_logs', { ...asked, by: ['order'] }],
    ['count_logs', { ...asked, buckets: 4 }],
  ] as const) {
    const { open, to } = await ask(name, args)
    const { origin, pathname, searchParams } = new URL(open)
    t.same([origin, pathname], [service.url, '/logs'], name)
    const shown = { query, from: '2026-01-01T00:00:00.000Z', to }
    t.same(Object.fromEntries(searchParams), shown, name)
  }
  const { id } = records[0]
  const { open } = await ask('log_context', { id })
  t.equal(new URL(open).searchParams.get('record'), id)
  const { dashboards } = await ask('list_dashboards')
  t.ok(dashboards.length > 0)
  for (const one of dashboards) t.equal(new URL(one.open).pathname, `/dashboards/${one.id}`)
  const { id: board } = dashboards[0]
  t.equal(
    new URL((await ask('get_dashboard', { id: board })).open).pathname,
    `/dashboards/${board}`,
  )
})

t.test('parts of lists and of times are what they are called', async t => {
  const { ask } = await connect(t, (await filledService()).url)
  const query = 'logs{service.name="shop"}'
  const { values } = await ask('list_values', { query, field: 'order', prefix: '3' })
  t.same(
    values.map(({ value }: { value: string }) => value).sort(),
    ['3', ...Array.from({ length: 10 }, (_, i) => `3${i}`)].sort(),
  )
  const first = await ask('find_patterns', { query, limit: 1 })
  t.match(first, { patternCount: 2, patterns: [{ count: 30 }], nextCursor: String })
  const second = await ask('find_patterns', { query, limit: 1, cursor: first.nextCursor })
  t.match(second, { patterns: [{ count: 10 }], from: first.from, to: first.to })
  t.same([first.patterns.length, second.patterns.length], [1, 1])
  t.equal(second.nextCursor, undefined, 'these are all')

  const { records } = await ask('search_logs', { query, order: 'asc' })
  const times: number[] = records.map(({ time }: { time: string }) => Date.parse(time))
  const [from, to] = [times[0]! - 10, times.at(-1)! + 10]
  const { buckets } = await ask('count_logs', { query, from, to, buckets: 3 })
  const starts: number[] = buckets.map((one: { from: string }) => Date.parse(one.from))
  t.ok(starts[0]! >= from, 'none begins before the time that was asked for')
  for (const [i, { count, levels }] of buckets.entries()) {
    const end = starts[i + 1] ?? to + 1
    const own = records.filter(({ time }: { time: string }) => {
      return Date.parse(time) >= starts[i]! && Date.parse(time) < end
    })
    t.equal(count, own.length, `${i}`)
    const errors = own.filter(({ level }: { level: string }) => level === 'error').length
    t.equal(levels.error ?? 0, errors, `errors of ${i}`)
  }
})

t.test('many calls at once are all answered', async t => {
  const { ask } = await connect(t, (await filledService()).url)
  const calls = Array.from({ length: 40 }, (_, i) =>
    ask('count_logs', { query: `logs{order="${i}"}` }),
  )
  for (const { count } of await Promise.all(calls)) t.equal(count, 1)
})

t.test('a call that is given up leaves the service free for others', async t => {
  const { client, ask } = await connect(t, (await filledService()).url)
  const gone = Array.from({ length: 20 }, () => {
    const stop = new AbortController()
    const call = client.callTool(
      { name: 'count_logs', arguments: { query: 'logs |~ "(a|b)*c"' } },
      { signal: stop.signal },
    )
    stop.abort()
    // The client's own word; that the work ends, and is no fault of the service, `runaway.test.ts` looks at.
    return call.catch(() => undefined)
  })
  await Promise.all(gone)
  t.match(await ask('count_logs', { query: 'logs{order >= 0}' }), { count: 40 })
})

/** A request as a client without the SDK may make it. */
async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${adminKey}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  const answer = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, answer }
}

const rpc = (method: string, params?: object, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

t.test('who has no good key is told how to come', async t => {
  const { url } = await filledService()
  const refuses = async (authorization: string, challenge: RegExp) => {
    const { status, headers, answer } = await post(url, rpc('tools/list'), {
      Authorization: authorization,
    })
    t.equal(status, 401)
    t.match(headers.get('www-authenticate'), challenge)
    t.match(answer, { jsonrpc: '2.0', id: null, error: { data: { code: /^credential/ } } })
  }
  await refuses('', /^Bearer realm="logstrata"$/)
  await refuses('Bearer nobody', /error="invalid_token"/)
  await t.rejects(connect(t, url, { key: 'nobody' }))
})

t.test('pages of other origins are refused, unless they are allowed', async t => {
  const { url } = await filledService()
  const ask = (origin: string) => post(url, rpc('tools/list'), { Origin: origin })
  t.match(await ask('https://evil.example'), {
    status: 403,
    answer: { error: { data: { code: 'cross_site' } } },
  })
  t.match(await ask(url), { status: 200, answer: { result: { tools: Array } } })
  t.match(await ask('null'), { status: 403 })
})

t.test(
  'each revision is answered in its own way, and one that nobody knows is refused',
  async t => {
    const { url } = await filledService()
    const info = { clientInfo: { name: 'raw', version: '1' }, capabilities: {} }
    for (const protocolVersion of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const { answer } = await post(url, rpc('initialize', { protocolVersion, ...info }))
      t.match(answer, { id: 1, result: { protocolVersion, serverInfo: { name: 'logstrata' } } })
      const headers = { 'MCP-Protocol-Version': protocolVersion }
      t.match(await post(url, rpc('tools/list'), headers), {
        status: 200,
        answer: { result: { tools: Array } },
      })
    }
    const unknown = { 'MCP-Protocol-Version': '1999-01-01' }
    t.match(await post(url, rpc('tools/list'), unknown), { status: 400, answer: { error: {} } })
    t.match(await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }), {
      status: 202,
    })
    const batch = [rpc('ping', undefined, 'a'), rpc('tools/list', undefined, 'b')]
    const { answer } = await post(url, batch, { 'MCP-Protocol-Version': '2025-03-26' })
    t.same(answer.map(({ id }: { id: string }) => id).sort(), ['a', 'b'])
  },
)

t.test('hostile bodies are refused, and nothing of it reaches the log', async t => {
  const service = await filledService()
  const refuses = async (body: unknown, headers: Record<string, string> = {}) => {
    const { status, answer } = await post(service.url, body, headers)
    t.ok(status >= 400 && status < 500, `${status} ${JSON.stringify(body).slice(0, 60)}`)
    t.match(answer, { jsonrpc: '2.0', error: { code: Number, message: String } })
  }
  await refuses('')
  await refuses('{"jsonrpc":')
  await refuses('['.repeat(10_000))
  for (const body of [
    'null',
    '7',
    '"text"',
    '[]',
    '{}',
    '[null]',
    '{"jsonrpc":"1.0","id":1,"method":"x"}',
  ]) {
    await refuses(body)
  }
  await refuses(rpc('tools/list', undefined, { id: 'an object' }))
  await refuses(rpc('tools/list'), { Accept: 'text/html' })
  await refuses(rpc('tools/list'), { 'Content-Type': 'text/plain' })
  await refuses(`"${'x'.repeat(2 * 1024 * 1024)}"`)
  const call = (params: object) => post(service.url, rpc('tools/call', params))
  for (const params of [
    {},
    { name: 7 },
    { name: 'search_logs', arguments: [] },
    { name: '__proto__' },
  ]) {
    t.match((await call(params)).answer, { error: { code: Number } }, JSON.stringify(params))
  }
  const odd = { name: 'search_logs', arguments: JSON.parse('{"__proto__":1,"query":"logs"}') }
  const { result } = (await call(odd)).answer
  t.notOk(result.isError)
  t.ok(
    JSON.parse(result.content[0].text).count >= 41,
    'the odd name is none, the others are asked for',
  )
  t.match(await post(service.url, rpc('no/such/method')), { answer: { error: { code: -32601 } } })
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status } = await fetch(`${service.url}/mcp`, {
      method,
      headers: { Authorization: `Bearer ${adminKey}` },
    })
    t.equal(status, 405, method)
  }
  t.notMatch(service.output.stderr, /request failed|BUG/)
})

t.test('who wants to hear of changes is told that there are none', async t => {
  const { url } = await filledService()
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { notifications: { toolsListChanged: true }, _meta: meta }
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${adminKey}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'subscriptions/listen',
    },
    body: JSON.stringify(rpc('subscriptions/listen', params)),
  })
  t.equal(response.status, 200)
  t.match(response.headers.get('content-type'), /^text\/event-stream/)
  const events = (await response.text()).match(/^data: .+$/gm) ?? []
  const messages = events.map(line => JSON.parse(line.slice('data: '.length)))
  t.match(messages, [
    { params: { notifications: {} } },
    { id: 1, result: { resultType: 'complete' } },
  ])
})
