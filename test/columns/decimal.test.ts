import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { decimalOf, parseDecimal } from '../../src/columns/decimal.ts'
import { forAll } from '../for-all.ts'

function parse(text: string): number {
  const bytes = Buffer.from(`9${text}9`)
  return parseDecimal(bytes, 1, bytes.length - 1)
}

t.test('every number that JavaScript writes is read back', async () => {
  forAll({ numRuns: 3_000 }, fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
    assert.equal(parse(String(value)), value + 0)
    assert.equal(decimalOf(String(value)), value + 0)
  })
})

t.test('digits are read as Number reads them, however many there are', async () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 40 })
  const exponent = fc.integer({ min: -330, max: 290 }).map(value => `e${value}`)
  forAll(
    { numRuns: 3_000 },
    fc.constantFrom('', '-', '+'),
    digits,
    fc.option(digits, { nil: undefined }),
    fc.option(exponent, { nil: '' }),
    (sign, whole, fraction, exponent) => {
      const text = `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${exponent}`
      const value = Number(text) + 0
      const expected = Number.isFinite(value) ? value : Number.NaN
      assert.equal(parse(text), expected, text)
      assert.equal(decimalOf(text), expected, text)
    },
  )
})

t.test('numbers of all forms are read', async t => {
  const reads = (text: string, value: number) => {
    t.equal(parse(text), value, text)
    t.equal(decimalOf(text), value, text)
  }

  reads('0', 0)
  reads('-0', 0)
  reads('-0.0', 0)
  reads('007', 7)
  reads('+3', 3)
  reads('.5', 0.5)
  reads('5.', 5)
  reads('-.25', -0.25)
  reads('1e3', 1_000)
  reads('1E-2', 0.01)
  reads('9007199254740993', 9007199254740992)
  reads('0.1234567890123456789', 0.12345678901234568)
  reads(`0.${'0'.repeat(30)}1`, 1e-31)
  reads('1e-999', 0)
})

t.test('other texts are not numbers', async t => {
  const refuses = (text: string) => {
    t.ok(Number.isNaN(parse(text)), JSON.stringify(text))
    t.ok(Number.isNaN(decimalOf(text)), JSON.stringify(text))
  }

  for (const text of ['', '.', '-', '+', 'e3', '1e', '1e+', '1.2.3', '--1', '+-1']) refuses(text)
  for (const text of [' 1', '1 ', '1_000', '1,5', '0x10', '0b1', '1n', '12ms', '1s']) refuses(text)
  for (const text of ['null', 'NaN', 'Infinity', '-Infinity', 'Inf', '1e999', '٣', '１'])
    refuses(text)
  refuses('1'.repeat(2_000))
  refuses('1\n')
})
