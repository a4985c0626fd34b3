import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { limits } from '../../../src/limits.ts'
import { byCount, Fields, labelsOfAll, type NameCount } from '../../../src/query/collect/fields.ts'
import { forAll } from '../../for-all.ts'
import type { StreamRecord } from '../../segment/sealed.ts'
import { arbitraryAsked, arbitraryUse, fill, makeParts, matching } from '../parts.ts'

function namesPlainly(records: readonly StreamRecord[]): NameCount[] {
  const names = records
    .flatMap(({ attributes }) => attributes.filter((_, i) => i % 2 === 0))
    .filter(name => !labelsOfAll.includes(name))
  const groups = [...Map.groupBy(names, name => name)]
  return byCount(groups.map(([name, { length }]) => [name, length]))
}

t.test('fields are what a plain count gives, in any split over threads', async t => {
  const parts = makeParts(t.testdir())
  let counted = 0
  forAll(
    { numRuns: 250 },
    arbitraryUse(parts),
    arbitraryAsked,
    fc.constantFrom('refuse', 'forget-rare'),
    (used, asked, tooMany) => {
      const collector = new Fields(tooMany)
      fill(collector, used, asked)
      const expected = namesPlainly(matching(used, asked))
      assert.deepEqual(byCount(collector.toPlain()), expected)
      assert.equal(collector.refusal, undefined)
      counted += expected.length > 0 ? 1 : 0
    },
  )
  t.ok(counted > 50, `${counted} counted something`)
})

t.test('names are ordered by count, then by name', async t => {
  t.same(byCount([]), [])
  t.same(
    byCount([
      ['b', 1],
      ['é', 2],
      ['a', 1],
      ['', 1],
      ['B', 1],
      ['z', 3],
    ]),
    [
      ['z', 3],
      ['é', 2],
      ['', 1],
      ['B', 1],
      ['a', 1],
      ['b', 1],
    ],
  )
})

const numbered = (from: number, to: number, count: number): NameCount[] =>
  Array.from({ length: to - from }, (_, i) => [`name ${from + i}`, count])

t.test('as many names as there may be are answered, and more are refused', async t => {
  const collector = new Fields('refuse')
  collector.addPlain(numbered(0, limits.fieldNamesMax, 1))
  collector.addPlain(numbered(0, 10, 1))
  t.equal(collector.refusal, undefined)
  collector.addPlain([['one more', 1]])
  t.type(collector.refusal, 'string')

  const long = new Fields('refuse')
  const half = limits.fieldNamesLengthMax / 2
  long.addPlain([
    ['a'.repeat(half), 1],
    ['b'.repeat(half), 1],
  ])
  t.equal(long.refusal, undefined)
  long.addPlain([['c', 1]])
  t.type(long.refusal, 'string')
})

t.test('where rare names may be forgotten, the frequent ones stay', async t => {
  const collector = new Fields('forget-rare')
  collector.addPlain(numbered(0, 20, 1_000))
  for (let from = 100; from < 100 + 3 * limits.fieldNamesMax; from += 100) {
    collector.addPlain(numbered(from, from + 100, 1))
  }
  t.equal(collector.refusal, undefined)
  const plain = collector.toPlain()
  t.ok(plain.length <= limits.fieldNamesMax)
  t.same(byCount(plain).slice(0, 20), byCount(numbered(0, 20, 1_000)))
})
