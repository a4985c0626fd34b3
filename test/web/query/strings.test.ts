import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { parseSingle } from '../../../src/language/grammar.ts'
import { labelText, quoted, unquoted } from '../../../src/web/query/strings.ts'
import { anyCodePoint } from '../../any-code-point.ts'

t.test('a quoted text reads as itself, here and by the service', async () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), text => {
      fc.pre(text.isWellFormed())
      assert.equal(unquoted(quoted(text)), text)
      const { selector } = parseSingle(`logs |= ${quoted(text)}`)
      assert.equal(selector.filters[0]?.text, text)
    }),
  )
})

t.test('a label is written so that the service reads it', async () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), label => {
      const { selector } = parseSingle(`logs{${labelText(label)}="x"}`)
      assert.equal(selector.matchers[0]?.label, label)
    }),
  )
})

t.test('a string that is still being typed reads as far as it goes', async t => {
  t.equal(unquoted('"err'), 'err')
  t.equal(unquoted('"'), '')
  t.equal(unquoted('"a\\"'), 'a"')
  t.equal(unquoted('"a\\\\"'), 'a\\')
  t.equal(unquoted('"a\\'), 'a')
  t.equal(unquoted('"a\\u00'), 'a')
  t.equal(unquoted("'it\\u0027s'"), "it's")
  t.equal(unquoted('`a\\n`'), 'a\\n')
})
