/**
 * What sends to Datadog's log intake and GELF by HTTP: requests as Datadog's API reference and agent (7.70,
 * `pkg/logs/client/http`) and Graylog's specification of GELF 1.1 have them.
 * Debian's python3-graypy is there itself.
 */
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { sharedSender, sharedService } from '../service/shared-service.ts'
import { until } from '../until.ts'

const timestamp = 1_795_183_402_118
/** Messages of each kind that graypy sends. */
const each = 100

t.test("Datadog's logs come back right, in all its encodings", async t => {
  const service = await sharedService()
  const logs = [
    {
      message: 'payment timed out',
      status: 'warn',
      timestamp,
      hostname: 'web-1',
      service: 'checkout',
      ddsource: 'nodejs',
      ddtags: 'env:prod,version:1.2,flag,hostname:tag',
    },
    { message: '{"level":"error","msg":"inside"}', status: 3 },
  ]
  const body = JSON.stringify(logs)
  const sent = [
    ['plain', body, {}],
    ['gzip', gzipSync(body), { 'content-encoding': 'gzip' }],
    ['zstd', zstdCompressSync(body), { 'content-encoding': 'zstd' }],
  ] as const
  for (const [name, bytes, headers] of sent) {
    const made = await service.call('POST', '/api/v1/settings/ingestion-tokens', {
      body: { serviceName: `datadog-${name}`, environment: 'test', parse: 'json' },
    })
    const token = { 'dd-api-key': made.body.token as string }
    const answer = await service.call('POST', '/api/v2/logs?ddsource=agent&ddtags=a:b', {
      ...{ token: null, body: bytes, headers: { ...headers, ...token } },
    })
    t.match(answer, { status: 202, body: {} }, name)
    const { body: found } = await service.query(`logs{service.name="datadog-${name}"}`)
    t.match(found.logs, [
      {
        ...{ timestamp, log_level: 'warn', message: 'payment timed out' },
        attributes: {
          ...{ hostname: 'web-1', service: 'checkout', ddsource: 'nodejs', env: 'prod' },
          ...{ version: '1.2', ddtags: logs[0]!.ddtags, environment: 'test' },
        },
      },
      { log_level: 'error', message: 'inside', attributes: { ddsource: 'agent', a: 'b' } },
    ])
    const valid = await service.call('GET', '/api/v1/validate', { token: null, headers: token })
    t.match(valid, { status: 200, body: { valid: true } })
  }
})

t.test("Datadog's refusals are in its form, and a bad log costs no other", async t => {
  const { service, token } = await sharedSender('datadog-partly')
  const send = (body: string, token: string | null) =>
    service.call('POST', '/v1/input', { token, body })
  t.match(await send('[{"message":"good"},7]', token), {
    status: 202,
    body: { errors: [{ status: '400', title: /^1 log/, detail: /log 1: field_invalid/ }] },
  })
  t.match(await send('[{"message"]', token), { status: 400, body: { errors: [{ status: '400' }] } })
  for (const wrong of [null, 'none']) {
    t.match(await send('[]', wrong), { status: 403, body: { errors: [{ status: '403' }] } })
  }
  t.equal((await service.call('GET', '/api/v1/validate', { token: 'none' })).status, 403)
  t.equal((await service.query('count(logs{service.name="datadog-partly"})')).body.count, 1)
})

t.test('GELF comes back right', async t => {
  const { service, token } = await sharedSender('gelf')
  const message = {
    version: '1.1',
    host: 'web-1',
    short_message: 'payment timed out',
    full_message: 'payment timed out\n  at …',
    timestamp: 1795183402.118,
    level: 3,
    _order: 81723,
    _level: 'mine',
  }
  const send = (body: string) => service.call('POST', '/gelf', { token, body })
  t.match(await send(JSON.stringify(message)), { status: 202, body: '' })
  t.match(await send('{"short_message":"a"}\n{"short_message":"b","level":7}'), { status: 202 })
  const { body } = await service.query('logs{service.name="gelf"}')
  t.match(body.logs, [
    {
      ...{ timestamp, log_level: 'error', message: 'payment timed out' },
      attributes: { host: 'web-1', full_message: /at …/, order: '81723', _level: 'mine' },
    },
    { log_level: 'info', message: 'a' },
    { log_level: 'debug', message: 'b' },
  ])
  t.match(await send('{"short_message":"good"} {"message":"bad"}'), {
    status: 400,
    body: { code: 'events_unreadable', detail: /message 1: .*short_message/ },
  })
  t.equal((await service.query('count(logs{service.name="gelf"})')).body.count, 4)
})

/** Debian's own Python, which has Debian's packages. */
const python = '/usr/bin/python3'
const noGraypy =
  spawnSync(python, ['-c', 'import graypy']).status !== 0 && 'python3-graypy is not installed'

t.test("graypy's handler for HTTP sends, compressed or not", { skip: noGraypy }, async t => {
  const { service, token } = await sharedSender('graypy')
  const { port } = new URL(service.url)
  const saidBefore = service.output.stderr.length
  // It closes each connection when it has sent, reads no answer, and asks for none.
  const program = `
import logging, graypy
log = logging.getLogger("shop")
for compress in (True, False):
    handler = graypy.GELFHTTPHandler("127.0.0.1", ${port}, compress=compress)
    handler.headers["Authorization"] = "Bearer ${token}"
    log.handlers = [handler]
    for number in range(${each}):
        log.error("compressed: %s", compress, extra={"number": number})`
  await promisify(execFile)(python, ['-c', program])
  let logs: { readonly message: string; readonly attributes: Record<string, string> }[] = []
  await until(async () => {
    logs = (await service.query('logs{service.name="graypy"}', { limit: 1_000 })).body.logs
    return logs.length >= 2 * each
  })
  for (const message of ['compressed: True', 'compressed: False']) {
    const found = logs.filter(log => log.message === message)
    const numbers = found.map(({ attributes }) => Number(attributes.number)).sort((a, b) => a - b)
    t.same(
      numbers,
      Array.from({ length: each }, (_, i) => i),
      `${message}: each is there, once`,
    )
    t.match(found[0], { log_level: 'error', attributes: { host: /./ } })
  }
  t.equal(service.output.stderr.slice(saidBefore), '', 'nothing is said of it')
})

/** What it does, with bodies of all sizes, as fast as can be; of those that are compressed, the small ones. */
t.test('an event is stored though its sender has closed before it is answered', async t => {
  const { service, token } = await sharedSender('gone')
  const { port } = new URL(service.url)
  const lines = ['POST /gelf HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`]
  for (let number = 0; number < each; number++) {
    const isGzip = number % 2 === 0
    const plain = JSON.stringify({ short_message: 'x'.repeat(1 + number ** 3), _number: number })
    const body = isGzip ? gzipSync(plain) : Buffer.from(plain)
    const own = [`Content-Length: ${body.length}`, ...(isGzip ? ['Content-Encoding: gzip'] : [])]
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {}).resume()
    socket.write([...lines, ...own, '', ''].join('\r\n'))
    socket.end(body, () => socket.destroy())
    if (number % 10 === 0) await once(socket, 'close')
  }
  const numbers = async () => {
    const { body } = await service.query('logs{service.name="gone"}', { limit: 1_000 })
    return body.logs.map((log: (typeof body.logs)[number]) => Number(log.attributes.number))
  }
  await until(async () => (await numbers()).length >= each)
  t.same(
    (await numbers()).sort((a: number, b: number) => a - b),
    Array.from({ length: each }, (_, i) => i),
  )
})
