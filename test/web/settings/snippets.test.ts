import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOfStream } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { createRoutes } from '../../../src/http/routes.ts'
import { originOf } from '../../../src/web/settings/snippets/origin.ts'
import {
  batchPath,
  onePath,
  otlpPath,
  type Snippet,
} from '../../../src/web/settings/snippets/snippet.ts'
import { snippetsFor } from '../../../src/web/settings/snippets/snippets.ts'
import { standIns } from '../../http/stand-ins.ts'
import type { ServiceProcess } from '../../service/service-process.ts'
import { sharedSender, sharedService } from '../../service/shared-service.ts'

const run = promisify(execFile)
const facts = {
  origin: 'http://logs.example.com:7007',
  token: 'ing_0123456789abcdef',
  stream: 'checkout/prod',
}

function textOf({ blocks }: Snippet): string {
  return Object.values(blocks).join('\n')
}

function snippetOf(id: string, given: Partial<typeof facts> = {}): Snippet {
  return snippetsFor({ ...facts, ...given }).find(one => one.id === id)!
}

/** How each is run as it was pasted: command and arguments. `file` holds its text. */
const commands: Readonly<Record<string, (file: string) => [string, string[]]>> = {
  curl: file => ['sh', ['-e', file]],
  pino: file => [process.execPath, [file]],
  winston: file => [process.execPath, [file]],
  python: file => ['python3', [file]],
  'otel-sdk': file => [process.execPath, [file]],
  gelf: file => ['sh', ['-e', file]],
  splunk: file => ['sh', ['-e', file]],
  elastic: file => ['sh', ['-e', file]],
  loki: file => ['sh', ['-e', file]],
  datadog: file => ['sh', ['-e', file]],
}

/** What a file of lines `NAME=value` sets. */
function variablesOf(lines: string): Record<string, string> {
  return Object.fromEntries(
    [...lines.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  )
}

/** The event that arrives, once it is there. */
async function arrived(service: ServiceProcess, serviceName: string) {
  for (const giveUpAt = Date.now() + 10_000; Date.now() < giveUpAt; ) {
    const { body } = await service.query(`logs{service.name="${serviceName}"}`)
    if (body.count > 0) return body.logs
    await sleep(10)
  }
  throw new Error('nothing arrived')
}

t.test('what is pasted sends an event that is found', async t => {
  const directory = t.testdir({})
  const service = await sharedService()
  // Pasted into a project that has the packages: ours. Test directories lie inside of it.
  for (const [id, command] of Object.entries(commands)) {
    const token = await service.makeToken(`with-${id}`, 'prod')
    const texts = Object.values(snippetOf(id, { origin: service.url, token }).blocks)
    const [environment, code] = texts.length === 1 ? ['', texts[0]] : texts
    const file = `${directory}/${id}.mjs`
    writeFileSync(file, code!)
    const [program, args] = command(file)
    const env = { ...process.env, ...variablesOf(environment) }
    const { stderr } = await run(program, args, { timeout: 20_000, env })
    t.notMatch(stderr, /logs? w|Traceback|Error/, `${id} has nothing to complain of`)
    const logs = await arrived(service, `with-${id}`)
    t.equal(logs.length, 1, id)
    t.match(logs[0], { log_level: 'info', message: /^hello from / }, id)
    t.match(logs[0].attributes, { order: '81723', environment: 'prod' }, id)
  }
})

t.test('what the service does not take at first is sent again until it does', async t => {
  const directory = t.testdir({ data: {} })
  const answers: number[] = []
  const bodies: string[] = []
  const busy = createServer(async (request, response) => {
    bodies.push(await textOfStream(request))
    response.writeHead(answers.shift() ?? 200).end()
  }).listen(0, '127.0.0.1')
  t.teardown(() => busy.close())
  await once(busy, 'listening')
  const origin = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`
  for (const [id, status] of [
    ['pino', 503],
    ['winston', 429],
    ['python', 500],
  ] as const) {
    answers.splice(0, answers.length, status)
    bodies.length = 0
    const file = `${directory}/${id}.mjs`
    writeFileSync(file, Object.values(snippetOf(id, { origin, token: 'ing_0' }).blocks)[0]!)
    const [program, args] = commands[id]!(file)
    await run(program, args, { timeout: 60_000 })
    t.equal(bodies.length, 2, `${id} tried twice`)
    t.equal(bodies[0], bodies[1])
    t.match(bodies[1], /hello from /)
  }
})

t.test('collectors try again without end, and keep what waits on disk', async t => {
  const has = (id: string, ...patterns: RegExp[]) => {
    for (const pattern of patterns) t.match(textOf(snippetOf(id)), pattern, id)
  }

  const fluentBit = [
    /\[SERVICE\]\n +storage\.path +\S/,
    /\[INPUT\]\n(?: +.+\n)+ +storage\.type +filesystem\n/,
    /\[OUTPUT\]\n(?: +.+\n)+ +Retry_Limit +no_limits\n/,
  ]
  has('fluent-bit', ...fluentBit, / DB +\S/, /Uri .*[?&]parse=json/)
  has('forward', ...fluentBit, / DB +\S/, /Require_ack_response true/)
  const fluentd = [/require_ack_response true/, /retry_forever true/, /overflow_action block/]
  has('forward', ...fluentd, /<buffer>\n +@type file\n +path \S/)
  has('rsyslog', /queue\.filename=/, /queue\.saveOnShutdown="on"/, /resumeRetryCount="-1"/)
  has('syslog-ng', /disk-buffer\(reliable\(yes\)/, /time-reopen\(5\)/)
  has('datadog', /force_use_http: true/, /logs_dd_url: http/) // Over TCP it would not know.
  has('elastic', /queue\.disk:\n +max_size: \S/) // Filebeat itself never gives up.
  has('loki', /wal \{\n +enabled = true/, /max_backoff_retries = 0 /)
  has('journald', /Restart=always/, /StartLimitIntervalSec=0/) // The journal is on disk.
  has(
    'docker',
    ...fluentBit,
    /Uri .*[?&]parse=json/,
    /-v fluent-bit:\/var\/lib\/fluent-bit /,
    /fluentd-async=true/,
  )
  has(
    'vector',
    /data_dir: \S/,
    /buffer:\n +type: disk\n/,
    /when_full: block/,
    /retry_attempts: 9223372036854775807/,
  )
  has(
    'otel-collector',
    /max_elapsed_time: 0/,
    /storage: (file_storage\/\w+)/,
    /extensions: \[file_storage\/\w+\]/,
  )
  has('otel-sdk', /LOGS_ENDPOINT=/, /LOGS_HEADERS=/, /LOGS_PROTOCOL=/)
  t.notMatch(textOf(snippetOf('otel-sdk')), /OTLP_(ENDPOINT|HEADERS|PROTOCOL)=/)
})

t.test('a webhook as it is described is taken', async t => {
  const { service, token } = await sharedSender('hook')
  const { blocks } = snippetOf('webhook', { origin: service.url, token })
  const [url, headers, body] = Object.values(blocks)
  const sent = headers!
    .trim()
    .split('\n')
    .map(line => line.split(': ') as [string, string])
  const answer = await fetch(url!.trim(), {
    method: 'POST',
    headers: Object.fromEntries(sent),
    body: body!,
  })
  t.equal(answer.status, 200)
  const [record] = await arrived(service, 'hook')
  t.match(record, { message: 'hello from a webhook', attributes: { 'source.name': 'shop' } })
})

t.test('what the collectors send by these configurations is taken', async t => {
  const service = await sharedService()
  const takes = async (id: string, event: object, expected: object) => {
    const token = await service.makeToken(id)
    const text = textOf(snippetOf(id, { origin: service.url, token }))
    const path = /\/api\/v1\/webhook\/\S+/.exec(text)![0]
    const body = JSON.stringify([event])
    t.match(await service.call('POST', path, { token, body }), { status: 200 }, id)
    t.match((await arrived(service, id))[0], expected, id)
  }
  const timestamp = Date.parse('2026-11-20T14:03:22.118Z')
  const iso = '2026-11-20T14:03:22.118000Z'
  await takes('vector', { message: 'a', timestamp: iso, host: 'h' }, { message: 'a', timestamp })
  const log = '{"level":"warn","msg":"a","order":7}\n'
  const expected = { message: 'a', timestamp, log_level: 'warn', attributes: { order: '7' } }
  await takes('fluent-bit', { date: iso, log }, expected)
  const from = { container_name: '/web', source: 'stdout' }
  await takes(
    'docker',
    { date: iso, log, ...from },
    { ...expected, attributes: { order: '7', ...from } },
  )
})

t.test('what the Collector sends by its configuration is taken', async t => {
  const { service, token } = await sharedSender('collector')
  const text = textOf(snippetOf('otel-collector', { origin: service.url, token }))
  const endpoint = /endpoint: (\S+)/.exec(text)![1]!
  const [, name, value] = /headers:\n +(\S+): (.+)\n/.exec(text)!
  const headers = {
    [name!]: value!,
    'Content-Type': 'application/x-protobuf',
    'Content-Encoding': 'gzip',
  }
  // An ExportLogsServiceRequest of one record whose body is "hello!!", as protobuf has it.
  const body = gzipSync(Buffer.from('0a0f120d120b2a090a0768656c6c6f2121', 'hex'))
  const answer = await fetch(`${endpoint}/v1/logs`, { method: 'POST', headers, body })
  t.equal(answer.status, 200)
  t.match((await arrived(service, 'collector'))[0], { message: 'hello!!' })
})

t.test('every snippet has the address, the token and a path that there is', async t => {
  const paths = createRoutes(standIns().dependencies).map(({ path }) => path)
  const known = [
    onePath,
    batchPath,
    otlpPath,
    `${otlpPath}/v1/logs`,
    '/loki/api/v1/push',
    '/api/v2/logs',
  ]
  t.same(
    known.filter(path => !paths.includes(path)),
    [otlpPath],
    'to which /v1/logs is added',
  )
  for (const snippet of snippetsFor(facts)) {
    const text = textOf(snippet)
    t.match(text, /logs\.example\.com/, snippet.id)
    // Those of sockets know no token: the service is told whose records they are.
    const isOfSocket = ['rsyslog', 'syslog-ng', 'forward'].includes(snippet.id)
    t.match(text, isOfSocket ? `=${facts.stream}` : facts.token, snippet.id)
    for (const [, path] of text.matchAll(/((?:\/loki)?\/api\/v\d\/[\w/]+)/g)) {
      t.ok(known.includes(path!), `${snippet.id}: ${path}`)
    }
    for (const text of Object.values(snippet.blocks)) {
      t.match(text, /[^\n]\n$/, `${snippet.id} ends a line`)
    }
  }
  const ids = snippetsFor(facts).map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length)
})

t.test(
  'an address over TLS, or without a port, is said so to those that take it in parts',
  async t => {
    const over = (origin: string, id: string) => textOf(snippetOf(id, { ...facts, origin }))
    t.match(over('http://logs.example.com', 'docker'), /Port +80\n +Tls +Off/)
    t.match(over('https://logs.example.com', 'fluent-bit'), /Port +443\n +Tls +On/)
    t.match(over('http://[::1]:7007', 'fluent-bit'), /Host +::1\n/)
  },
)

t.test('an address that somebody types is one of a host, or none', async t => {
  t.equal(originOf(' http://logs:7007/ '), 'http://logs:7007')
  t.equal(originOf('HTTPS://Logs.example.com'), 'https://logs.example.com')
  for (const text of [
    '',
    'logs:7007',
    'ftp://a',
    'http://',
    'http://a b',
    'http://a/path',
    'http://me@a',
    'http://a?b',
    "http://a'b",
    'http://$(x)',
  ]) {
    t.equal(originOf(text), undefined, text)
  }
})
