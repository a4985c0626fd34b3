import t from 'tap'
import { type Batch, type BatchOptions, batchesOf } from '../../../src/cli/import/batches.ts'
import { encoderOf, guessFormat } from '../../../src/cli/import/format.ts'

const defaults: BatchOptions = {
  format: 'auto',
  batchBytes: 1000,
  linesMax: 100,
  lineBytesMax: 50,
  waitMs: 10_000,
  onFormat: () => {},
}

/** The batches of a text that comes in these chunks. */
async function gather(chunks: Iterable<string>, options: Partial<BatchOptions> = {}) {
  async function* bytes() {
    for (const chunk of chunks) {
      yield Buffer.from(chunk)
    }
  }
  const source = { name: 'a.log', chunks: bytes(), bytesRead: () => 0 }
  const batches: Batch[] = []
  for await (const batch of batchesOf(source, { ...defaults, ...options })) {
    batches.push(batch)
  }
  return batches
}

t.test('a line that is too long is rejected in its place, and costs no other', async t => {
  const [batch, ...others] = await gather(['short\n', `${'x'.repeat(51)}\n`, '\nlast'])
  t.same(others, [])
  t.match(batch, {
    lineNumbers: [1, 4],
    lastLine: 4,
    rejections: [{ line: 2, code: 'line_too_long' }],
  })
  t.equal(batch?.body.toString(), '{"message":"short"}\n{"message":"last"}\n')
})

t.test('a batch of rejected lines alone has nothing to send, but still counts', async t => {
  const batches = await gather([`${'x'.repeat(51)}\n`])
  t.match(batches, [{ lineNumbers: [], lastLine: 1, rejections: [{ line: 1 }] }])
  t.equal(batches[0]?.body.length, 0)
})

t.test('the body of a batch is never longer than asked for, if its lines allow it', async t => {
  const batches = await gather([`${'"quoted"\n'.repeat(200)}`])
  t.ok(batches.length > 1)
  for (const { body } of batches) {
    t.ok(body.length <= defaults.batchBytes)
  }
  t.same(
    batches.flatMap(({ lineNumbers }) => lineNumbers),
    Array.from({ length: 200 }, (_, index) => index + 1),
  )
})

t.test('a failing source gives its error, after the batches before it', async t => {
  function* failing() {
    yield 'line\n'.repeat(150)
    throw new Error('disk on fire')
  }
  await t.rejects(gather(failing()), { message: 'disk on fire' })
})

const lines = (texts: string[]) =>
  texts.map((text, index) => ({ number: index + 1, bytes: Buffer.from(text) }))

t.test('the format of a file shows in its first lines', async t => {
  const guesses = (texts: string[], expected: string) =>
    t.equal(guessFormat('a.log', lines(texts)), expected, JSON.stringify(texts))

  guesses(['{"a":1}'], 'ndjson')
  guesses([' {"a":1} '], 'ndjson')
  guesses(['cut off"}', '{"a":1}'], 'ndjson')
  guesses(['{}', '{}', 'not'], 'ndjson')
  guesses(['plain text'], 'text')
  guesses(['42', '"text"', 'null'], 'text')
  guesses(['{"a":1}', 'text', 'text'], 'text')
  guesses(['[error] x', '[error] y'], 'text')
  guesses(['{', 'text'].reverse(), 'text')
  t.equal(guessFormat('a.log', [{ number: 1, bytes: undefined }]), 'text')
})

t.test('a JSON document over several lines, or an array, is no file of lines', async t => {
  const refuses = (texts: string[]) =>
    t.throws(() => guessFormat('a.json', lines(texts)), { name: 'CommandError' })

  refuses(['{', '"a": 1', '}'])
  refuses(['[', '{"a": 1}', ']'])
  refuses(['[{"a": 1}]'])
})

t.test('an array on a line keeps every digit when it is wrapped', async t => {
  const line = Buffer.from(' [12345678901234567890, 1.0]')
  t.match(encoderOf('ndjson')(line), {
    ok: true,
    event: Buffer.from('{"message": [12345678901234567890, 1.0]}'),
  })
  t.match(encoderOf('ndjson')(Buffer.from('[1')), { ok: false, code: 'json_invalid' })
})
