import { existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { type Asked, fakeApi, refuse } from '../fake-api.ts'
import { fakeTerminal } from '../fake-terminal.ts'

const lines = Array.from({ length: 5000 }, (_, n) => `{"message":"record ${n}"}\n`)
const whole = lines.join('')

/** Sends the whole export, compressed when that is accepted and `compresses` says so. */
const sends =
  (compresses = true) =>
  ({ headers }: Asked, response: ServerResponse) => {
    const isCompressed = compresses && headers['accept-encoding'] === 'gzip'
    if (isCompressed) response.setHeader('content-encoding', 'gzip')
    response.end(isCompressed ? gzipSync(whole) : whole)
  }

/** Sends half and cuts the connection. */
const breaksOff = (_: Asked, response: ServerResponse) => {
  response.write(whole.slice(0, whole.length / 2), () => response.socket?.destroy())
}

const range = ['--from', '2026-11-20T09:00:00Z', '--to', '2026-11-20T10:00:00Z']

t.test('an export goes to standard output as it came', async t => {
  const api = await fakeApi(t, sends())
  const result = await api.run(['export', 'logs', ...range])
  t.match(result, { code: 0, complained: '' })
  t.equal(result.printed, whole)
  t.match(api.asked, [
    {
      method: 'POST',
      path: '/api/v1/query/logs/export',
      headers: { authorization: 'Bearer a-key', accept: 'application/x-ndjson' },
      body: {
        query: 'logs',
        startTime: Date.parse('2026-11-20T09:00:00Z'),
        endTime: Date.parse('2026-11-20T10:00:00Z'),
      },
    },
  ])
  await api.run(['export', 'logs', ...range, '--format', 'csv'])
  t.equal(api.asked[1]?.headers.accept, 'text/csv')
})

t.test('a file appears when all is there, and replaces what it was', async t => {
  const api = await fakeApi(t, sends())
  const dir = t.testdir({ old: 'what was there' })
  for (const name of ['new', 'old']) {
    const result = await api.run(['export', 'logs', ...range, '--output', `${dir}/${name}`])
    t.match(result, { code: 0, printed: '', complained: /wrote 5,000 records, \d+\.\d KiB, to / })
    t.equal(readFileSync(`${dir}/${name}`, 'utf8'), whole)
  }
  t.same(readdirSync(dir).sort(), ['new', 'old'])

  const quiet = await api.run(['export', 'logs', ...range, '--quiet', '--output', `${dir}/new`])
  t.match(quiet, { code: 0, complained: '' })
})

t.test('a link is kept, and what it points to is replaced', async t => {
  const api = await fakeApi(t, sends())
  const dir = t.testdir({ target: 'old' })
  symlinkSync('target', `${dir}/link`)
  t.match(await api.run(['export', 'logs', ...range, '--output', `${dir}/link`]), { code: 0 })
  t.equal(readlinkSync(`${dir}/link`), 'target')
  t.equal(readFileSync(`${dir}/target`, 'utf8'), whole)
})

t.test('a device is written and not replaced', async t => {
  const api = await fakeApi(t, sends())
  t.match(await api.run(['export', 'logs', ...range, '--output', '/dev/null']), { code: 0 })
  t.notOk(existsSync('/dev/null.partial'))
})

t.test('--gzip writes what was compressed on the way, or compresses it here', async t => {
  for (const compresses of [true, false]) {
    const api = await fakeApi(t, sends(compresses))
    const dir = t.testdir()
    const argv = ['export', 'logs', ...range, '--gzip', '--output', `${dir}/a.gz`]
    t.match(await api.run(argv), { code: 0 })
    t.equal(api.asked[0]?.headers['accept-encoding'], 'gzip')
    t.equal(gunzipSync(readFileSync(`${dir}/a.gz`)).toString(), whole)
  }
})

t.test('an export that breaks off fails, and its file does not look whole', async t => {
  const api = await fakeApi(t, breaksOff)
  const dir = t.testdir({ old: 'what was there' })
  for (const flags of [[], ['--gzip'], ['--format=csv']]) {
    const result = await api.run(['export', 'logs', ...range, ...flags, '--output', `${dir}/old`])
    t.match(result, { code: 1, complained: /broke off after .*old\.partial/ })
    t.equal(readFileSync(`${dir}/old`, 'utf8'), 'what was there')
  }
  t.match(await api.run(['export', 'logs', ...range]), { code: 1, complained: /broke off/ })
})

t.test('an interrupt leaves no file that looks whole', async t => {
  const dir = t.testdir()
  const terminal: { now?: ReturnType<typeof fakeTerminal> } = {}
  const api = await fakeApi(t, (_, response) => {
    response.write(whole.slice(0, 1000), () => terminal.now?.interrupt.abort())
  })
  const environment = { LOGSTRATA_URL: api.url, LOGSTRATA_KEY: 'a-key' }
  terminal.now = fakeTerminal({ environment })
  const argv = ['export', 'logs', ...range, '--output', `${dir}/a`]
  t.match(await api.run(argv, { terminal: terminal.now }), { code: 130 })
  t.notOk(existsSync(`${dir}/a`))
})

t.test('a refusal makes no file', async t => {
  const problem = { code: 'query_syntax', detail: 'x', position: { offset: 4 } }
  const api = await fakeApi(t, (_, response) => refuse(response, 400, problem))
  const dir = t.testdir()
  const result = await api.run(['export', 'logs}', ...range, '--output', `${dir}/a`])
  t.match(result, { code: 2, complained: /logs}\n {6}\^/ })
  t.same(readdirSync(dir), [])
})

t.test('a file that cannot be written is named', async t => {
  const api = await fakeApi(t, sends())
  const dir = t.testdir()
  const result = await api.run(['export', 'logs', ...range, '--output', `${dir}/no/a`])
  t.match(result, { code: 1, complained: /cannot write ".*no\/a\.partial" \(ENOENT\)/ })
})

t.test('on a terminal nothing in an export can act on it', async t => {
  const shows = async (format: string, sent: string, expected: string) => {
    const api = await fakeApi(t, (_, response) => {
      // Cut in the middle of a character, and between CR and LF.
      for (const byte of Buffer.from(sent)) response.write(Buffer.of(byte))
      response.end()
    })
    const terminal = fakeTerminal({
      environment: { LOGSTRATA_URL: api.url, LOGSTRATA_KEY: 'a-key' },
    })
    Object.assign(terminal.stdout, { isTTY: true })
    const argv = ['export', 'logs', ...range, '--format', format]
    t.match(await api.run(argv, { terminal }), { code: 0, printed: expected })
    t.match(await api.run([...argv, '--gzip'], { terminal }), { code: 2 })
  }

  await shows('ndjson', '{"message":"é\u009b2J"}\n', '{"message":"é\\u009b2J"}\n')
  await shows('csv', 'message\r\n"é\x1b[2J\rx\ny"\r\n', 'message\n"é\\x1b[2J\\rx\ny"\n')
})
