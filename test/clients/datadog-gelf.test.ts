/**
 * What sends to Datadog's log intake and GELF by HTTP: requests as Datadog's API reference and agent (7.70,
 * `pkg/logs/client/http`) and Graylog's specification of GELF 1.1 have them.
 * Debian's python3-graypy is there itself.
 */
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { sharedService } from '../service/shared-service.ts'

const timestamp = 1_795_183_402_118

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
  const service = await sharedService()
  const token = await service.makeToken('datadog-partly')
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
  const service = await sharedService()
  const token = await service.makeToken('gelf')
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
  const service = await sharedService()
  const token = await service.makeToken('graypy')
  const { port } = new URL(service.url)
  const program = `
import http.client, logging, graypy
# The handler drops each connection when it has sent, and asks for no answer.
kept = []
request = http.client.HTTPConnection.request
def request_and_keep(self, *sent):
    kept.append(self)
    request(self, *sent)
http.client.HTTPConnection.request = request_and_keep
log = logging.getLogger("shop")
for compress in (True, False):
    handler = graypy.GELFHTTPHandler("127.0.0.1", ${port}, compress=compress)
    handler.headers["Authorization"] = "Bearer ${token}"
    log.handlers = [handler]
    log.error("compressed: %s", compress, extra={"order": 81723})
    assert kept[-1].getresponse().status == 202`
  await promisify(execFile)(python, ['-c', program])
  const { body } = await service.query('logs{service.name="graypy"}')
  t.match(body.logs, [
    { log_level: 'error', message: 'compressed: True', attributes: { order: '81723' } },
    { log_level: 'error', message: 'compressed: False', attributes: { host: /./ } },
  ])
})
