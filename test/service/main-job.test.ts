import t from 'tap'
import { type ServiceProcess, startService, startServiceOf } from './service-process.ts'
import { sharedSender, sharedService } from './shared-service.ts'

const eventPath = '/api/v1/webhook/event/log'
const eventsPath = '/api/v1/webhook/event/logs'

t.test('an event is answered 200 and is in the very next answer', async t => {
  const { service, token } = await sharedSender('checkout', 'prod')
  const before = Date.now()
  const event = {
    level: 'ERROR',
    message: 'payment timed out',
    order: 81723,
    nested: { a: [1, 2], b: { c: true } },
  }
  const sent = await service.call('POST', eventPath, { token, body: event })
  t.equal(sent.status, 200)
  t.same(sent.body, { accepted: 1 })

  const { status, body } = await service.query('count(logs{service.name="checkout"})')
  t.equal(status, 200)
  t.equal(body.count, 1)
  const [record] = body.logs
  t.ok(record.timestamp >= before && record.timestamp <= Date.now())
  t.match(record, { log_level: 'error', message: 'payment timed out' })
  t.same(record.attributes, {
    'service.name': 'checkout',
    environment: 'prod',
    order: '81723',
    'nested.a': '[1,2]',
    'nested.b.c': 'true',
  })
})

t.test('every acknowledged event is counted at once, whoever sends at the same time', async t => {
  const { service, token } = await sharedSender('counted')
  let acknowledged = 0
  await Promise.all(
    Array.from({ length: 8 }, async (_, sender) => {
      for (let i = 0; i < 25; i++) {
        const body = { message: `event ${i} of ${sender}` }
        const { status } = await service.call('POST', eventPath, { token, body })
        t.equal(status, 200)
        acknowledged++
        const atLeast = acknowledged
        const { body: answer } = await service.query('logs{service.name="counted"}', { limit: 1 })
        if (answer.count < atLeast) t.fail(`${answer.count} found, ${atLeast} acknowledged`)
      }
    }),
  )
  t.equal((await service.query('count(logs{service.name="counted"})')).body.count, 200)
})

t.test('many events in one request, in each of the forms, small and large', async t => {
  const { service, token } = await sharedSender('bulk')
  const events = Array.from({ length: 2_000 }, (_, i) => ({
    message: `line ${i}`,
    at: i,
    padding: 'x'.repeat(50),
  }))
  const send = async (body: string, type: string) => {
    const headers = { 'content-type': type }
    const path = `${eventsPath}?timestamp_field=at`
    const answer = await service.call('POST', path, { token, body, headers })
    t.equal(answer.status, 200)
    return answer.body
  }
  const asLines = events.map(event => JSON.stringify(event)).join('\n')
  t.same(await send(JSON.stringify(events), 'application/json'), {
    accepted: 2_000,
    rejected: 0,
    errors: [],
  })
  t.match(await send(asLines, 'application/x-ndjson'), { accepted: 2_000, rejected: 0 })
  t.match(await send(asLines.replaceAll('\n', ''), 'application/json'), { accepted: 2_000 })
  t.match(
    await send(asLines.slice(0, 10_000).replace(/\n[^\n]*$/, ''), 'application/stream+json'),
    {
      rejected: 0,
    },
  )
  const mixed = await send(
    '{"message":"good"}\nnot json\n{"message":"also good"}\n',
    'application/x-ndjson',
  )
  t.match(mixed, { accepted: 2, rejected: 1, errors: [{ index: 1, code: 'json_invalid' }] })

  const { body } = await service.query('count(logs{message=~"line 199[0-9]"})')
  t.equal(body.count, 30)
  t.equal(body.logs[0].timestamp, 1_990_000, 'seconds are told from milliseconds by size')
})

t.test('a restart keeps everything, and order is by time and then by arrival', async t => {
  const dataDir = t.testdir()
  const first = await startService(dataDir)
  const token = await first.makeToken()
  const send = (service: ServiceProcess, message: string, at: string) =>
    service.call('POST', `${eventPath}?timestamp_field=at`, { token, body: { message, at } })
  await send(first, 'third', '2026-01-01T00:00:03Z')
  await send(first, 'first', '2026-01-01T00:00:01Z')
  t.equal(await first.end(), 0, 'SIGTERM ends it with exit code 0')

  const second = await startServiceOf(t, dataDir)
  await send(second, 'second', '2026-01-01T00:00:02Z')
  await send(second, 'third too', '2026-01-01T00:00:03Z')
  const messages = async (more: object) =>
    (await second.query('logs', more)).body.logs.map(
      (record: { message: string }) => record.message,
    )
  t.same(await messages({}), ['first', 'second', 'third', 'third too'])
  t.same(await messages({ order: 'desc', limit: 2 }), ['third too', 'third'])
})

t.test('grouped counts, pages and costs are in the answer', async t => {
  const service = await sharedService()
  const tokens = { web: await service.makeToken('web'), db: await service.makeToken('db') }
  for (const [name, token] of Object.entries(tokens)) {
    for (const level of ['info', 'error', 'error']) {
      await service.send(token, { level, message: name, host: 'h1' })
    }
  }
  const ranking = 'count by (service.name, log_level) (logs{host="h1"})'
  const { body } = await service.query(ranking, { limit: 4 })
  t.equal(body.count, 6)
  t.same(
    body.groups.map((group: { count: number }) => group.count),
    [2, 2, 1, 1],
  )
  t.same(body.groups[0].labels.log_level, 'error')
  t.equal(body.logs.length, 4)
  t.type(body.stats.elapsedMs, 'number')
  const next = await service.query(ranking, {
    limit: 4,
    cursor: body.nextCursor,
  })
  t.equal(next.body.logs.length, 2)
  t.equal(next.body.nextCursor, undefined)
})

t.test('a dashboard is created, replaced, read and deleted', async t => {
  const service = await sharedService()
  const dashboard = {
    settings: { defaultTimeRange: '1h', ours: [1, 2] },
    metadata: { title: 'Shop', folderPath: '/team/' },
    content: { title: 'Shop', widgets: [{ type: 'markdown', markdown: { content: '# hi' } }] },
  }
  const path = '/api/v1/dashboards/update'
  const { body } = await service.call('POST', path, { body: { dashboard } })
  t.type(body.id, 'string')
  const at = `/api/v1/dashboards/${body.id}`
  t.match((await service.call('GET', at)).body, { dashboard })
  const replaced = { ...dashboard, metadata: { ...dashboard.metadata, id: body.id, title: 'New' } }
  t.same((await service.call('POST', path, { body: { dashboard: replaced } })).body, body)
  const { dashboards } = (await service.call('GET', '/api/v1/dashboards')).body
  const own = dashboards.filter(({ folderPath }: { folderPath: string }) => folderPath === '/team/')
  t.match(own, [{ id: body.id, title: 'New' }])
  t.equal((await service.call('DELETE', at)).status, 204)
  t.equal((await service.call('GET', at)).status, 404)
})

t.test('a deleted token is refused by the very next request', async t => {
  const service = await sharedService()
  const body = { serviceName: 'a', environment: 'b' }
  const made = (await service.call('POST', '/api/v1/settings/ingestion-tokens', { body })).body
  const { id, token } = made
  t.equal((await service.call('POST', eventPath, { token, body: {} })).status, 200)
  const { tokens } = (await service.call('GET', '/api/v1/settings/ingestion-tokens')).body
  const listed = tokens.find((one: { id: string }) => one.id === id)
  t.match(listed, { id, serviceName: 'a', environment: 'b', eventCount: 1, hint: token.slice(-4) })
  t.notOk(JSON.stringify(listed).includes(token), 'the list never shows the secret')
  const secret = await service.call('GET', `/api/v1/settings/ingestion-tokens/${id}/secret`)
  t.same(secret.body, { token })
  const deleted = await service.call('DELETE', `/api/v1/settings/ingestion-tokens/${id}`)
  t.equal(deleted.status, 204)
  t.equal((await service.call('POST', eventPath, { token, body: {} })).status, 401)
})
