/**
 * What sends to Splunk's HTTP Event Collector: splunk-logging as it is, and requests as Docker's driver and
 * Vector make them.
 */
import { gzipSync } from 'node:zlib'
import splunk from 'splunk-logging'
import t from 'tap'
import { sharedSender, sharedService } from '../service/shared-service.ts'

const path = '/services/collector/event'

/** Sends `body` as HEC's clients do, with any headers instead of the usual. */
async function send(
  path: string,
  body: string | Uint8Array,
  { token, headers = {} }: { token: string; headers?: Record<string, string> },
) {
  const service = await sharedService()
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { Authorization: `Splunk ${token}`, ...headers },
    body: body as string,
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const success = { status: 200, body: { text: 'Success', code: 0 } }

t.test("splunk-logging's events come back right, and it is content", async t => {
  const { service, token } = await sharedSender('splunk-logging', 'prod')
  const { hostname, port } = new URL(service.url)
  const logger = new splunk.Logger({
    token,
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxBatchCount: 0,
  })
  const errors: unknown[] = []
  logger.error = (error: unknown) => errors.push(error)
  logger.send({
    message: { temperature: '70F', chickenCount: 500 },
    severity: 'error',
    metadata: { source: 'chicken coop', sourcetype: 'httpevent', index: 'main', host: 'farm' },
  })
  logger.send({ message: 'the second one' })
  const before = Date.now()
  const answer = await new Promise(resolve => {
    logger.flush((error: unknown, _response: unknown, body: unknown) => resolve([error, body]))
  })
  t.same(answer, [null, { text: 'Success', code: 0 }])
  t.same(errors, [])

  const { body } = await service.query('logs{service.name="splunk-logging"}')
  t.match(body.logs, [
    {
      log_level: 'error',
      message: '{"temperature":"70F","chickenCount":500}',
      attributes: { source: 'chicken coop', sourcetype: 'httpevent', index: 'main', host: 'farm' },
    },
    { log_level: 'info', message: 'the second one' },
  ])
  t.ok(Math.abs(body.logs[0].timestamp - before) < 60_000, 'its own time')
})

t.test("Docker's driver asks whether it may, and its events come back right", async t => {
  const { service, token } = await sharedSender('docker-splunk')
  const asked = await fetch(`${service.url}${path}/1.0`, { method: 'OPTIONS' })
  t.equal(asked.status, 200)

  const line = (event: unknown) => ({ time: '1795183402.118654', host: 'node-1', event })
  const inline = { line: 'GET /', source: 'stdout', tag: 'web', attrs: { env: 'prod' } }
  const json = { ...inline, line: { level: 'warn', msg: 'slow', source: 'db' } }
  // Concatenated, without anything between them, and without a content type.
  const body = [line(inline), line(json), line('web plain text')].map(one => JSON.stringify(one))
  const gzip = { 'Content-Encoding': 'gzip' }
  t.match(await send(`${path}/1.0`, gzipSync(body.join('')), { token, headers: gzip }), success)

  const { body: found } = await service.query('logs{service.name="docker-splunk"}')
  const timestamp = 1795183402118
  const own = { host: 'node-1', timestamp_ns: '1795183402118654000' }
  t.match(found.logs, [
    { timestamp, message: 'GET /', attributes: { ...own, tag: 'web', 'attrs.env': 'prod' } },
    {
      ...{ timestamp, log_level: 'warn', message: 'slow' },
      attributes: { ...own, source: 'db', 'outer.source': 'stdout', tag: 'web' },
    },
    { timestamp, message: 'web plain text', attributes: own },
  ])
})

t.test('lines are events, with what the address says of all', async t => {
  const { service, token } = await sharedSender('hec-lines')
  const query = '?channel=c&host=web-1&sourcetype=access&unknown=x'
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const answer = await send(`/services/collector/raw${query}`, 'one\r\n\ntwo', {
    ...{ token, headers: form },
  })
  t.match(answer, success)
  const { body } = await service.query('logs{service.name="hec-lines"}')
  const attributes = { host: 'web-1', sourcetype: 'access' }
  t.match(body.logs, [
    { message: 'one', attributes },
    { message: 'two', attributes },
  ])
  t.notOk('unknown' in body.logs[0].attributes)
})

t.test('a client with a channel is told that its events are on disk', async t => {
  const { token } = await sharedSender('hec-acks')
  const headers = { 'X-Splunk-Request-Channel': 'FE0ECFAD-13D5-401B-847D-77833BD77131' }
  const { body } = await send(path, '{"event":"a"}', { token, headers })
  t.type(body.ackId, 'number')
  const asked = await send('/services/collector/ack', JSON.stringify({ acks: [body.ackId] }), {
    ...{ token, headers },
  })
  t.same(asked, { status: 200, body: { acks: { [body.ackId]: true } } })
  const bad = await send('/services/collector/ack', '{"acks":"all"}', { token })
  t.match(bad, { status: 400, body: { code: 6, detail: /acks/ } })
})

t.test('a bad event costs no other, and is told by its number', async t => {
  const { service, token } = await sharedSender('hec-partly')
  const body = '{"event":"good"}{"evnt":1} {"event":"good too","time":"soon"}'
  t.match(await send(path, body, { token }), {
    status: 200,
    body: { text: 'Invalid data format', code: 6, 'invalid-event-number': 1, detail: /event/ },
  })
  const { body: found } = await service.query('logs{service.name="hec-partly"}')
  t.match(found.logs, [{ message: 'good' }, { attributes: { timestamp_error: /"time"/ } }])
})

t.test("what is refused is refused in Splunk's words", async t => {
  const { service, token } = await sharedSender('hec-refused')
  const refuses = async (
    [path, body, how = {}]: readonly [string, string, object?],
    expected: object,
  ) => t.match(await send(path, body, { token, ...how }), expected, body)

  const event = '{"event":"a"}'
  await refuses([path, ''], { status: 400, body: { text: 'No data', code: 5 } })
  await refuses([path, '{"evnt":1}'], {
    ...{ status: 400 },
    body: { text: 'Event field is required', code: 12, 'invalid-event-number': 0 },
  })
  await refuses([path, '{"event":'], { status: 400, body: { code: 6, detail: /1:10/ } })
  await refuses([path, event, { token: 'none' }], {
    ...{ status: 403, body: { text: 'Invalid token', code: 4 } },
  })
  await refuses([path, event, { headers: { Authorization: '' } }], {
    ...{ status: 401, body: { text: 'Token is required', code: 2 } },
  })
  await refuses([path, event, { headers: { 'Content-Encoding': 'gzip' } }], {
    ...{ status: 400, body: { code: 6 } },
  })
  await refuses(['/services/collector/raw', '\n\n'], { status: 400, body: { code: 5 } })
  t.same((await service.query('count(logs{service.name="hec-refused"})')).body.count, 0)

  for (const path of ['/services/collector/health', '/services/collector/health/1.0']) {
    const health = await service.call('GET', path, { token: null })
    t.match(health, { status: 200, body: { text: 'HEC is healthy', code: 17 } })
  }
})
