/** An `Idempotency-Key` on the paths of all protocols that have no keys of their own. */
import t from 'tap'
import { pushRequest, snappyOf } from '../ingest/formats/loki-messages.ts'
import { requestOf, text, toJson, toProtobuf } from '../ingest/otlp/messages.ts'
import type { Answer } from '../service/service-process.ts'
import { sharedSender, sharedService } from '../service/shared-service.ts'

interface Sending {
  readonly path: string
  readonly type?: string
  readonly bodyOf: (message: string) => string | Uint8Array
}

const json = 'application/json'
const protobuf = 'application/x-protobuf'
const otlpOf = (message: string) => requestOf([{ body: text(message) }])

/** Each of one event. */
const senders: Readonly<Record<string, Sending>> = {
  events: { path: '/api/v1/webhook/event/logs', bodyOf: message => JSON.stringify([{ message }]) },
  hec: { path: '/services/collector', bodyOf: event => JSON.stringify({ event }) },
  lines: { path: '/services/collector/raw', type: 'text/plain', bodyOf: message => message },
  loki: {
    path: '/loki/api/v1/push',
    bodyOf: line => JSON.stringify({ streams: [{ stream: {}, values: [['0', line]] }] }),
  },
  'loki-protobuf': {
    path: '/loki/api/v1/push',
    type: protobuf,
    bodyOf: line =>
      snappyOf(pushRequest([{ labels: '{a="b"}', entries: [{ line, time: 1n, metadata: {} }] }])),
  },
  datadog: { path: '/api/v2/logs', bodyOf: message => JSON.stringify([{ message }]) },
  gelf: { path: '/gelf', bodyOf: message => JSON.stringify({ short_message: message }) },
  otlp: { path: '/v1/logs', bodyOf: message => toJson(otlpOf(message)) },
  'otlp-protobuf': {
    path: '/otlp/v1/logs',
    type: protobuf,
    bodyOf: message => toProtobuf(otlpOf(message)),
  },
}

const said = ({ status, body }: Answer) => ({ status, body })

for (const [name, { path, type = json, bodyOf }] of Object.entries(senders)) {
  t.test(`${name}: a request under a key counts once`, async t => {
    const service = await sharedService()
    const serviceName = `retried-${name}`
    const token = await service.makeToken(serviceName)
    const send = (message: string, key: string, query = '') => {
      const headers = { 'content-type': type, 'idempotency-key': key }
      return service.call('POST', path + query, { token, body: bodyOf(message), headers })
    }
    const first = await send('one', 'a')
    t.ok(first.status < 300, `${first.status}`)
    t.same(said(await send('one', 'a')), said(first), 'the first answer again')
    t.equal((await send('two', 'a')).status, 422, 'another body under the same key')
    t.same(said(await send('two', 'b')), said(first))
    t.equal((await send('three', 'a key with blanks')).status, 400)
    const { body } = await service.query(`logs{service.name="${serviceName}"}`)
    t.same(body.logs.map(({ message }: { message: string }) => message).sort(), ['one', 'two'])
  })
}

t.test('what the address says of all events is a part of the request', async t => {
  const { service, token } = await sharedSender('retried-elsewhere')
  const headers = { 'idempotency-key': 'a' }
  const send = (host: string) =>
    service.call('POST', `/services/collector?host=${host}`, {
      ...{ token, headers, body: '{"event":"one"}' },
    })
  t.equal((await send('web-1')).status, 200)
  t.equal((await send('web-1')).status, 200)
  t.equal((await send('web-2')).status, 422)
})

t.test('what was refused of a request is told again', async t => {
  const { service, token } = await sharedSender('retried-half')
  const headers = { 'idempotency-key': 'a' }
  for (const [path, body] of [
    ['/services/collector/event', '{"event":"one"}{"event":null}'],
    ['/loki/api/v1/push', '{"streams":[{"stream":{},"values":[["0","two"],["0",1]]}]}'],
  ] as const) {
    const send = () => service.call('POST', path, { token, body, headers })
    const first = await send()
    t.match(JSON.stringify(first.body), /refused/)
    t.same(said(await send()), said(first), path)
    headers['idempotency-key'] += 'b'
  }
  t.equal((await service.query('logs{service.name="retried-half"}')).body.count, 2)
})
