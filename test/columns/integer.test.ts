import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { containsDigits, parseInteger } from '../../src/columns/digits.ts'
import { encodeInteger } from '../../src/columns/integer.ts'
import { forAll } from '../for-all.ts'
import { bytesOf, columnOf } from './arbitraries.ts'
import { contains, equals, findIn, matches, reopen } from './reopen.ts'

t.test('integers are read when their text is the one that they give', async t => {
  const reads = (text: string, expected: number) =>
    t.equal(parseInteger(Buffer.from(`x${text}9`), 1, 1 + text.length), expected, `reads "${text}"`)
  reads('0', 0)
  reads('17', 17)
  reads('-5', -5)
  reads('9007199254740991', Number.MAX_SAFE_INTEGER)
  reads('-9007199254740991', Number.MIN_SAFE_INTEGER)
})

t.test('other texts are not integers, however close', async t => {
  const refuses = (text: string) => {
    const bytes = Buffer.from(text)
    t.ok(Number.isNaN(parseInteger(bytes, 0, bytes.length)), `refuses "${text}"`)
    t.equal(encodeInteger(columnOf(['1', text, '2'])), undefined)
  }
  for (const text of ['', '-', '00', '007', '-0', '-01', '+1', '--1', '1-', '1e5', '1.0'])
    refuses(text)
  for (const text of [' 1', '1 ', '0x1', '٣', '1\n', '1\0', '/', ':']) refuses(text)
  refuses('9007199254740992')
  refuses('9007199254740993')
  refuses('-9007199254740993')
  refuses('9999999999999999')
  refuses('10000000000000000')
})

t.test('the text of a number contains what arithmetic says it does', async () => {
  const number = fc.oneof(fc.integer({ min: -300, max: 300 }), fc.maxSafeInteger())
  const part = fc.tuple(number, fc.nat(16), fc.nat(17)).map(([value, start, length]) => ({
    value,
    needle: String(value).slice(start, start + length),
  }))
  const other = fc.record({
    value: number,
    needle: fc.string({ unit: fc.constantFrom('-', '0', '1', '5', '9'), maxLength: 18 }),
  })
  const cases = fc.oneof(part, other).filter(({ needle }) => needle !== '')
  forAll({ numRuns: 10_000 }, cases, ({ value, needle }) => {
    const found = containsDigits(Buffer.from(needle))?.(value) ?? false
    assert.equal(found, String(value).includes(needle))
  })
  for (const [value, needle] of [
    [5, '05'],
    [-5, '-05'],
    [0, '-0'],
    [-105, '-05'],
  ] as const) {
    assert.ok(!containsDigits(Buffer.from(needle))?.(value), `${needle} in ${value}`)
  }
})

t.test('numbers near and far apart are found, and come back', async t => {
  const holds = (texts: string[], wanted: string, part: string) => {
    const column = reopen(encodeInteger(columnOf(texts))!, texts.length)
    t.same(bytesOf(column.toTextColumn()), texts)
    const where = (passes: (text: string) => boolean) =>
      texts.flatMap((text, i) => (passes(text) ? [i] : []))
    t.same(
      findIn(column, equals(wanted)),
      where(text => text === wanted),
    )
    t.same(
      findIn(column, contains(part)),
      where(text => text.includes(part)),
    )
    t.same(
      findIn(column, matches('-?1.*')),
      where(text => /^-?1/.test(text)),
    )
  }
  const count = 3_000
  const make = (numberAt: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => String(numberAt(i)))
  holds(
    make(i => (i * 7) % 200),
    '14',
    '14',
  )
  holds(
    make(i => 100 + ((i * 7919) % 60_000)),
    '8019',
    '801',
  )
  holds(
    make(i => ((i * 7919) % 1_000) * 9_973 - 500),
    '-500',
    '-5',
  )
  holds(
    make(i => ((i * 7919) % 1_000) * 2 ** 33),
    String(2 ** 33),
    '8589',
  )
  holds(
    make(i => ((i % 3) - 1) * Number.MAX_SAFE_INTEGER),
    '9007199254740991',
    '-9',
  )
  holds(
    make(i => 1_700_000_000_000 + i * 250 + (i % 3)),
    '1700000000251',
    '0025',
  )
})

t.test('what cannot be found is not looked for', async t => {
  const encoded = encodeInteger(columnOf(['17', '230', '18']))!
  const asked: number[] = []
  const column = reopen(encoded, 3, asked)
  for (const wanted of ['16', '231', '-17', '017', '1e2', 'x', '']) {
    t.same(findIn(column, equals(wanted)), [], `no value is "${wanted}"`)
  }
  for (const needle of ['a', '-', '1.', '1000', '-1', ' ', '1-']) {
    t.same(findIn(column, contains(needle)), [], `no value contains "${needle}"`)
  }
  t.same(asked, [], 'no chunk was touched')
  t.same(findIn(column, equals('230')), [1])
  t.same(asked, [0])
})

t.test('numbers in a narrow range are counted, others leave it to the caller', async t => {
  const counts: [string, number][] = []
  const narrow = reopen(encodeInteger(columnOf(['200', '404', '200']))!, 3)
  narrow.countValues?.(Uint8Array.of(1, 1, 1), (text, count) => counts.push([text, count]))
  t.same(counts, [
    ['200', 2],
    ['404', 1],
  ])
  const wide = reopen(encodeInteger(columnOf(['1', '70000']))!, 2)
  t.equal(wide.countValues, undefined)
})
