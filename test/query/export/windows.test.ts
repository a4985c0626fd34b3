import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { ExportWindows, type WindowSource } from '../../../src/query/export/windows.ts'
import { forAll } from '../../for-all.ts'

const arbitrarySource: fc.Arbitrary<WindowSource> = fc
  .tuple(
    fc.oneof(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -8e15, max: 8e15 })),
    fc.oneof(fc.constant(0), fc.nat(50), fc.nat(1_000_000)),
    fc.integer({ min: 1, max: 1_000 }),
  )
  .map(([minTimestamp, length, recordCount]) => ({
    minTimestamp,
    maxTimestamp: minTimestamp + length,
    recordCount,
  }))

/** All windows, each of about as many records as `wanted` says in turn. */
function windowsOf(
  sources: readonly WindowSource[],
  range: { startTime: number; endTime: number; order: 'asc' | 'desc' },
  wanted: readonly number[],
) {
  const windows = new ExportWindows(sources, range)
  const isAscending = range.order === 'asc'
  const all = []
  let next = windows.next(isAscending ? range.startTime : range.endTime, wanted[0]!)
  for (let i = 1; next !== undefined; i++) {
    all.push(next)
    const behind = windows.behind(isAscending ? next.to : next.from)
    next = windows.next(behind, wanted[i % wanted.length]!)
  }
  return all
}

t.test(
  'each time of a source is in one window, with the source, and windows are in order',
  async t => {
    forAll(
      fc.array(arbitrarySource, { maxLength: 12 }),
      fc.tuple(fc.integer({ min: -150, max: 8e15 }), fc.nat(300)),
      fc.constantFrom('asc' as const, 'desc' as const),
      fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 3 }),
      (sources, [first, length], order, wanted) => {
        const isWide = first > 150
        const startTime = isWide ? -8.64e15 : first
        const endTime = isWide ? 8.64e15 : first + length
        const all = windowsOf(sources, { startTime, endTime, order }, wanted)
        const ascending = order === 'asc' ? all : all.toReversed()
        ascending.forEach((window, i) => {
          assert.ok(window.from <= window.to)
          const previous = ascending[i - 1]
          if (previous !== undefined) assert.ok(previous.to < window.from)
        })
        for (const source of sources) {
          for (const time of [source.minTimestamp, source.maxTimestamp]) {
            if (time < startTime || time > endTime) continue
            const holding = all.filter(({ from, to }) => from <= time && time <= to)
            assert.equal(holding.length, 1)
          }
          for (const { from, to, sources: open } of all) {
            const overlaps = source.minTimestamp <= to && source.maxTimestamp >= from
            assert.equal(open.includes(source), overlaps)
          }
        }
      },
    )
    t.pass()
  },
)

t.test('windows have about as many records as are wanted', async t => {
  const sources = [
    { minTimestamp: 0, maxTimestamp: 999, recordCount: 10_000 },
    { minTimestamp: 500, maxTimestamp: 1_499, recordCount: 30_000 },
    { minTimestamp: 1_000_000, maxTimestamp: 1_000_000, recordCount: 5_000 },
  ]
  const range = { startTime: -8.64e15, endTime: 8.64e15, order: 'asc' as const }
  const shown = windowsOf(sources, range, [5_000]).map(({ from, to }) => [from, to])
  t.equal(shown.length, 8)
  t.same(shown[0], [0, 499], 'ten records a millisecond')
  t.same(shown[1], [500, 624], 'forty')
  t.same(shown.at(-1), [1_334, 1_000_000], 'a gap costs no window of its own')
})
