/** What sends to Loki's push API: pino-loki as it is, and requests as Promtail and others make them. */
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { pinoLoki } from 'pino-loki'
import t from 'tap'
import { pushRequest, snappyOf } from '../ingest/formats/loki-messages.ts'
import { sharedSender, sharedService } from '../service/shared-service.ts'

const path = '/loki/api/v1/push'
const time = 1_795_183_402_118_654_321n
const timestamp = 1_795_183_402_118

async function send(
  token: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
) {
  const service = await sharedService()
  return service.call('POST', path, { token, body, headers })
}

t.test("pino-loki's entries come back right", async t => {
  const { service, token } = await sharedSender('pino-loki', 'prod')
  const stream = pinoLoki({
    host: service.url,
    basicAuth: { username: 'any', password: token },
    labels: { app: 'shop' },
    batching: false,
  })
  const logger = pino({ level: 'debug' }, stream)
  logger.warn({ order: 81723 }, 'stock is low')
  let found: { body: { count: number; logs: unknown[] } } | undefined
  for (const giveUpAt = Date.now() + 10_000; Date.now() < giveUpAt; ) {
    found = await service.query('logs{service.name="pino-loki"}')
    if (found.body.count > 0) break
  }
  t.match(found?.body.logs, [
    { log_level: 'warning', message: /stock is low/, attributes: { app: 'shop' } },
  ])
})

t.test('labels, metadata, time and level come back right, in both encodings', async t => {
  const service = await sharedService()
  const json = (name: string) =>
    JSON.stringify({
      streams: [
        {
          values: [
            [String(time), 'one', { trace_id: '4bf92f35', detected_level: 'error' }],
            [String(time), 'two'],
          ],
          stream: { app: name, level: 'warn', service_name: 'theirs' },
        },
        { stream: { app: name }, values: [['0', 'three', { detected_level: 'debug' }]] },
      ],
    })
  const protobuf = (name: string) =>
    pushRequest([
      {
        labels: `{app="${name}", level="warn", service_name=\`theirs\`}`,
        entries: [
          { time, line: 'one', metadata: { trace_id: '4bf92f35', detected_level: 'error' } },
          { time, line: 'two' },
        ],
      },
      {
        labels: `{app="${name}",}`,
        entries: [{ time: 0n, line: 'three', metadata: { detected_level: 'debug' } }],
      },
    ])
  const isProtobuf = { 'content-type': 'application/x-protobuf' }
  const gzip = { 'content-encoding': 'gzip' }
  const sent: readonly (readonly [string, string | Uint8Array, Record<string, string>])[] = [
    ['json', json('json'), {}],
    ['json-gzip', gzipSync(json('json-gzip')), gzip],
    ['protobuf', snappyOf(protobuf('protobuf')), isProtobuf],
    [
      'protobuf-named',
      snappyOf(protobuf('protobuf-named')),
      { ...isProtobuf, 'content-encoding': 'snappy', 'x-scope-orgid': 'tenant' },
    ],
  ]
  for (const [name, body, headers] of sent) {
    const token = await service.makeToken(`loki-${name}`)
    const before = Date.now()
    t.match(await send(token, body, headers), { status: 204, body: '' }, name)
    const { body: found } = await service.query(`logs{service.name="loki-${name}"}`)
    const logs = found.logs.toSorted((a: { message: string }, b: { message: string }) =>
      a.message < b.message ? -1 : 1,
    )
    const attributes = { app: name, service_name: 'theirs', timestamp_ns: String(time) }
    t.match(
      logs,
      [
        {
          ...{ timestamp, log_level: 'warn', message: 'one' },
          attributes: { ...attributes, trace_id: '4bf92f35', detected_level: 'error' },
        },
        { log_level: 'debug', message: 'three', attributes: { app: name } },
        { timestamp, log_level: 'warn', message: 'two', attributes },
      ],
      name,
    )
    t.ok(logs[1].timestamp >= before, 'the time of receipt')
  }
})

t.test('a bad entry costs no other, and is named', async t => {
  const { service, token } = await sharedSender('loki-partly')
  const odd = [{ toString: 1 }, 'bad']
  const values = [['1795183402118000000', 'good'], ['soon', 'bad'], 7, odd, ['0', 'good']]
  const answer = await send(token, JSON.stringify({ streams: [{ stream: {}, values }] }))
  t.match(answer, { status: 400, body: { message: /^3 of 5 entries .* entry 1: .*"soon"/ } })
  const { body } = await service.query('count(logs{service.name="loki-partly"})')
  t.equal(body.count, 2)
})

t.test('what is refused as a whole says why, and a bomb is not undone', async t => {
  const { service, token } = await sharedSender('loki-refused')
  const isProtobuf = { 'content-type': 'application/x-protobuf' }
  const refuses = async (body: string | Uint8Array, status: number, message: RegExp, how = {}) =>
    t.match(await send(token, body, how), { status, body: { message } }, String(message))

  await refuses('', 400, /empty/)
  await refuses('{"streams":[', 400, /expected/)
  await refuses('{"streams":{}}', 400, /"streams" must be an array/)
  await refuses('{"streams":[{"stream":[],"values":[]}]}', 400, /"stream" must be an object/)
  await refuses(pushRequest([]), 400, /snappy/, isProtobuf)
  await refuses(snappyOf(Buffer.from([0xff])), 400, /byte/, isProtobuf)
  const labels = pushRequest([{ labels: '{app=x}', entries: [] }])
  await refuses(snappyOf(labels), 400, /expected labels as .*"app=x}" at character 1/, isProtobuf)
  const lie = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0x00, 0x61])
  await refuses(lie, 400, /snappy/, isProtobuf)
  const copies = Buffer.alloc(3 * 1024 * 1024 + 3, Buffer.from([0xfe, 1, 0])) // Of 64 bytes each.
  const bomb = Buffer.concat([Buffer.from([0xc1, 0x80, 0x80, 0x20, 0x00, 0x61]), copies])
  await refuses(bomb, 413, /67108864 bytes/, isProtobuf)
  t.equal((await service.call('POST', path, { token: 'none', body: '{}' })).status, 401)
})
