import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { DigitSearch } from '../../../src/columns/search-digits.ts'
import { hashWord, WordTable } from '../../../src/columns/words.ts'
import { forAll } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'

t.test('a word table numbers distinct words in the order in which they come', async () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '1'), maxLength: 4 }), {
    maxLength: 1_000,
  })
  forAll(words, list => {
    const bytes = Buffer.from(list.join(''))
    const table = new WordTable(bytes)
    const numbers = new Map<string, number>()
    let start = 0
    for (const word of list) {
      const end = start + word.length
      const hash = hashWord(bytes, start, end)
      const known = numbers.get(word)
      assert.equal(table.find(start, end, hash), known ?? -1)
      assert.equal(table.add(start, end, hash), known ?? numbers.size)
      numbers.set(word, known ?? numbers.size)
      start = end
    }
    assert.equal(table.count, numbers.size)
    for (const [word, number] of numbers) {
      assert.equal(bytes.toString('utf8', table.startOf(number), table.endOf(number)), word)
    }
  })
})

const digitsOfAnyLength = fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String)

t.test('digits are found in integers as in their decimal form', async () => {
  const fewDigits = fc.string({ unit: fc.constantFrom('0', '1', '7'), minLength: 1, maxLength: 15 })
  const largest = Number.MAX_SAFE_INTEGER
  const numbers = fewDigits.map(Number)
  const integers = fc.oneof(
    fc.array(fc.oneof(fc.nat(20), numbers, fc.nat()), { minLength: 1 }),
    fc.array(fc.oneof(numbers, fc.integer({ min: largest - 999, max: largest })), { minLength: 1 }),
  )
  const cutFrom = (list: readonly number[]) =>
    fc
      .tuple(fc.constantFrom(...list.map(String)), fc.nat(), fc.integer({ min: 1, max: 8 }))
      .map(([text, start, length]) => text.slice(start % text.length).slice(0, length))
  const searches = integers.chain(list =>
    fc.tuple(fc.constant(list), fc.oneof(cutFrom(list), fewDigits, digitsOfAnyLength)),
  )
  const arrays = [Uint8Array, Uint16Array, Uint32Array, Float64Array]
  const bases = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat())
  forAll(
    longRuns(5_000),
    searches,
    bases,
    fc.constantFrom(...arrays),
    ([list, digits], wanted, kind) => {
      const beyond = new kind(list)
      const base = Math.min(wanted, largest - Math.max(...beyond))
      const values = [...beyond].map(value => value + base)
      const hits = new Uint8Array(list.length)
      const isAny = new DigitSearch(digits).mark(beyond, base, Math.max(...values), hits)
      const expected = values.map(value => (String(value).includes(digits) ? 1 : 0))
      assert.deepEqual([...hits], expected)
      assert.equal(isAny, expected.includes(1))
    },
  )
})
