/**
 * Text that would be something else elsewhere: paths, lines of a log, terminal commands, markup,
 * formulas. Here it is text, and comes back as it was.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sendRaw } from '../http/raw-client.ts'
import { adminKey, startServiceOf } from '../service/service-process.ts'

const directory = t.testdir({ outside: { 'secret.txt': 'not for you' }, data: {} })
const dataDir = join(directory, 'data')
const service = await startServiceOf(t, dataDir, { flags: ['--journal-file-bytes', '4KiB'] })

const names = [
  ...['../../outside/x', '..', '.', '/etc/passwd', '..\\..\\x', '%2e%2e%2fx', 'a/b', 'CON', '~'],
  ...[
    'checkout',
    'Checkout',
    'ｃｈｅｃｋｏｕｔ',
    'a\u202eb',
    'a\u2028b',
    'x'.repeat(200),
    '$(id)',
    '`id`',
  ],
]

function filesBelow(path: string): string[] {
  return fs.readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
}

t.test('names of services never become paths, and stay apart', async t => {
  for (const name of names) {
    const token = await service.makeToken(name, name)
    const events = Array.from({ length: 40 }, (_, i) => ({ message: `${i}`, name }))
    await service.send(token, events)
  }
  for (const name of names) {
    const query = `logs{service.name=${JSON.stringify(name)}}`
    const { body } = await service.query(query, { limit: 1 })
    t.equal(body.count, 40, `service ${names.indexOf(name)}`)
    t.equal(body.logs[0].attributes['service.name'], name)
  }
  for (const bad of ['', ' ', 'a\0b', 'x'.repeat(4_096), 5, null, '\ud800']) {
    const body = { serviceName: bad, environment: 'test' }
    const path = '/api/v1/settings/ingestion-tokens'
    const answer = await service.call('POST', path, { body })
    const isTaken = answer.status < 300
    if (isTaken) t.equal(bad, 'a\0b', 'a name of text is taken')
    else t.equal(answer.status, 400)
  }
  t.same(filesBelow(join(directory, 'outside')), ['secret.txt'])
  const known =
    /^(LOCK|catalog\.lmdb|index\.(lmdb|open)|secret\.key|journal|segments|quarantine|retention-clock|catalog-copies)/
  for (const file of filesBelow(dataDir)) t.match(file, known)
})

t.test('no address leads to a file', async t => {
  const tries = [
    ...['/../secret.key', '/..%2fsecret.key', '/%2e%2e/secret.key', '/....//secret.key'],
    ...['/assets/../../package.json', '/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/x'],
    ...['/api/v1/dashboards/..%2f..%2fsecret.key', '/api/v1/dashboards/%00', '/docs/../secret.key'],
    ...['/assets/..\\..\\package.json', '/assets//etc/passwd', '/file:///etc/passwd'],
  ]
  for (const path of tries) {
    const answer = await rawGet(path)
    t.match(answer, /^HTTP\/1\.1 (400|404|405) /, path)
    t.notMatch(answer, /root:|"dependencies"/)
    t.notOk(answer.includes(dataDir), 'nor does it tell where files are')
  }
})

t.test('what would be markup, a terminal command or another line is text', async t => {
  const texts = [
    ...['</script><script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '{{7*7}}'],
    ...['\u001b[2J\u001b]0;owned\u0007', 'a\r\n{"level":60,"msg":"forged"}', '\u0000\u0008'],
    ...['=HYPERLINK("http://a")', '+1', '@SUM(A1)', '%s%n', "'; DROP TABLE logs; --"],
  ]
  const token = await service.makeToken('inject')
  const events = texts.map((message, i) => ({ message, [message]: message, i }))
  await service.send(token, events)
  const selector = 'logs{service.name="inject"}'
  const found = await service.query(selector, { limit: 100 })
  t.equal(found.headers.get('content-type'), 'application/json')
  t.equal(found.headers.get('x-content-type-options'), 'nosniff')
  t.match(found.headers.get('content-security-policy'), /default-src 'none'/)
  t.same(
    found.body.logs.map((log: { message: string }) => log.message),
    texts,
  )
  for (const [i, text] of texts.entries()) t.equal(found.body.logs[i].attributes[text], text)

  const exported = await service.exported(selector)
  t.equal(exported.length, texts.length, 'one line each')
  for (const [i, { message }] of exported.entries()) t.equal(message, texts[i])

  // What is wrong with a request comes back in the answer, and goes nowhere else.
  for (const text of texts) {
    const refused = await service.query(`logs{${text}`)
    t.equal(refused.headers.get('content-type'), 'application/problem+json')
    t.equal(refused.status, 400)
  }
})

t.test('the log is lines of JSON, whatever was sent, and has no secret', async t => {
  const token = await service.makeToken('logged')
  for (const path of ['/api/v1/a%0d%0a{"level":60}', '/%1b[2J', `/${token}`, `/?key=${adminKey}`]) {
    await rawGet(path)
  }
  t.equal(await service.end(), 0)
  const lines = service.output.stderr.split('\n').filter(line => line !== '')
  for (const line of lines) t.doesNotThrow(() => JSON.parse(line), line)
  const printed = service.output.stderr + service.output.stdout
  for (const secret of [token, adminKey, 'forged', 'alert(1)', '\u001b']) {
    t.notOk(printed.includes(secret), 'nothing of it is in the log')
  }
})

/** Paths as they are, which `fetch` would tidy. */
async function rawGet(path: string): Promise<string> {
  const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${adminKey}\r\n`
  return sendRaw(Number(new URL(service.url).port), `${head}Connection: close\r\n\r\n`)
}
