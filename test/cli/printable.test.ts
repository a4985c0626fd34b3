import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { jsonLine, printable, printableJson, printableLines } from '../../src/cli/printable.ts'

t.test('what could act on a terminal is shown as an escape', async t => {
  const shows = (text: string, expected: string) => t.equal(printable(text), expected)

  shows('plain text, größer 日本 🎉', 'plain text, größer 日本 🎉')
  shows('\x1b[31mred\x1b]0;title\x07', '\\x1b[31mred\\x1b]0;title\\x07')
  shows('\x9b2J\x7f', '\\u009b2J\\x7f')
  shows('two\nlines\r\tand a tab', 'two\\nlines\\r\\tand a tab')
  shows('\u202Etxt.exe\u2066\u200f', '\\u202etxt.exe\\u2066\\u200f')
  shows('half \ud83d of a pair', 'half \\ud83d of a pair')
  t.equal(printableLines('a\nb\x1b\r\n'), 'a\nb\\x1b\\r\n')
})

const anyText = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map(code => String.fromCharCode(code)),
    fc.constantFrom('\x1b', '\x9b', '\u202e', '\n', 'a', '"', '\\'),
  ),
})

t.test('no text at all leaves a control character behind', async () => {
  const control = /[^\P{Cc}]|[\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u
  fc.assert(
    fc.property(anyText, text => {
      assert.doesNotMatch(printable(text), control)
      assert.doesNotMatch(printableLines(text).replaceAll('\n', ''), control)
    }),
  )
})

t.test('JSON stays the same JSON, and is on one line', async () => {
  fc.assert(
    fc.property(fc.dictionary(anyText, anyText), value => {
      const line = jsonLine(value)
      assert.deepEqual({ ...JSON.parse(line) }, { ...value })
      assert.equal(printable(line.slice(0, -1)), line.slice(0, -1))
      const pretty = JSON.stringify(value, null, 2)
      assert.deepEqual({ ...JSON.parse(printableJson(pretty)) }, { ...value })
    }),
  )
})
