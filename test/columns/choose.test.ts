import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { encodeColumn } from '../../src/columns/choose.ts'
import { countedValuesMax, type Encoding } from '../../src/columns/column.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'
import { columnOf } from './arbitraries.ts'
import { reopen } from './reopen.ts'

const count = 8_000

/** Digits that look random and are the same in every run. */
function hexAt(i: number): string {
  const part = (salt: number) =>
    (Math.imul(i + salt, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
  return part(1) + part(77_777) + part(1_234_567) + part(99)
}

t.test('each kind of values gets the encoding made for it', async t => {
  const chooses = (encoding: Encoding, textAt: (i: number) => string, name: string) => {
    const texts = Array.from({ length: count }, (_, i) => textAt(i))
    t.equal(encodeColumn(columnOf(texts)).encoding, encoding, name)
  }
  chooses('constant', () => 'same', 'one value')
  chooses('dictionary', () => 'x'.repeat(1_000), 'one long value')
  chooses('dictionary', i => `host-${(i * 7919) % 40}`, 'host names')
  chooses('dictionary', i => hexAt(i % 30), 'few trace ids')
  chooses('dictionary', i => String(((i * 7919) % 20) * 1e9), 'few large numbers')
  chooses('integer', i => String((i * 7919) % 3_000), 'durations')
  chooses('integer', i => String(1_700_000_000_000 + i * 13), 'times')
  chooses('integer', i => String(200 + ((i * 7919) % 5)), 'status codes')
  chooses('fixed-point', i => String(((i * 7919) % 30_011) / 100), 'durations with decimals')
  chooses('fixed-point', i => String((i * 7919) / 1e9), 'seconds to the nanosecond')
  chooses('hex', hexAt, 'trace ids')
  chooses('template', i => `user ${hexAt(i)} logged in`, 'log messages')
  chooses(
    'text',
    i => hexAt(i).replace(/[0-9a-f]/g, c => '-+*~é,;: '[c.charCodeAt(0) % 9]!),
    'anything',
  )
  chooses('text', i => (i === 7_000 ? 'none' : hexAt(i)), 'trace ids but one')
})

t.test('few values are counted, in whatever they are encoded', async t => {
  const encodings = new Set<Encoding>()
  const fewValues = fc.record({
    before: fc.constantFrom('node-', 'n', '', '/api/v1/orders/of/', '7', '0000000'),
    distinct: fc.integer({ min: 1, max: 80 }),
    length: fc.integer({ min: 200, max: 2_000 }),
  })
  forAll(longRuns(200), fewValues, ({ before, distinct, length }) => {
    const texts = Array.from(
      { length },
      (_, i) => `${before}${(Math.imul(i + 1, 0x9e3779b1) >>> 8) % distinct}`,
    )
    const { encoding, values } = encodeColumn(columnOf(texts))
    const plainly = Map.groupBy(texts, text => text)
    if (plainly.size > countedValuesMax) {
      assert.equal(values, undefined)
      return
    }
    encodings.add(encoding)
    const { offsets, bytes } = values!.texts
    const counted = Array.from(values!.counts, (count, i) => [
      bytes.toString('utf8', offsets[i], offsets[i + 1]),
      count,
    ])
    assert.deepEqual(
      new Map(counted as [string, number][]),
      new Map([...plainly].map(([text, all]) => [text, all.length])),
    )
  })
  t.ok(encodings.has('template') && encodings.has('dictionary'), [...encodings].join())
})

t.test('an empty column is encoded and opened', async t => {
  const column = reopen(encodeColumn(columnOf([])), 0)
  t.equal(column.valueCount, 0)
  t.same(column.toTextColumn().offsets, [0])
})

t.test('a column that lies inside others is encoded alone', async t => {
  const { offsets, bytes } = columnOf(['before', 'a1', 'b22', 'after'])
  const encoded = encodeColumn({ offsets: offsets.subarray(1, 4), bytes })
  const { offsets: opened, bytes: text } = reopen(encoded, 2).toTextColumn()
  t.same([...opened], [0, 2, 5])
  t.equal(text.toString(), 'a1b22')
})
