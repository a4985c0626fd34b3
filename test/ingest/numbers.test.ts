import fc from 'fast-check'
import t from 'tap'
import { parseEvent } from '../../src/ingest/json.ts'
import { normalise } from '../../src/ingest/normalise.ts'
import { isExact } from '../../src/ingest/numbers.ts'
import { forAll } from '../for-all.ts'

const read = (text: string) =>
  normalise(parseEvent(Buffer.from(text)), { receivedAt: 0, timestampField: undefined })

t.test('a number keeps its digits wherever it ends up', async t => {
  const keeps = (digits: string) => {
    t.equal(read(`{"id":${digits}}`).attributes[1], digits, `${digits} as an attribute`)
    t.equal(read(`{"a":{"id":${digits}}}`).attributes[1], digits, `${digits} nested`)
    t.equal(read(`{"a":[1,{"b":${digits}}]}`).attributes[1], `[1,{"b":${digits}}]`)
    t.equal(read(`{"id": ${digits}}`).message, `{"id":${digits}}`, `${digits} in the message`)
    t.equal(read(`{"message":${digits}}`).message, digits, `${digits} as the message`)
    t.equal(read(digits).message, digits, `${digits} as the whole event`)
  }

  keeps('9007199254740991')
  keeps('9007199254740992')
  keeps('9007199254740993')
  keeps('-9007199254740993')
  keeps('1686026893735321098')
  keeps('123456789012345678901234567890')
  keeps('100000000000000000000000000000')
  keeps('1e400')
  keeps('-1E+400')
  keeps('1e-400')
  keeps('3.14159265358979323846')
  keeps('0.1000000000000000055511151231257827')
  keeps('123456789.1234567890')
  keeps('0.30000000000000004')
})

t.test('other numbers are written as JavaScript writes them', async t => {
  const becomes = (source: string, text: string) =>
    t.equal(read(`{"n":${source}}`).attributes[1], text, source)

  becomes('0', '0')
  becomes('-0', '0')
  becomes('1.0', '1')
  becomes('1.50', '1.5')
  becomes('1e3', '1000')
  becomes('1E-7', '1e-7')
  becomes('-12.5', '-12.5')
  becomes('999999999999999', '999999999999999')
})

t.test('one long number does not change how the others are written', async t => {
  t.strictSame(read('{"a":1.0,"id":9007199254740993,"b":1e3,"c":"1e400"}').attributes, [
    ...['a', '1'],
    ...['id', '9007199254740993'],
    ...['b', '1000'],
    ...['c', '1e400'],
  ])
})

t.test('keys that mean something to JavaScript survive beside a long number', async t => {
  const event = '{"__proto__":9007199254740993,"constructor":{"toString":1e400},"rawJSON":"x"}'
  t.strictSame(read(event).attributes, [
    ...['__proto__', '9007199254740993'],
    ...['constructor.toString', '1e400'],
    ...['rawJSON', 'x'],
  ])
})

t.test('any integer keeps its digits', async () => {
  forAll(fc.bigInt(), integer => {
    return read(`{"id":${integer}}`).attributes[1] === String(integer)
  })
})

t.test('a number that counts as exact says the same after a double', async () => {
  const digits = fc.stringMatching(/^[0-9]{1,17}$/)
  const exponent = fc.integer({ min: -330, max: 330 })
  forAll({ numRuns: 2000 }, digits, digits, fc.option(exponent), (integer, fraction, power) => {
    const source = `${BigInt(integer)}.${fraction}${power === null ? '' : `e${power}`}`
    return !isExact(source) || decimalOf(String(Number(source))) === decimalOf(source)
  })
})

/** The value of a decimal number as `digits e power`, without zeros at either end. */
function decimalOf(text: string): string {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e')
  const [integer = '', fraction = ''] = mantissa.split('.')
  const digits = (integer + fraction).replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  const shift = Number(power) - fraction.length + (digits.length - trimmed.length)
  return trimmed === '' ? '0' : `${trimmed}e${shift}`
}
