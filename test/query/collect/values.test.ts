import t from 'tap'
import { ValueCounts } from '../../../src/query/collect/value-counts.ts'
import { chosenValues } from '../../../src/query/collect/values.ts'
import type { StreamRecord } from '../../segment/sealed.ts'
import { batchOf } from '../parts.ts'

const roomy = { countMax: 100, lengthMax: 1_000 }

t.test('top values come by count, ties by value', async t => {
  const counts = new ValueCounts({ prefix: '', bounds: roomy })
  for (const [value, count] of Object.entries({ b: 2, a: 2, '': 1, é: 5, B: 2 })) {
    counts.add(value, count)
  }
  counts.add('a', 1)
  const topIs = (limit: number, expected: string) =>
    t.equal(
      counts
        .top(limit)
        .map(({ value, count }) => `${value}${count}`)
        .join(' '),
      expected,
    )
  topIs(1, 'é5')
  topIs(3, 'é5 a3 B2')
  topIs(99, 'é5 a3 B2 b2 1')
})

t.test('values are counted up to the bounds, exactly, and beyond them not at all', async t => {
  const isOver = (values: readonly string[], expected: boolean, prefix = '') => {
    const counts = new ValueCounts({ prefix, bounds: { countMax: 3, lengthMax: 10 } })
    for (const value of values) counts.add(value, 1)
    t.equal(counts.isOver, expected, JSON.stringify(values))
    t.equal(counts.toPlain() === undefined, expected)
    if (expected) t.same([counts.size, counts.top(9)], [0, []])
  }
  isOver([], false)
  isOver(['a', 'b', 'c', 'a', 'b', 'c'], false)
  isOver(['a', 'b', 'c', 'd'], true)
  isOver(['1234567890'], false)
  isOver(['12345678901'], true)
  isOver(['12345', '67890', '12345'], false)
  isOver(['12345', '67890', ''], false)
  isOver(['12345', '67890', '1'], true)
  isOver(['a1', 'b1', 'b2', 'b3', 'c1'], false, 'b')
  isOver(['a1', 'b1', 'b2', 'b3', 'b4'], true, 'b')
})

t.test('a prefix counts in its own case', async t => {
  const counts = new ValueCounts({ prefix: 'Er', bounds: roomy })
  for (const value of ['Er', 'Error', 'error', 'ERROR', 'xEr', 'E', '']) counts.add(value, 1)
  t.same(
    counts.top(9).map(({ value }) => value),
    ['Er', 'Error'],
  )
})

t.test('the values of an attribute that belong to selected records are found', async t => {
  const stream = { service: 'a', environment: 'b' }
  const records: StreamRecord[] = ['x', undefined, 'y', 'z', undefined].map(value => ({
    ...{ timestamp: 1, level: 'info', message: 'm', stream },
    attributes: ['all', '1', ...(value === undefined ? [] : ['some', value])],
  }))
  const batch = batchOf(records)
  const chooses = (name: string, marks: number[], expected: number[]) => {
    const selection = { marks: Uint8Array.from(marks), count: marks.filter(mark => mark).length }
    const isWhole = selection.count === records.length
    const chosen = chosenValues(batch.attribute(name)!, selection, isWhole)
    t.same([...chosen.marks], expected)
    t.equal(chosen.count, expected.filter(mark => mark).length)
  }
  chooses('some', [1, 1, 1, 1, 1], [1, 1, 1])
  chooses('some', [0, 1, 1, 1, 1], [0, 1, 1])
  chooses('some', [1, 0, 0, 0, 0], [1, 0, 0])
  chooses('some', [0, 1, 0, 0, 1], [0, 0, 0])
  chooses('all', [1, 0, 1, 0, 0], [1, 0, 1, 0, 0])
})
