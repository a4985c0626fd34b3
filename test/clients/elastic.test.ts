/** What sends to Elasticsearch: Elastic's own clients of 8 and 9 as they are, and what others send. */
import { gzipSync } from 'node:zlib'
import { Client } from '@elastic/elasticsearch'
import { Client as Client8 } from 'elasticsearch-8'
import t from 'tap'
import { sharedSender, sharedService } from '../service/shared-service.ts'

const timestamp = Date.parse('2026-11-20T13:55:36.123Z')
const documents = [
  { '@timestamp': '2026-11-20T13:55:36.123Z', log: { level: 'warn' }, message: 'slow', ms: 7 },
  { '@timestamp': '2026-11-20T13:55:36.123Z', message: 'größe', service: { name: 'theirs' } },
]

for (const [version, Made] of [
  [8, Client8 as unknown as typeof Client],
  [9, Client],
] as const) {
  t.test(`the bulk helper of Elastic's client ${version} sends, and is content`, async t => {
    const service = await sharedService()
    const name = `elastic-${version}`
    const token = await service.makeToken(name, 'prod')
    const client = new Made({
      node: `${service.url}/elastic`,
      auth: version === 8 ? { username: 'elastic', password: token } : { apiKey: token },
      compression: version === 8,
    })
    t.teardown(() => client.close())
    t.equal(await client.ping(), true)
    t.match(await client.info(), { version: { number: '8.19.0' } })
    t.match(await client.cluster.health(), { status: 'green' })
    t.equal(await client.indices.existsIndexTemplate({ name: 'logs' }), true)
    t.match(await client.indices.putIndexTemplate({ name: 'logs' }), { acknowledged: true })

    const dropped: unknown[] = []
    const stats = await client.helpers.bulk({
      datasource: [...documents],
      onDocument: () => ({ create: { _index: 'logs-app' } }),
      onDrop: drop => dropped.push(drop),
    })
    t.same(dropped, [])
    t.match(stats, { total: 2, successful: 2, failed: 0 })
    const { body } = await service.query(`logs{service.name="${name}"}`)
    t.match(body.logs, [
      { timestamp, log_level: 'warn', message: 'slow', attributes: { ms: '7' } },
      { timestamp, message: 'größe', attributes: { 'payload.service.name': 'theirs' } },
    ])
  })
}

t.test(
  'pino-elasticsearch’s requests: the time in another field, and a refresh at the end',
  async t => {
    const { service, token } = await sharedSender('pino-elasticsearch')
    const auth = { username: 'any', password: token }
    const client = new Client8({ node: `${service.url}/elastic`, auth })
    t.teardown(() => client.close())
    const time = '2026-11-20T13:55:36.123Z'
    const datasource = [
      { level: 40, time, order: 81723, msg: 'its time' },
      { level: 30, time: '2026-11-20T13:55:36.123Z', ms: '10', '@timestamp': 0, msg: 'both' },
      { time: 12, msg: 'how long it took' },
      { time: 'soon', msg: 'no time' },
    ]
    // Version 9.0.0 does exactly this, in a client of 8: `elastic-loggers.test.ts` has itself.
    const stats = await client.helpers.bulk({
      datasource,
      onDocument: () =>
        ({ index: { _index: 'logs', _type: undefined, op_type: undefined } }) as never,
      refreshOnCompletion: 'logs',
    })
    t.match(stats, { successful: 4, failed: 0 })
    t.match(await client.indices.refresh(), { _shards: { failed: 0 } })
    const { body } = await service.query('logs{service.name="pino-elasticsearch"}')
    const found = (message: string) =>
      body.logs.find((log: object) => 'message' in log && log.message === message)
    t.match(found('its time'), { timestamp, log_level: 'warn', attributes: { order: '81723' } })
    t.notOk('time' in found('its time').attributes)
    t.match(found('both'), { timestamp: 0, attributes: { time } })
    t.match(found('how long it took'), { attributes: { time: '12', timestamp_error: undefined } })
    t.match(found('no time'), { attributes: { time: 'soon', timestamp_error: undefined } })
  },
)

/** Sends `body` to the bulk API, as Filebeat does. */
async function send(token: string, body: string | Uint8Array, more: Record<string, string> = {}) {
  const service = await sharedService()
  const { path = '/elastic/_bulk', ...headers } = more
  return service.call('POST', path, {
    body,
    token: null,
    headers: {
      authorization: `ApiKey ${Buffer.from(`id:${token}`).toString('base64')}`,
      'content-type': 'application/vnd.elasticsearch+x-ndjson; compatible-with=9',
      ...headers,
    },
  })
}

t.test('each action has its own item, and what is refused costs no other', async t => {
  const { service, token } = await sharedSender('elastic-items')
  const body = [
    ...[
      '{ "create" : { "_index" : "a", "_id": "1", "dynamic_templates": {} } }',
      '{"message":"one"}',
    ],
    ...['{"index":{}}', ' {"message":"two"} ', ''],
    ...['{"create":{}}', '{"message":'],
    '{"delete":{"_id":"1"}}',
    ...['{"update":{"_id":"1"}}', '{"doc":{}}'],
    ...['{"create":{}}', `{"message":"three","much":"${'x'.repeat(300_000)}"}`],
    '{"create":{"_index":"last"}}',
  ]
  const answer = await send(token, gzipSync(body.join('\r\n')), {
    ...{ path: '/elastic/of-path/_bulk', 'content-encoding': 'gzip' },
  })
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('x-elastic-product'), 'Elasticsearch')
  t.match(answer.body, {
    errors: true,
    items: [
      { create: { _index: 'a', _id: '1', status: 201 } },
      { index: { _index: 'of-path', status: 201 } },
      { create: { status: 400, error: { reason: /^1:12: / } } },
      { delete: { _id: '1', status: 400, error: { reason: /never change/ } } },
      { update: { status: 400 } },
      { create: { status: 400, error: { reason: /"much"/ } } },
      { create: { _index: 'last', status: 400, error: { reason: /the end/ } } },
    ],
  })
  t.equal(answer.body.items.length, 7)
  const { body: found } = await service.query('logs{service.name="elastic-items"}')
  t.match(found.logs, [{ message: 'one' }, { message: 'two' }])
})

t.test('a large body is answered item by item, too', async t => {
  const { service, token } = await sharedSender('elastic-large')
  const pair = (i: number) => `{"create":{"_id":"${i}"}}\n{"message":"m","i":${i}}\n`
  const answer = await send(token, Array.from({ length: 5_000 }, (_, i) => pair(i)).join(''))
  t.equal(answer.body.errors, false)
  t.equal(answer.body.items.length, 5_000)
  t.equal(answer.body.items[4_999].create._id, '4999')
  const { body } = await service.query('count(logs{service.name="elastic-large"})')
  t.equal(body.count, 5_000)
})

t.test("what is refused as a whole is refused in Elasticsearch's form", async t => {
  const { service, token } = await sharedSender('elastic-refused')
  const refuses = async (
    answer: Awaited<ReturnType<typeof send>>,
    status: number,
    type: string,
  ) => {
    t.match(answer, { status, body: { status, error: { type, root_cause: [{ type }] } } })
    t.equal(answer.headers.get('x-elastic-product'), 'Elasticsearch')
  }
  const illegal = 'illegal_argument_exception'
  const document = '{"create":{}}\n{"message":"m"}\n'
  await refuses(await send('none', document), 401, 'security_exception')
  await refuses(await send(token, '\n\n'), 400, illegal)
  await refuses(await send(token, `${document}{"message":"no action"}\n`), 400, illegal)
  await refuses(await send(token, document, { 'content-type': 'text/plain' }), 415, illegal)
  const malformed = await send(token, `${document}oops\n`)
  t.match(malformed.body.error.reason, /^Malformed action\/metadata line \[3\]/)
  t.equal((await service.query('count(logs{service.name="elastic-refused"})')).body.count, 0)
})

t.test('what clients look for is there, for those with a token', async t => {
  const { service, token } = await sharedSender('elastic-probes')
  const finds = async (path: string, expected: object) => {
    const answer = await service.call('GET', path, { token })
    t.match(answer, { status: 200, body: expected }, path)
    t.equal(answer.headers.get('x-elastic-product'), 'Elasticsearch')
    const head = await service.call('HEAD', path, { token })
    t.equal(head.status, 200, `HEAD ${path}`)
    t.equal((await service.call('GET', path, { token: null })).status, 401)
  }
  await finds('/elastic', { version: { number: '8.19.0' }, tagline: 'You Know, for Search' })
  await finds('/elastic/', { version: { number: '8.19.0' } })
  await finds('/elastic/_license', { license: { status: 'active', type: 'basic' } })
  await finds('/elastic/_xpack', { features: { ilm: { enabled: true } } })
  await finds('/elastic/_nodes/http', { nodes: {} })
  await finds('/elastic/_index_template/filebeat', { index_templates: [{ name: 'filebeat' }] })
  await finds('/elastic/_ilm/policy/filebeat', { filebeat: { version: 1 } })
  await finds('/elastic/_ingest/pipeline/p', { p: {} })
  await finds('/elastic/_data_stream/logs', { data_streams: [{ name: 'logs' }] })
  await finds('/elastic/logs', { logs: {} })
  const body = { index_patterns: ['x'] }
  for (const path of ['_index_template/x', '_template/x', '_ilm/policy/x', '_ingest/pipeline/x']) {
    const answer = await service.call('PUT', `/elastic/${path}`, { token, body })
    t.match(answer, { status: 200, body: { acknowledged: true } }, path)
  }
})
