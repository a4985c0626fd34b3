import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { parseEvent } from '../../src/ingest/json.ts'
import { findMistake } from '../../src/ingest/locate.ts'
import { findBadUtf8 } from '../../src/ingest/position.ts'
import { limits } from '../../src/limits.ts'
import { anyCodePoint } from '../any-code-point.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'

t.test('any JSON value is read as JSON.parse reads it', async t => {
  const reads = (text: string) =>
    t.strictSame(parseEvent(Buffer.from(text)), JSON.parse(text), text.slice(0, 40))

  reads('null')
  reads('true')
  reads('0')
  reads('""')
  reads('"grüße 🎉"')
  reads('[]')
  reads(' \r\n\t{"a":[1,{"b":null}]} \n')
  reads('{"a":1,"a":2}')
  reads(`${'['.repeat(limits.eventDepthMax)}${']'.repeat(limits.eventDepthMax)}`)
  reads(`"${'[{'.repeat(1000)}"`)
  reads('"\\"[[[[\\\\"')
  reads('"\\u0000\\ud83c\\udf89 \\\\ud800 \\ud7ff \\ue000"')
})

t.test('a byte order mark is skipped', async t => {
  t.strictSame(parseEvent(Buffer.from('\ufeff{"a":1}')), { a: 1 })
})

t.test('any JSON is read as JSON.parse reads it', async () => {
  forAll(longRuns(300), fc.jsonValue({ stringUnit: anyCodePoint }), value => {
    const text = JSON.stringify(value, null, 1)
    assert.deepStrictEqual(parseEvent(Buffer.from(text)), JSON.parse(text))
  })
})

t.test('a body without a value is refused', async t => {
  for (const body of ['', ' ', '\r\n\t ', '\ufeff', '\ufeff \n']) {
    t.throws(() => parseEvent(Buffer.from(body)), { code: 'body_empty' }, JSON.stringify(body))
  }
})

t.test('bytes that are not UTF-8 are refused before all else, with their place', async t => {
  const refuses = (bytes: readonly number[], offset: number) => {
    const expected = { code: 'utf8_invalid', extras: { position: { offset } } }
    t.throws(() => parseEvent(Buffer.from(bytes)), expected, Buffer.from(bytes).toString('hex'))
  }

  refuses([0x22, 0xff, 0x22], 1)
  refuses([0x22, 0x61, 0xc3, 0x22], 2)
  refuses([0x22, 0xc0, 0x80, 0x22], 1) // An overlong NUL.
  refuses([0x22, 0xed, 0xa0, 0x80, 0x22], 1) // A surrogate.
  refuses([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 1) // Past U+10FFFF.
  refuses([0x22, 0xe2, 0x82], 1)
  refuses([0xff, 0xfe, 0x7b, 0x00], 0) // UTF-16.
  refuses([0x7b, 0x7d, 0x20, 0x80], 3) // After the value.
  refuses([0x22, 0x5c, 0xff, 0x22], 2) // After a backslash.
  refuses([...Buffer.from('['.repeat(100)), 0xff], 100)
})

t.test('the place of bad UTF-8 is where a decoder that is fatal about it gives up', async () => {
  const bytes = fc.uint8Array({ maxLength: 12 })
  const multiByte = fc.constantFrom(...['é', '€', '🎉', '\u07ff', '\ud7ff', '\uffff'])
  forAll(longRuns(1000), fc.array(fc.oneof(bytes, multiByte), { maxLength: 6 }), parts => {
    const body = Buffer.concat(parts.map(part => Buffer.from(part as string)))
    const offset = findBadUtf8(body, 0, body.length)
    const isSound = (end: number) => !body.subarray(0, end).toString('utf8').includes('\ufffd')
    if (body.includes('\ufffd')) {
      return true
    }
    return offset < 0 ? isSound(body.length) : isSound(offset) && !isSound(body.length)
  })
})

t.test('half of a surrogate pair is refused, with its place', async t => {
  const refuses = (text: string, offset: number) =>
    t.throws(
      () => parseEvent(Buffer.from(text)),
      { code: 'utf8_invalid', extras: { position: { offset } } },
      text,
    )

  refuses('"\\ud800"', 1)
  refuses('"\\uDFFF"', 1)
  refuses('"\\udf89\\ud83c"', 1)
  refuses('"\\ud83c\\ud83c\\udf89"', 1)
  refuses('"\\ud83c\\udf89\\ud83c"', 13)
  refuses('"\\\\\\ud800"', 3)
  refuses('"é\\ud800"', 3)
  refuses('{"\\ud800":1}', 2)
})

t.test('nesting beyond the limit is refused before it is parsed', async t => {
  const refuses = (text: string, offset: number) =>
    t.throws(
      () => parseEvent(Buffer.from(text)),
      { code: 'json_too_deep', extras: { position: { offset } } },
      text.slice(0, 20),
    )

  refuses('['.repeat(65), 64)
  refuses(`${'['.repeat(65)}${']'.repeat(65)}`, 64)
  refuses('{"a":'.repeat(65), 320)
  refuses(`["]]]",${'['.repeat(64)}`, 70)
  refuses('['.repeat(1024 * 1024), 64)
})

t.test('bad JSON is refused with line, column and byte', async t => {
  const refuses = (text: string, line: number, column: number, offset: number) =>
    t.throws(
      () => parseEvent(Buffer.from(text)),
      { code: 'json_invalid', extras: { position: { line, column, offset } } },
      JSON.stringify(text),
    )

  refuses('{', 1, 2, 1)
  refuses('{"a":', 1, 6, 5)
  refuses('{"a" 1}', 1, 6, 5)
  refuses('{"a":1,}', 1, 8, 7)
  refuses('{a:1}', 1, 2, 1)
  refuses("{'a':1}", 1, 2, 1)
  refuses('[1,]', 1, 4, 3)
  refuses('[1 2]', 1, 4, 3)
  refuses('[1,2', 1, 5, 4)
  refuses('[1}', 1, 3, 2)
  refuses(']', 1, 1, 0)
  refuses('1 2', 1, 3, 2)
  refuses('{} {}', 1, 4, 3)
  refuses('01', 1, 2, 1)
  refuses('-', 1, 2, 1)
  refuses('1.', 1, 3, 2)
  refuses('1e+', 1, 4, 3)
  refuses('.5', 1, 1, 0)
  refuses('+1', 1, 1, 0)
  refuses('NaN', 1, 1, 0)
  refuses('nul', 1, 4, 3)
  refuses('tru}', 1, 4, 3)
  refuses('undefined', 1, 1, 0)
  refuses('"abc', 1, 5, 4)
  refuses('"a\nb"', 1, 3, 2)
  refuses('"a\tb"', 1, 3, 2)
  refuses('"\\x"', 1, 3, 2)
  refuses('"\\u12"', 1, 6, 5)
  refuses('"\\', 1, 3, 2)
  refuses('{"a":1}\u00a0', 1, 8, 7)
  refuses('{\n  "a": 1,\n  "b": oops\n}', 3, 8, 19)
  refuses('{"größe 🎉": oops}', 1, 13, 17)
  refuses('{"ö":\r\n"🎉",}', 2, 5, 15)
  refuses('\ufeff{"a":}', 1, 6, 8)
})

t.test('a text cut off anywhere is refused at its end', async t => {
  const text = Buffer.from('{"a":[1,-2.5e3,true,null,"x\\n\\u00e9"],"b":{"c":false}}')
  for (let length = 1; length < text.length; length += 1) {
    t.throws(
      () => parseEvent(text.subarray(0, length)),
      { code: 'json_invalid', extras: { position: { offset: length } } },
      text.toString('utf8', 0, length),
    )
  }
})

t.test('the grammar that finds mistakes agrees with JSON.parse on any text', async () => {
  const piece = fc.constantFrom(
    ...'{ } [ ] , : " \\ 0 1 - + . e E t true false null "a" "\\u00e9" \\u12 \n x é'.split(' '),
  )
  const noise = fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join(''))
  const damaged = fc.tuple(fc.json(), fc.nat(), fc.nat(3), piece).map(([text, at, cut, insert]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + insert + text.slice(place + cut)
  })
  forAll(longRuns(3000), fc.oneof(noise, damaged), text => {
    const body = Buffer.from(text)
    const mistake = findMistake(body, 0, body.length)
    const message = engineMessage(text)
    assert.equal(mistake === undefined, message === undefined, message)
    const place = / at position (\d+)/.exec(message ?? '')
    if (place !== null && mistake !== undefined) {
      const bytes = Buffer.byteLength(text.slice(0, Number(place[1])))
      assert.equal(mistake.offset, bytes, message)
    }
  })
})

function engineMessage(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
