import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { sortInGroups } from '../../src/query/sort-numbers.ts'

const number = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -5, max: 5 }),
    fc.nat(1_000).map(value => value / 100),
  )
  .map(value => value + 0)
const members = fc.array(fc.tuple(fc.nat(4), number), { maxLength: 200 })

t.test('numbers in groups are sorted as each group would be', async () => {
  fc.assert(
    fc.property(members, list => {
      const groups = Uint32Array.from(list, ([group]) => group)
      const given = groups.slice()
      const { values, starts } = sortInGroups(
        groups,
        Float64Array.from(list, ([, n]) => n),
        6,
      )
      for (let group = 0; group < 6; group++) {
        const own = list.filter(([of]) => of === group).map(([, n]) => n)
        const seen = [...values.subarray(starts[group], starts[group + 1])]
        assert.deepEqual(
          seen,
          own.sort((a, b) => a - b),
        )
      }
      assert.equal(starts[6], list.length)
      assert.deepEqual(groups, given)
    }),
    { numRuns: 2_000 },
  )
})
