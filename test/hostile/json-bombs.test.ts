/**
 * Bodies made to stall or to confuse: each costs only itself, is refused by name and place, and holds
 * nobody up. The service is a process of its own; delays are seen by another client.
 */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { startServiceOf } from '../service/service-process.ts'

const service = await startServiceOf(t, t.testdir())
const token = await service.makeToken()
const one = '/api/v1/webhook/event/log'
const many = '/api/v1/webhook/event/logs'
const mib = 1024 * 1024

const deep = (open: string, close: string, depth: number) =>
  open.repeat(depth) + close.repeat(depth)
const wide = (count: number) =>
  `{${Array.from({ length: count }, (_, i) => `"k${i}":${i}`).join(',')}}`

/** Text of one event, and the code with which it is refused; undefined when it is taken. */
const bombs: Readonly<Record<string, readonly [string | Buffer, string | undefined]>> = {
  'half a million brackets': ['['.repeat(500_000), 'json_too_deep'],
  'half a million braces': ['{"a":'.repeat(100_000), 'json_too_deep'],
  'a nest that closes': [deep('[', ']', 100_000), 'json_too_deep'],
  'a hundred thousand keys': [wide(60_000), 'attributes_too_many'],
  'a key of half a megabyte': [`{"${'k'.repeat(500_000)}":1}`, 'attribute_too_large'],
  'a value of a megabyte': [`{"a":"${'x'.repeat(900_000)}"}`, 'attribute_too_large'],
  'a message of nearly a megabyte': [`{"message":"${'x'.repeat(900_000)}"}`, undefined],
  'the same key for ever': [`{${'"a":1,'.repeat(100_000)}"a":2}`, undefined],
  'half of a surrogate pair': ['{"a":"\\ud800"}', 'utf8_invalid'],
  'bad UTF-8': [Buffer.from('{"a":"\xff"}', 'latin1'), 'utf8_invalid'],
  'a number of a hundred thousand digits': [`{"a":${'9'.repeat(100_000)}}`, undefined],
  'a number beyond all numbers': ['{"a":1e400,"b":-0,"c":1e-400}', undefined],
  'NUL in a string': ['{"a":"\\u0000"}', undefined],
  'NUL in the text': ['{"a":"\0"}', 'json_invalid'],
  'a hundred thousand escapes': [`{"a":"${'\\u0041'.repeat(40_000)}"}`, undefined],
  'names of the language': [
    '{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}},"toString":1,"toJSON":1,"then":1}',
    undefined,
  ],
}

t.test('each bomb is taken or refused by name, alone and among others', async t => {
  for (const [name, [text, code]] of Object.entries(bombs)) {
    const body = Buffer.from(text as string)
    const alone = await service.call('POST', one, { token, body })
    t.equal(alone.status, code === undefined ? 200 : 400, name)
    if (code !== undefined) t.equal(alone.body.code, code, name)
    if (name === 'half a million brackets' || name === 'half a million braces') continue
    // An unclosed nest takes what follows with it; every other bomb costs only its line.
    const lines = [
      Buffer.from('{"message":"before"}\n'),
      body,
      Buffer.from('\n{"message":"after"}'),
    ]
    const among = await service.call('POST', many, { token, body: Buffer.concat(lines) })
    const rejected = code === undefined ? 0 : 1
    t.match(among.body, { accepted: 3 - rejected, rejected }, `${name}, among others`)
    if (code !== undefined) t.match(among.body.errors, [{ index: 1, code }], name)
  }
})

t.test('names of the language are only names', async t => {
  const query = 'logs{toJSON="1", then="1", toString="1"}'
  const { body } = await service.query(query)
  t.equal(body.count, 2)
  t.equal(body.logs[0].attributes['__proto__.x'], '1')
  t.equal(body.logs[0].attributes['constructor.prototype.y'], '1')
  t.equal((await service.query('count(logs{x!=""})')).body.count, 0, 'nobody else has got them')
})

t.test('a bomb that is compressed goes no further than the limit', async t => {
  const zeros = Buffer.alloc(100 * mib, ' ')
  for (const [encoding, body] of [
    ['gzip', gzipSync(zeros)],
    ['zstd', zstdCompressSync(zeros)],
  ] as const) {
    for (const path of [one, many]) {
      const headers = { 'content-encoding': encoding }
      const answer = await service.call('POST', path, { token, body, headers })
      t.match(answer, { status: 413, body: { code: 'body_too_large' } }, `${encoding} to ${path}`)
    }
  }
})

t.test('others are answered while bombs come without end', async t => {
  let isOver = false
  const bombard = async () => {
    while (!isOver) {
      for (const [text] of Object.values(bombs)) {
        await service.call('POST', many, { token, body: Buffer.from(text as string) })
      }
    }
  }
  const bombers = Promise.all([bombard(), bombard()])
  const times: number[] = []
  for (let i = 0; i < 30; i++) {
    const startedAt = performance.now()
    t.equal((await service.call('GET', '/health', { token: null })).status, 200)
    times.push(performance.now() - startedAt)
  }
  isOver = true
  await bombers
  // A machine that is busy with other tests has delays of its own: a stall would be ten times this.
  t.ok(Math.max(...times) < 3_000, `${Math.round(Math.max(...times))} ms at most`)
  t.equal(await service.end(), 0)
})
