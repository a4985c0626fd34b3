import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { Facets } from '../../../src/query/collect/facets.ts'
import type { ValueBounds } from '../../../src/query/collect/value-counts.ts'
import { forAll } from '../../for-all.ts'
import type { StreamRecord } from '../../segment/sealed.ts'
import { arbitraryAsked, arbitraryUse, batchOf, fill, makeParts, matching } from '../parts.ts'
import { labelValue } from '../plain.ts'

const names = [
  ...['log_level', 'service.name', 'environment', 'message', 'absent'],
  ...['user.id', 'status', 'path', 'ключ', '', '__proto__'],
]

/** The values of a field in the records that have it. */
function valuesPlainly(records: readonly StreamRecord[], field: string): string[] {
  const isOfAll = ['log_level', 'service.name', 'environment', 'message'].includes(field)
  return records
    .filter(
      ({ attributes }) => isOfAll || attributes.some((text, i) => i % 2 === 0 && text === field),
    )
    .map(record => labelValue(field, record, record.stream))
}

/** What a field's top values must be, worked out in the plainest way; undefined for too many. */
function topPlainly(values: readonly string[], { countMax, lengthMax }: ValueBounds) {
  const groups = Map.groupBy(values, value => value)
  const length = [...groups.keys()].join('').length
  if (groups.size > countMax || length > lengthMax) return undefined
  return [...groups]
    .map(([value, { length: count }]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}

t.test('facets are what a plain count gives, in any split over threads and the index', async t => {
  const parts = makeParts(t.testdir())
  let counted = 0
  let over = 0
  forAll(
    { numRuns: 600 },
    arbitraryUse(parts),
    arbitraryAsked,
    fc.shuffledSubarray(names, { minLength: 1 }),
    fc.oneof(fc.constant(''), fc.constantFrom('4', '/a', 'e', 'é', '😀', 'absent')),
    fc.record({ countMax: fc.integer({ min: 1, max: 30 }), lengthMax: fc.nat(300) }),
    (used, asked, fields, prefix, bounds) => {
      const collector = new Facets(fields, { prefix, bounds })
      fill(collector, used, asked)
      const records = matching(used, asked)
      for (const { field, counts, present } of collector.fields) {
        const values = valuesPlainly(records, field)
        assert.equal(present, values.length, field)
        const expected = topPlainly(
          values.filter(value => value.startsWith(prefix)),
          bounds,
        )
        assert.equal(counts.isOver, expected === undefined, field)
        assert.deepEqual(counts.top(Number.POSITIVE_INFINITY), expected ?? [], field)
        assert.deepEqual(counts.top(2), (expected ?? []).slice(0, 2), field)
        counted += counts.size > 1 ? 1 : 0
        over += counts.isOver ? 1 : 0
      }
    },
  )
  t.ok(counted > 100 && over > 100, `${counted} with several values, ${over} with too many`)
})

t.test('indexed labels alone need no scan, and with any other field they do', async t => {
  const wanted = { prefix: '', bounds: { countMax: 9, lengthMax: 99 } }
  const takes = (fields: readonly string[], expected: boolean) =>
    t.equal(new Facets(fields, wanted).takesEntry(), expected, fields.join())
  takes(['log_level'], true)
  takes(['environment', 'log_level', 'service.name'], true)
  takes(['log_level', 'message'], false)
  takes(['status'], false)
})

t.test('a field with too many values in one thread has too many in all', async t => {
  const stream = { service: 'a', environment: 'b' }
  const records = ['x', 'y', 'z'].map(id => ({
    ...{ timestamp: 1, level: 'info', message: 'm', attributes: ['id', id, 'k', 'v'] },
    stream,
  }))
  const make = () => new Facets(['id', 'k'], { prefix: '', bounds: { countMax: 2, lengthMax: 9 } })
  const [one, other, sum] = [make(), make(), make()]
  one.add(batchOf(records), new Uint8Array(3).fill(1))
  other.add(batchOf(records.slice(0, 1)), new Uint8Array(1).fill(1))
  for (const collector of [other, one, other]) sum.addPlain(structuredClone(collector.toPlain()))
  t.same(
    sum.fields.map(({ field, counts, present }) => [field, present, counts.isOver, counts.top(9)]),
    [
      ['id', 5, true, []],
      ['k', 5, false, [{ value: 'v', count: 5 }]],
    ],
  )
})
