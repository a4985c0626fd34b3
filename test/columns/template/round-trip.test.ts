import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { decimalOf } from '../../../src/columns/decimal.ts'
import { PlainColumn } from '../../../src/columns/plain.ts'
import { encodeTemplate } from '../../../src/columns/template/encode.ts'
import { forAll } from '../../for-all.ts'
import { longRuns, share } from '../../long-runs.ts'
import { bytesOf } from '../arbitraries.ts'
import { columnOfBytes, encodeAnyway, messages, reopenTemplate } from './messages.ts'

function givesBack(list: readonly string[]): void {
  const values = columnOfBytes(list)
  const column = reopenTemplate(encodeAnyway(values), list.length)
  assert.deepEqual(bytesOf(column.toTextColumn()), list)
  const plain = new PlainColumn(values)
  const again = reopenTemplate(encodeAnyway(values), list.length)
  for (let i = list.length - 1; i >= 0; i--) {
    assert.equal(again.textAt(i), plain.textAt(i))
    assert.equal(again.jsonAt(i), JSON.stringify(plain.textAt(i)))
  }
}

t.test('a template column gives back the exact bytes and texts', async () => {
  forAll(longRuns(2_000), messages, list => givesBack(list))
})

t.test('a template column holds unusual messages', async () => {
  givesBack([])
  givesBack([''])
  givesBack(['', '', '1'])
  givesBack(['0', '00', '0 0'])
  givesBack(Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)))
  givesBack([`${'word '.repeat(200_000)}1`, `${'x'.repeat(1_000_000)}`, '7 '.repeat(50_000)])
  givesBack(Array.from({ length: 1_000 }, (_, i) => `${'-'.repeat(i % 300)}${i}`)) // 300 templates.
  givesBack(Array.from({ length: 70_000 }, (_, i) => `row ${i}`)) // More than two bytes can count.
  givesBack(Array.from({ length: 3_000 }, (_, i) => `id ${(i * 2_654_435_761).toString(36)}1x`))
})

t.test('words that vary become variables, so that templates stay few', async t => {
  const users = 'alice bob carol dave erin frank grace heidi'.split(' ')
  const tables = 'orders customers products invoices sessions stock baskets'.split(' ')
  const list = Array.from(
    { length: 2_000 },
    (_, i) =>
      `user ${users[i % 8]} locked ${tables[i % 7]} of ${users[(i >> 3) % 8]} for ${i % 97} ms`,
  )
  const encoded = encodeTemplate(columnOfBytes(list))
  t.equal(encoded?.encoding, 'template')
  t.equal(encoded?.meta, 1)
})

t.test('columns that templates gain nothing for are left to others', async t => {
  const refuses = (list: readonly string[], message: string) =>
    t.equal(encodeTemplate(columnOfBytes(list)), undefined, message)
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index))

  refuses([], 'no values')
  refuses(
    many(100, () => ''),
    'empty values',
  )
  refuses(
    many(100, i => `id${i}`),
    'single words',
  )
  refuses(
    many(5_000, i => '-'.repeat(i)),
    'a template each',
  )
  refuses(
    many(66_000, i => i.toString(2).replaceAll('0', '-').replaceAll('1', '+')).flatMap(text => [
      text,
      text,
      text,
    ]),
    'more templates than two bytes can number',
  )
  refuses(
    many(4, () => '1 '.repeat(300_000)),
    'more slots than a directory should list',
  )
})

t.test('decimal numbers are read from their templates, and their memory can be freed', async t => {
  const list = Array.from({ length: 3_000 }, (_, i) => `${i % 40}.${(i * 7) % 100}`)
  list.push('', '12', '-3.5', '1e3', 'none', '1.2.3', '007', '1.05')
  const column = reopenTemplate(encodeAnyway(columnOfBytes(list)), list.length)
  const expected = list.map(decimalOf)
  t.same([...column.numbers()], expected)
  const heldBytes = column.heldBytes
  t.ok(heldBytes >= 8 * list.length, 'they are kept, and counted')
  column.shed()
  t.ok(column.heldBytes < heldBytes - 8 * list.length)
  t.same([...column.numbers()], expected)
})

/** Texts that a number may be, of one form with other digits each, so that most are one template. */
const arbitraryDecimals = fc
  .tuple(
    fc.constantFrom('', '', '', '-', '+'),
    fc.constantFrom(1, 2, 5, 15, 17, 25),
    fc.constantFrom(0, 0, 1, 2, 6, 23, 330),
    fc.array(fc.tuple(fc.bigInt(0n, 10n ** 20n), fc.nat(10_000)), {
      minLength: 20,
      maxLength: 300,
    }),
    fc.constantFrom('', '', 'e2', '.', '%'),
  )
  .map(([sign, wholeMax, fractionMax, randoms, odd]) =>
    randoms.map(([random, other], i) => {
      const whole = `${random}`.slice(0, 1 + (other % wholeMax)).replace(/^0+(?=.)/, '')
      const digits = `${other}`.padStart(fractionMax, '0').slice(-fractionMax)
      const fraction = fractionMax === 0 ? '' : `.${digits}`
      return `${sign}${whole}${fraction}${i % 40 === 39 ? odd : ''}`
    }),
  )

t.test('numbers of templates are those that the texts write', async t => {
  let numberCount = 0
  forAll(longRuns(1_000), arbitraryDecimals, list => {
    const values = columnOfBytes(list)
    const column = reopenTemplate(encodeAnyway(values), list.length)
    const expected = list.map(decimalOf)
    assert.deepEqual([...column.numbers()], expected)
    numberCount += expected.filter(number => !Number.isNaN(number)).length
  })
  t.ok(numberCount > share(30_000), `${numberCount} numbers`)
})
