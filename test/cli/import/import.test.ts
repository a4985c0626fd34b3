import { Readable } from 'node:stream'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { runImport } from '../../../src/cli/import/import.ts'
import { fakeService } from '../fake-service.ts'
import { fakeTerminal, pipe } from '../fake-terminal.ts'

type Service = { readonly url: string }

/** Imports as the command line would, with a token. Returns the exit code and the JSON summary. */
async function run(service: Service, argv: readonly string[], stdin?: Readable) {
  const terminal = fakeTerminal({
    environment: { LOGSTRATA_URL: service.url, LOGSTRATA_TOKEN: 'a-token' },
    ...(stdin === undefined ? {} : { stdin }),
  })
  const code = await runImport(['--json', ...argv], terminal)
  return { code, summary: JSON.parse(terminal.printed()), complained: terminal.complained() }
}

t.test('lines of NDJSON arrive as they are, in order, with the token', async t => {
  const service = await fakeService(t)
  const dir = t.testdir({ 'a.ndjson': '{"a":1}\n{"a":2}\n', 'b.ndjson': '{"b":1}' })
  const { code, summary } = await run(service, [`${dir}/a.ndjson`, `${dir}/b.ndjson`])

  t.equal(code, 0)
  t.match(summary, { files: 2, accepted: 3, rejected: 0, rejections: [], ended: 'done' })
  t.same(service.lines(), ['{"a":1}', '{"a":2}', '{"b":1}'])
  t.match(service.received[0], {
    url: '/api/v1/webhook/event/logs',
    headers: { authorization: 'Bearer a-token', 'content-type': 'application/x-ndjson' },
  })
})

t.test('lines of text become messages, whatever they hold', async t => {
  const service = await fakeService(t)
  const sends = async (text: string | Buffer, messages: string[]) => {
    service.received.length = 0
    const { code } = await run(service, ['-'], pipe(text))
    t.equal(code, 0)
    t.same(
      service.lines().map(line => JSON.parse(line)),
      messages.map(message => ({ message })),
    )
  }

  await sends('one\ntwo\n', ['one', 'two'])
  await sends('one\r\ntwo', ['one', 'two'])
  await sends('one\n\n  \n\t\ntwo\n\n', ['one', 'two'])
  await sends('  indented "quoted" \\ \u001b[31mred\u0000', [
    '  indented "quoted" \\ \u001b[31mred\u0000',
  ])
  await sends('\ufeffmarked\n', ['marked'])
  await sends('größer 日本 🎉\n', ['größer 日本 🎉'])
  await sends('[2026-11-20] info\n{not json}\n', ['[2026-11-20] info', '{not json}'])
})

t.test('an import of nothing sends nothing and succeeds', async t => {
  const service = await fakeService(t)
  const dir = t.testdir({ empty: '', blank: '\n\n' })
  t.match(await run(service, [`${dir}/empty`, `${dir}/blank`]), {
    code: 0,
    summary: { files: 2, accepted: 0 },
  })
  t.same(service.received, [])
})

t.test('batches keep to their size, and a longer line goes alone', async t => {
  const service = await fakeService(t)
  const long = JSON.stringify({ message: 'x'.repeat(3000) })
  const short = JSON.stringify({ message: 'y'.repeat(300) })
  const text = [short, short, short, short, long, short].join('\n')
  const { summary } = await run(service, ['--batch-bytes', '1KiB', '-'], pipe(text))

  t.equal(summary.accepted, 6)
  t.same(
    service.received.map(({ lines }) => lines.map(line => line.length)),
    [[short.length, short.length, short.length], [short.length], [long.length], [short.length]],
  )
})

t.test('a batch has at most 10000 lines', async t => {
  const service = await fakeService(t)
  await run(service, ['-'], pipe(`{}\n`.repeat(20_001)))
  t.same(
    service.received.map(({ lines }) => lines.length),
    [10_000, 10_000, 1],
  )
})

t.test('rejected lines are named by file and line, over batches and empty lines', async t => {
  const service = await fakeService(t)
  const pad = JSON.stringify({ pad: 'x'.repeat(1000) })
  const dir = t.testdir({
    'a.ndjson': `${pad}\n\nnot json\n${pad}\n\n{"torn":\n${pad}\n[1, 2]\n[1, 2\n${pad}\n`,
  })
  const { code, summary } = await run(service, ['--batch-bytes=1KiB', `${dir}/a.ndjson`])

  t.equal(code, 1)
  t.match(summary, { accepted: 5, rejected: 3 })
  t.same(
    summary.rejections.map(({ file, line, code }: Record<string, unknown>) => [file, line, code]),
    [
      [`${dir}/a.ndjson`, 3, 'json_invalid'],
      [`${dir}/a.ndjson`, 6, 'json_invalid'],
      [`${dir}/a.ndjson`, 9, 'json_invalid'],
    ],
  )
  t.ok(service.lines().includes('{"message":[1, 2]}'), 'an array as an event is not many events')
})

t.test('bytes that are not UTF-8 are replaced and counted', async t => {
  const service = await fakeService(t)
  const text = Buffer.from('caf\xe9\nplain\n', 'latin1')
  const { code, summary } = await run(service, ['-'], pipe(text))
  t.match({ code, ...summary }, { code: 0, accepted: 2, repairedLines: 1 })
  t.same(service.lines(), ['{"message":"caf\ufffd"}', '{"message":"plain"}'])

  service.received.length = 0
  const json = Buffer.from('{"a":"\xe9"}\n', 'latin1')
  t.match((await run(service, ['-'], pipe(json))).summary, { repairedLines: 1 })
  t.same(service.lines(), ['{"a":"\ufffd"}'])
})

t.test('compressed files are decompressed, by their bytes and not their names', async t => {
  const service = await fakeService(t)
  const dir = t.testdir({
    'a.log.1.gz': gzipSync('{"a":1}\n'),
    'two-members': Buffer.concat([gzipSync('{"b":1}\n'), gzipSync('{"b":2}\n')]),
    'c.zst': zstdCompressSync('{"c":1}\n'),
    'two-frames': Buffer.concat([zstdCompressSync('{"c":2}\n'), zstdCompressSync('{"c":3}\n')]),
    'plain.gz': '{"d":1}\n',
  })
  const files = ['a.log.1.gz', 'two-members', 'c.zst', 'two-frames', 'plain.gz'].map(
    name => `${dir}/${name}`,
  )
  t.equal((await run(service, files)).code, 0)
  t.same(service.lines(), [
    '{"a":1}',
    '{"b":1}',
    '{"b":2}',
    '{"c":1}',
    '{"c":2}',
    '{"c":3}',
    '{"d":1}',
  ])
})

t.test('a compressed file that is cut short keeps its beginning and is named', async t => {
  const service = await fakeService(t)
  const lines = Array.from({ length: 50_000 }, (_, n) => `{"n":${n ** 5}}\n`).join('')
  for (const [name, compress] of Object.entries({ gz: gzipSync, zst: zstdCompressSync })) {
    const whole = compress(lines)
    const dir = t.testdir({ [`cut.${name}`]: whole.subarray(0, whole.length / 2) })
    const { code, summary } = await run(service, [`${dir}/cut.${name}`])
    t.equal(code, 1)
    t.match(summary, { ended: 'failed', error: /cut\.g?zs?t?: the compressed data ends too early/ })
    t.ok(summary.accepted >= 10_000)
    t.equal(summary.stoppedAt.line, summary.accepted)
  }
})

t.test('--gzip compresses requests, --timestamp-field names the field', async t => {
  const service = await fakeService(t)
  const argv = ['--gzip', '--timestamp-field', 'time & place', '-']
  t.match(await run(service, argv, pipe('{"a":1}\n')), { code: 0 })
  t.match(service.received, [
    {
      url: '/api/v1/webhook/event/logs?timestamp_field=time+%26+place',
      headers: { 'content-encoding': 'gzip' },
      lines: ['{"a":1}'],
    },
  ])
})

t.test('what stands in a live pipe is sent before the pipe ends', async t => {
  const stdin = new Readable({ read() {} })
  const service = await fakeService(t, () => {
    stdin.push(null) // The import would wait for ever if the first line were not sent by itself.
    return false
  })
  stdin.push('first\nsecond')
  t.match(await run(service, ['-'], stdin), { code: 0, summary: { accepted: 2 } })
  t.same(
    service.received.map(({ lines }) => lines),
    [['{"message":"first"}'], ['{"message":"second"}']],
  )
})

t.test('a file that cannot be imported stops everything before anything is sent', async t => {
  const service = await fakeService(t)
  const dir = t.testdir({ good: 'line\n', directory: {} })
  const refuses = async (file: string, error: RegExp) => {
    const result = await run(service, [`${dir}/good`, file])
    t.match(result, { code: 1, summary: { ended: 'failed', error }, complained: error })
    t.same(service.received, [])
  }

  await refuses(`${dir}/missing`, /missing: there is no such file/)
  await refuses(`${dir}/directory`, /directory is a directory/)
})

t.test('a file of a form that lines cannot hold is refused with a way out', async t => {
  const service = await fakeService(t)
  const refuses = async (text: string | Buffer, error: RegExp, ...argv: string[]) =>
    t.match(await run(service, [...argv, '-'], pipe(text)), {
      code: 1,
      summary: { ended: 'failed', error, accepted: 0 },
    })

  await refuses('[\n{"a":1},\n{"a":2}\n]\n', /jq/)
  await refuses('[{"a":1},{"a":2}]', /jq/)
  await refuses('{\n  "a": 1\n}\n', /jq/)
  await refuses(Buffer.from('\ufeffa\n', 'utf16le'), /UTF-16/)
  await refuses('plain text\n', /no field "time"/, '--timestamp-field', 'time')
  t.same(service.received, [])
})
