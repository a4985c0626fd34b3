/** What says whether a change was one for the better. */
import t from 'tap'
import { compareResults } from '../../bench/query-comparison.ts'
import type { QueryResults } from '../../bench/query-results.ts'

const run = (first: number[], warm: number[], count = 1_000): QueryResults => ({
  machine: 'a machine',
  data: { kind: 'lines', count, seed: 1 },
  store: '',
  origin: '',
  memory: {},
  rows: [
    { work: 'count all', query: 'count(logs)', records: 9, indexOfMs: 100, times: { first, warm } },
  ],
})

t.test('medians, spreads and ratios are over all runs of a side', async t => {
  const text = compareResults(
    [run([10, 30], [2]), run([20], [4])],
    [run([5], [3]), run([5, 5], [12])],
  )
  t.match(text, /1,000 records with real lines/)
  const cells = text
    .split('\n')
    .filter(line => line.startsWith('| count all'))
    .map(line => line.split('|').map(cell => cell.trim()))
  t.same(cells, [
    ['', 'count all', '20.0', '10.0–30.0', '5.00', '5.00–5.00', '0.25', ''],
    ['', 'count all', '3.00', '2.00–4.00', '7.50', '3.00–12.0', '2.50', ''],
  ])
})

t.test('a phase that one side is without is left out', async t => {
  const text = compareResults([run([10], [])], [run([5], [1])])
  t.match(text, 'Work, first')
  t.notMatch(text, 'Work, warm')
})

t.test('runs over different records are refused', async t => {
  t.throws(() => compareResults([run([1], [1])], [run([1], [1], 2_000)]), /different records/)
})
