import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { readConfig } from '../../src/config/config.ts'
import { runClient } from '../cli/client-process.ts'
import { makeCertificate, noOpenssl } from './certificate.ts'
import { adminKey, gatherOutput, spawnService, startServiceOf } from './service-process.ts'

interface Asked {
  readonly method?: string
  readonly token?: string
  readonly body?: string
}

/** A client that accepts this one certificate only. */
function tlsClient(url: string, ca: string) {
  const open = async (path: string, { method = 'GET', token = adminKey, body }: Asked = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const [response] = await once(
      request(url + path, { method, headers, ca }).end(body),
      'response',
    )
    return response as IncomingMessage
  }
  const ask = async (path: string, asked?: Asked) => {
    const response = await open(path, asked)
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }
  const post = (path: string, body: unknown, token = adminKey) =>
    ask(path, { method: 'POST', token, body: JSON.stringify(body) })
  const count = async (query: string) => {
    const answer = await post('/api/v1/query/logs', { query, startTime: 0, endTime: 8.64e15 })
    return JSON.parse(answer.body).count
  }
  return { open, ask, post, count }
}

t.test('over TLS everything works as without, and only so', { skip: noOpenssl }, async t => {
  const directory = t.testdir({ data: {} })
  const { cert, key, pem } = makeCertificate(directory)
  const flags = ['--tls-cert', cert, '--tls-key', key]
  const service = await startServiceOf(t, join(directory, 'data'), { flags })
  t.match(service.url, /^https:\/\/127\.0\.0\.1:\d+$/)
  const { open, ask, post, count } = tlsClient(service.url, pem)

  const health = await ask('/health')
  t.match(health, { status: 200, headers: { 'strict-transport-security': /^max-age=31536000/ } })
  t.match((await post('/api/v1/session', { key: adminKey })).headers['set-cookie'], [/; Secure$/])

  const named = { serviceName: 'checkout', environment: 'test' }
  const { token } = JSON.parse((await post('/api/v1/settings/ingestion-tokens', named)).body)
  const tail = await open('/api/v1/query/logs/tail?query=logs&last=0')
  t.equal((await post('/api/v1/webhook/event/log', { message: 'one' }, token)).status, 200)
  for await (const chunk of tail) if (String(chunk).includes('"one"')) break
  t.pass('a live tail gives what was sent')

  const lines = Array.from({ length: 50_000 }, (_, i) =>
    JSON.stringify({ message: `request ${i}`, padding: 'x'.repeat(100) }),
  )
  const path = '/api/v1/webhook/event/logs'
  const many = await ask(path, { method: 'POST', token, body: lines.join('\n') })
  t.match(JSON.parse(many.body), { accepted: 50_000, rejected: 0 })
  t.equal(await count('logs'), 50_001)
  const asked = { query: 'logs', startTime: 0, endTime: 8.64e15 }
  const exported = await post('/api/v1/query/logs/export', asked)
  t.equal(exported.body.trimEnd().split('\n').length, 50_001, 'an export of 10 MB comes whole')

  const distrustful = await runClient(service.url, adminKey, ['status'])
  t.match(distrustful, { code: 1, stderr: /not trusted \(\w+\).*NODE_EXTRA_CA_CERTS/ })

  const plain = connect(Number(new URL(service.url).port), '127.0.0.1')
  plain.end(`GET /health HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminKey}\r\n\r\n`)
  t.notMatch(await text(plain), 'HTTP', 'whoever speaks plain HTTP gets no answer')
  t.equal(await service.end(), 0)
})

t.test('the service reaches itself over TLS', { skip: noOpenssl }, async t => {
  const directory = t.testdir({ data: {} })
  const { cert, key, pem } = makeCertificate(directory)
  const flags = ['--tls-cert', cert, '--tls-key', key, '--self-log']
  const service = await startServiceOf(t, join(directory, 'data'), { flags })
  const { count } = tlsClient(service.url, pem)
  const giveUpAt = Date.now() + 30_000
  while ((await count('logs{environment="self"}')) === 0) {
    if (Date.now() > giveUpAt) return t.fail(service.output.stderr)
  }
  t.equal(await service.end(), 0)
})

t.test(
  'files that cannot be used are a wrong setting, and stay unseen',
  { skip: noOpenssl },
  async t => {
    const directory = t.testdir({ data: {}, text: 'a secret text' })
    const { cert, key } = makeCertificate(directory)
    const other = makeCertificate(directory, 'other')
    const cut = join(directory, 'cut.crt')
    writeFileSync(cut, other.pem.slice(0, 200))
    const missing = join(directory, 'missing')
    const words = join(directory, 'text')
    const refuses = (flags: readonly string[], expected: RegExp) => {
      t.throws(() => readConfig(flags, {}), { name: 'ConfigError', message: expected })
    }
    refuses(['--tls-cert', cert], /--tls-cert needs --tls-key or LOGSTRATA_TLS_KEY/)
    refuses(['--tls-key', key], /--tls-key needs --tls-cert/)
    refuses(['--tls-cert', missing, '--tls-key', key], /--tls-cert .*cannot be read \(ENOENT\)/)
    refuses(['--tls-cert', directory, '--tls-key', key], /--tls-cert .*\(EISDIR\)/)
    refuses(['--tls-cert', words, '--tls-key', key], /--tls-cert .*no?t? .*certificate in PEM/)
    refuses(['--tls-cert', cut, '--tls-key', key], /--tls-cert .*certificate in PEM/)
    refuses(['--tls-cert', cert, '--tls-key', words], /--tls-key .*holds no private key/)
    refuses(['--tls-cert', cert, '--tls-key', other.key], /--tls-key .*is not the key of/)

    const argv = ['--data-dir', join(directory, 'data'), '--tls-cert', words, '--tls-key', key]
    const child = spawnService(argv)
    const output = gatherOutput(child)
    t.same(await once(child, 'close'), [2, null])
    t.match(output.stderr, '--tls-cert')
    t.notMatch(output.stderr + output.stdout, /a secret text|listening/)
  },
)
