import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { type NumberSummary, summaryOf } from '../../../src/query/collect/number-summary.ts'
import { Numbers } from '../../../src/query/collect/numbers.ts'
import { runOf } from '../../../src/query/series/number-runs.ts'
import { forAll } from '../../for-all.ts'
import { arbitraryAsked, arbitraryUse, fill, makeParts, matching } from '../parts.ts'
import { labelValue } from '../plain.ts'

/** The numbers that values write, ascending. */
function numbersPlainly(values: readonly string[]): number[] {
  return values
    .filter(value => /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(value))
    .map(value => Number(value) + 0)
    .sort((a, b) => a - b)
}

/** As PromQL interpolates. */
function quantilePlainly(sorted: readonly number[], quantile: number): number {
  const rank = quantile * (sorted.length - 1)
  const [lower, upper] = [Math.floor(rank), Math.min(sorted.length - 1, Math.floor(rank) + 1)]
  const weight = rank - Math.floor(rank)
  return sorted[lower]! * (1 - weight) + sorted[upper]! * weight
}

function isSummaryOf(summary: NumberSummary, sorted: readonly number[]): void {
  const { count, least, greatest, quantiles, buckets } = summary
  assert.deepEqual([count, least, greatest], [sorted.length, sorted[0], sorted.at(-1)])
  assert.deepEqual(Object.keys(quantiles), ['0.5', '0.9', '0.95', '0.99'])
  for (const [text, value] of Object.entries(quantiles)) {
    assert.equal(value, quantilePlainly(sorted, Number(text)), text)
  }
  buckets.forEach(({ from, to, count }, i) => {
    assert.ok(from < to, `${from} < ${to}`)
    assert.equal(buckets[i + 1]?.from ?? to, to, 'one beside the other')
    assert.equal(count, sorted.filter(value => from <= value && value < to).length, `from ${from}`)
  })
  assert.equal(
    buckets.reduce((sum, one) => sum + one.count, 0),
    sorted.length,
  )
}

t.test('the numbers of a field are those of a plain look, in any split over threads', async t => {
  const parts = makeParts(t.testdir())
  let summed = 0
  forAll(
    { numRuns: 400 },
    arbitraryUse(parts),
    arbitraryAsked,
    fc.constantFrom('status', 'user.id', 'path', 'message', 'log_level', 'absent'),
    (used, asked, label) => {
      const collector = new Numbers({ kind: 'numbers', label })
      fill(collector, used, asked)
      const values = matching(used, asked).map(record => labelValue(label, record, record.stream))
      const sorted = numbersPlainly(values)
      assert.equal(collector.run === undefined, sorted.length === 0)
      if (collector.run === undefined) return
      isSummaryOf(summaryOf(collector.run), sorted)
      summed += 1
    },
  )
  t.ok(summed > 15, `${summed} with numbers`)
})

t.test('buckets hold all numbers, of whatever size, and are few', async () => {
  const arbitraryNumbers = fc.oneof(
    fc.array(fc.double({ noNaN: true, min: -1.7e308, max: 1.7e308 }), { minLength: 1 }),
    fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 1 }),
    fc.array(fc.nat(30), { minLength: 1 }),
    fc.array(
      fc.double({ min: 0, max: 40, noNaN: true }).map(power => 2 ** power),
      { minLength: 1 },
    ),
  )
  forAll({ numRuns: 1_000 }, arbitraryNumbers, numbers => {
    const sorted = numbers.map(value => value + 0).sort((a, b) => a - b)
    const summary = summaryOf(runOf(Float64Array.from(sorted)))
    isSummaryOf(summary, sorted)
    assert.ok(summary.buckets.length <= 60, `${summary.buckets.length} buckets`)
  })
})

t.test('durations are read in seconds, and buckets grow where few are long', async t => {
  const summary = summaryOf(runOf(Float64Array.of(0.001, 0.002, 0.002, 0.003, 4)))
  t.same(
    summary.buckets.filter(({ count }) => count > 0).map(({ from, to }) => [from, to]),
    [
      [0.001, 0.002],
      [0.002, 0.005],
      [2, 5],
    ],
  )
  const even = summaryOf(runOf(Float64Array.of(200, 201, 204)))
  t.same(
    even.buckets.map(({ from }) => from),
    [200, 201, 202, 203, 204],
  )
})
