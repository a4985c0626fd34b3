import { gzipSync } from 'node:zlib'
import t from 'tap'
import { type Log, requestOf, text, toJson, toProtobuf } from '../../../ingest/otlp/messages.ts'
import type { ServiceProcess } from '../../../service/service-process.ts'
import { sharedService } from '../../../service/shared-service.ts'

const path = '/api/v1/otlp/v1/logs'
const encodings = [
  { type: 'application/json', encode: toJson, empty: {} },
  { type: 'application/x-protobuf', encode: toProtobuf, empty: '' },
] as const

const service = await sharedService()

type Sender = (
  body: Uint8Array,
  headers?: Record<string, string>,
) => ReturnType<ServiceProcess['call']>

async function sender(name: string, type: string): Promise<Sender> {
  const token = await service.makeToken(name, 'prod')
  return (body, headers = {}) =>
    service.call('POST', path, { token, body, headers: { 'content-type': type, ...headers } })
}

for (const { type, encode, empty } of encodings) {
  t.test(`${type}: records are found by the next query, with the token's names`, async t => {
    const name = `small-${type.length}`
    const send = await sender(name, type)
    const log: Log = {
      time: 1_795_183_402_118_000_000n,
      severityNumber: 17,
      body: text('payment timed out'),
      attributes: [['order', { integer: 81723n }]],
      traceId: '5b8efff798038103d269b633813fc60c',
    }
    const answer = await send(encode(requestOf([log], [['service.name', text('theirs')]])))
    t.equal(answer.status, 200)
    t.same(answer.body, empty)
    const { body } = await service.query(`logs{service.name="${name}"}`)
    t.match(body.logs, [
      { timestamp: 1_795_183_402_118, log_level: 'error', message: 'payment timed out' },
    ])
    t.same(body.logs[0].attributes, {
      'service.name': name,
      environment: 'prod',
      order: '81723',
      trace_id: '5b8efff798038103d269b633813fc60c',
      'payload.service.name': 'theirs',
    })
  })

  t.test(`${type}: a large body, compressed, is stored but for what is refused`, async t => {
    const name = `large-${type.length}`
    const send = await sender(name, type)
    const good = Array.from({ length: 30_000 }, (_, i) => ({
      body: text(`request ${i} took ${i % 97} ms`),
      attributes: [['path', text(`/items/${i}`)]] as const,
    }))
    const bad: Log = { attributes: [['a', text('x'.repeat(300_000))]] }
    const body = gzipSync(encode(requestOf([...good, bad])))
    const answer = await send(body, { 'content-encoding': 'gzip' })
    t.equal(answer.status, 200)
    if (type === 'application/json') {
      t.match(answer.body, { partialSuccess: { rejectedLogRecords: '1' } })
    } else {
      t.match(answer.body, '1 refused, the first at index 30000: attribute_too_large')
    }
    t.equal((await service.query(`count(logs{service.name="${name}"})`)).body.count, 30_000)
    const { body: listed } = await service.call('GET', '/api/v1/settings/ingestion-tokens')
    const used = listed.tokens.find(
      ({ serviceName }: { serviceName: string }) => serviceName === name,
    )
    t.match(used, { eventCount: 30_000, lastUsedAt: Number })
  })

  t.test(`${type}: what cannot be read is refused, and nothing of it is stored`, async t => {
    const name = `torn-${type.length}`
    const send = await sender(name, type)
    const many = Array.from({ length: 20_000 }, (_, i) => ({ body: text(`line ${i}`) }))
    for (const logs of [many.slice(0, 3), many]) {
      const whole = encode(requestOf(logs))
      const answer = await send(whole.subarray(0, whole.length - 5))
      t.equal(answer.status, 400, `${whole.length} bytes`)
      t.match(JSON.stringify(answer.body), /json_invalid|protobuf_invalid/)
    }
    const other = type === 'application/json' ? toProtobuf : toJson
    t.equal((await send(other(requestOf(many.slice(0, 3))))).status, 400, 'another encoding')
    t.equal((await service.query(`count(logs{service.name="${name}"})`)).body.count, 0)
  })
}

t.test("a gzip that is torn, or too large when decoded, is refused in OTLP's form", async t => {
  const send = await sender('zipped', 'application/json')
  const headers = { 'content-encoding': 'gzip' }
  const torn = await send(gzipSync('{}').subarray(0, 8), headers)
  t.equal(torn.status, 400)
  t.match(torn.body, { code: 3, message: /^encoding_broken/ })
  const bomb = await send(gzipSync(Buffer.alloc(65 * 1024 * 1024, ' ')), headers)
  t.equal(bomb.status, 413)
  t.match(bomb.body, { code: 3, message: /^body_too_large/ })
})
