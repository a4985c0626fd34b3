/** What says whether a change was one for the better. */
import t from 'tap'
import { compareResults } from '../../bench/comparison.ts'
import type { BenchResults, BenchRow } from '../../bench/results.ts'

const run = (measures: BenchRow['measures'], count = 1_000): BenchResults => ({
  bench: 'query',
  machine: 'a machine',
  conditions: { messages: 'lines', count },
  rows: [{ work: 'count all', measures }],
})

const cellsOf = (text: string) =>
  text
    .split('\n')
    .filter(line => line.startsWith('| count all'))
    .map(line => line.split('|').map(cell => cell.trim()))

t.test('medians, spreads and ratios are over all runs of a side', async t => {
  const text = compareResults(
    [run({ 'first ms': [10, 30], 'warm ms': [2] }), run({ 'first ms': [20], 'warm ms': [4] })],
    [run({ 'first ms': [5], 'warm ms': [3] }), run({ 'first ms': [5, 5], 'warm ms': [12] })],
  )
  t.match(text, 'query (messages lines, count 1000)')
  t.same(cellsOf(text), [
    ['', 'count all', '20.0', '10.0–30.0', '5.00', '5.00–5.00', '0.25', 'less', ''],
    ['', 'count all', '3.00', '2.00–4.00', '7.50', '3.00–12.0', '2.50', '?', ''],
  ])
})

t.test('a change beyond the spread is told from one within, both ways', async t => {
  const changes: [before: number[], after: number[], change: string][] = [
    [[1, 2, 3], [4, 5, 6], 'more'],
    [[4, 5, 6], [1, 2, 3], 'less'],
    [[1, 2, 3], [3, 4, 5], ''], // One is no more than the most before.
    [[1, 2, 9], [4, 5, 6], ''],
    [[1, 2], [4, 5, 6], '?'],
    [[0, 0, 0], [0, 0, 0], ''],
  ]
  for (const [before, after, change] of changes) {
    const text = compareResults([run({ ms: before })], [run({ ms: after })])
    t.equal(cellsOf(text)[0]!.at(-2), change, `${before} and ${after}`)
  }
})

t.test('what one side is without has no row, and is said', async t => {
  const text = compareResults(
    [run({ 'first ms': [10], 'warm ms': [] })],
    [run({ 'first ms': [5], 'warm ms': [1] })],
  )
  t.match(text, 'Work, first ms')
  t.notMatch(text, 'Work, warm ms')
  t.match(text, 'not on both sides: count all, warm ms')
})

t.test('runs over different records or of different benchmarks are refused', async t => {
  const one = run({ ms: [1] })
  t.throws(
    () => compareResults([one], [run({ ms: [1] }, 2_000)]),
    /^cannot compare query \(messages lines, count 1000\) with query \(messages lines, count 2000\)$/,
  )
  t.throws(() => compareResults([one], [{ ...one, bench: 'ingest' }]), /with ingest \(/)
})
