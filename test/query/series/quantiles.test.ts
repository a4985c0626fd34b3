/** Numbers enough for tables of counters: sorted ones are the plain way. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { ScaledIntegers } from '../../../src/columns/column.ts'
import { NumberCounts, type PlainNumberCounts } from '../../../src/query/series/number-counts.ts'
import { QuantileAccumulator } from '../../../src/query/series/samples.ts'
import { forAll } from '../../for-all.ts'
import { longRuns, share } from '../../long-runs.ts'

/** Numbers of one cell: `value(i)` of each of some random numbers. */
type Kind = (random: number) => number

/** Those that a table has counters for, those that none has, and both. */
const kinds: Record<string, Kind> = {
  hundredths: random => (random % 200_000) / 100,
  tenths: random => (random % 200_000) / 10,
  'whole numbers': random => random % 300,
  'whole numbers above 500': random => 500 + (random % 50),
  thousandths: random => (random % 100_000) / 1_000,
  'the same again and again': random => (random % 3) / 100,
  fractions: random => random / 1_000_003,
  negative: random => -(random % 5_000) / 100,
  large: random => random * 1_000,
  mixed: random => (random % 12 === 0 ? random / 7 : (random % 1_000) / 100),
  'at the end of a table': random => 2 ** 18 - 3 + (random % 5),
  'no numbers among them': random => (random % 9 === 0 ? Number.NaN : (random % 400) / 100),
}

/** Numbers as they come: blocks, each of some kinds for some cells. */
interface Block {
  readonly thread: number
  readonly cells: readonly (readonly [cell: number, kind: string])[]
  readonly count: number
  readonly seed: number
}

const cellCount = 40

const arbitraryBlock: fc.Arbitrary<Block> = fc.record({
  thread: fc.nat(1),
  cells: fc.array(
    fc.tuple(
      fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: cellCount - 1 })),
      fc.constantFrom(...Object.keys(kinds)),
    ),
    { minLength: 1, maxLength: 2 },
  ),
  count: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 10_000, max: 60_000 })),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
})

function numbersOf({ cells, count, seed }: Block): { codes: Uint32Array; values: Float64Array } {
  const codes = new Uint32Array(count)
  const values = new Float64Array(count)
  let random = seed
  for (let i = 0; i < count; i++) {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 1
    const cell = Math.floor((i * 8) / count) % cells.length // Neighbours are of one cell.
    codes[i] = seed % 3 !== 0 && random % 50 === 0 ? 0 : cell + 1
    values[i] = kinds[cells[cell]![1]]!(random >>> 4)
  }
  return { codes, values }
}

/** The same numbers as a column keeps them that has integers; undefined for those that none has. */
function integersOf(values: Float64Array): ScaledIntegers | undefined {
  for (const scale of [1, 10, 100, 1_000]) {
    const integers = values.map(value => Math.round(value * scale))
    if (!integers.every((integer, i) => integer / scale === values[i])) continue
    const base = integers.reduce((a, b) => Math.min(a, b))
    const max = integers.reduce((a, b) => Math.max(a, b))
    const Distances =
      max - base < 256 ? Uint8Array : max - base < 65_536 ? Uint16Array : Uint32Array
    return { base, distances: new Distances(integers.map(integer => integer - base)), scale, max }
  }
  return undefined
}

function quantilePlainly(numbers: readonly number[], quantile: number): number | undefined {
  if (numbers.length === 0) return undefined
  const sorted = Float64Array.from(numbers).sort()
  const rank = quantile * (sorted.length - 1)
  const lower = Math.floor(rank)
  const upper = Math.min(sorted.length - 1, lower + 1)
  return sorted[lower]! * (1 - (rank - lower)) + sorted[upper]! * (rank - lower)
}

/** What a thread has counted, as another one gets it. */
function handedOver(samples: QuantileAccumulator) {
  const plain = samples.toPlain(cellCount)
  return structuredClone(plain, { transfer: samples.memoryOf(plain) })
}

t.test('quantiles of many numbers are those of the sorted numbers', async t => {
  let tableCount = 0
  let foundCount = 0
  let integersCount = 0
  forAll(
    longRuns(300),
    fc.array(arbitraryBlock, { minLength: 1, maxLength: 6 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    (blocks, quantile) => {
      const threads = [0, 1].map(() => new QuantileAccumulator({ label: 'a' }, quantile))
      const plain = Array.from({ length: cellCount }, (): number[] => [])
      let skipped = 0
      for (const block of blocks) {
        const { codes, values } = numbersOf(block)
        const cells = [0, ...block.cells.map(([cell]) => cell)]
        const integers = block.seed % 4 === 0 ? undefined : integersOf(values)
        const areTaken = integers !== undefined && NumberCounts.mayTake(integers)
        if (areTaken) integersCount++
        threads[block.thread]!.add({ codes, cells }, areTaken ? integers : values, cellCount)
        if (block.seed % 4 < 2) threads[block.thread]!.at(1) // Puts in tables what came so far.
        codes.forEach((code, i) => {
          if (code === 0) return
          if (Number.isNaN(values[i])) skipped++
          else plain[cells[code]!]!.push(values[i]!)
        })
      }
      const own = Uint32Array.from({ length: cellCount }, (_, cell) => cell)
      const parts = threads.map(handedOver)
      for (const [, { counts, distinctCount }] of parts.flatMap(({ tables }) => tables)) {
        assert.equal(distinctCount, counts.filter(count => count > 0).length)
        tableCount++
      }
      for (const order of [parts, parts.toReversed()]) {
        const merged = new QuantileAccumulator({ label: 'a' }, quantile)
        for (const part of order) merged.addPlain(own, part)
        plain.forEach((numbers, cell) => {
          assert.equal(merged.at(cell), quantilePlainly(numbers, quantile))
          if (numbers.length > 0) foundCount++
        })
        assert.equal(merged.skippedCount, skipped)
        assert.equal(merged.refusal, undefined)
      }
    },
  )
  t.ok(tableCount > share(150), `${tableCount} tables`)
  t.ok(foundCount > share(1_500), `${foundCount} quantiles were compared`)
  t.ok(integersCount > share(50), `${integersCount} blocks had integers`)
})

t.test('whole numbers are counted in a table of hundredths', async t => {
  const samples = new QuantileAccumulator({ label: 'a' }, 0.5)
  const count = 5_000
  const [codes, cells] = [new Uint32Array(count).fill(1), [0, 1]]
  const hundredths = Float64Array.from({ length: count }, (_, i) => i / 100)
  samples.add({ codes, cells }, hundredths, 2)
  const distances = Uint8Array.from({ length: count }, (_, i) => i % 50)
  samples.add({ codes, cells }, { base: 500, distances, scale: 1, max: 549 }, 2)
  const whole = Array.from(distances, distance => 500 + distance)
  t.equal(samples.toPlain(2).tables.length, 1)
  t.equal(samples.at(1), quantilePlainly([...hundredths, ...whole], 0.5))
})

t.test('beyond so many tables, numbers of a cell are kept sorted', async t => {
  const count = 520_000
  const cells = Uint32Array.from({ length: cellCount }, (_, cell) => cell)
  const codes = Uint32Array.from({ length: count }, (_, i) => 1 + (i % (cellCount - 1)))
  const values = Float64Array.from({ length: count }, (_, i) => (i % 200_000) / 100)
  const samples = new QuantileAccumulator({ label: 'a' }, 0.5)
  samples.add({ codes, cells: [...cells] }, values, cellCount)
  const part = samples.toPlain(cellCount)
  t.equal(part.tables.length, 32)
  const merged = new QuantileAccumulator({ label: 'a' }, 0.5)
  merged.addPlain(cells, part)
  merged.addPlain(cells, part)
  for (const cell of [1, 17, 32, 33, cellCount - 1]) {
    const own = [...values.filter((_, i) => codes[i] === cell)]
    t.equal(merged.at(cell), quantilePlainly([...own, ...own], 0.5))
  }
  t.equal(merged.at(0), undefined)
})

t.test('one number is counted as often as there is, however little a counter holds', async t => {
  for (const count of [255, 256, 65_535, 65_536, 300_000]) {
    const table = new NumberCounts(1)
    table.addNumbers(new Float64Array(count).fill(7))
    table.addNumbers(new Float64Array(2 * count).fill(9))
    const merged = new NumberCounts(1)
    merged.addPlain(structuredClone(table.toPlain()))
    merged.addPlain(table.toPlain())
    t.same(
      [0.33, 0.34].map(quantile => merged.quantile(quantile)),
      [7, 9],
      String(count),
    )
    t.equal(merged.distinctCount, 4)
    t.match(merged.toPlain(), { distinctCount: 2, stretches: [6 * count] })
    t.same(
      [0.33, 0.34].map(quantile => merged.quantile(quantile)),
      [7, 9],
      String(count),
    )
  }
})

t.test('a stretch of counters that are full', async t => {
  const table = new NumberCounts(1)
  const each = Float64Array.from({ length: 1_024 }, (_, i) => i)
  for (let i = 0; i < 255; i++) table.addNumbers(each)
  const { carried, stretches } = table.toPlain()
  t.equal(carried.counters.length, 0)
  t.same([...stretches], [1_024 * 255])
})

t.test('numbers that are seldom travel beside those that are carried', async t => {
  const table = new NumberCounts(1)
  table.addNumbers(new Float64Array(1_000).fill(7))
  table.addNumbers(Float64Array.of(3, 9_000, 200_000))
  const { counts, carried, stretches, distinctCount } = table.toPlain()
  t.equal(counts.length, 196 * 1_024, 'up to the end of the last stretch that has one')
  t.same([counts[3], counts[9_000], counts[200_000]], [1, 1, 1])
  t.same([...carried.counters], [7])
  t.equal(counts[7]! + carried.counts[0]!, 1_000)
  t.same([stretches[0], stretches[8], stretches.at(-1)], [1_001, 1, 1])
  t.equal(distinctCount, 4)
})

/** As it travels: each of 0 to `count - 1` once. */
function tableOfOnes(count: number): PlainNumberCounts {
  const table = new NumberCounts(1)
  table.addNumbers(Float64Array.from({ length: count }, (_, i) => i))
  return table.toPlain()
}

t.test('tables of other threads are given back when nothing more is asked', async t => {
  const samples = new QuantileAccumulator({ label: 'a' }, 0.5)
  const part = tableOfOnes(2 ** 10 - 1)
  const none = { values: new Float64Array(0), counts: new Uint32Array(0), skippedCount: 0 }
  const starts = Uint32Array.of(0, 0, 0)
  samples.addPlain(Uint32Array.of(0, 1), { ...none, starts, tables: [[1, part]] })
  t.equal(samples.at(1), 511)
  const canRelease = 'transfer' in ArrayBuffer.prototype // Not in Node 20.
  samples.release()
  t.equal(part.counts.length, canRelease ? 0 : 1_024)
})

t.test('distinct numbers in tables count towards the bound', async t => {
  const samples = new QuantileAccumulator({ label: 'a' }, 0.5)
  const ofTable = 2 ** 18 - 1
  const part = tableOfOnes(ofTable)
  const none = { values: new Float64Array(0), counts: new Uint32Array(0), skippedCount: 0 }
  const add = (cell: number) =>
    samples.addPlain(Uint32Array.of(0, cell), {
      ...none,
      starts: Uint32Array.of(0, 0, 0),
      tables: [[1, part]],
    })
  for (let cell = 1; cell <= 15; cell++) add(cell)
  add(1) // No others: the same once more.
  t.equal(samples.refusal, undefined)
  add(16)
  t.match(samples.refusal, /distinct numbers/)
})

t.test('what runs have twice counts once beside tables', async t => {
  const samples = new QuantileAccumulator({ label: 'a' }, 0.5)
  const count = 1_500_000
  const run = (from: number) => ({
    values: Float64Array.from({ length: count }, (_, i) => from + i + 0.123_45),
    counts: new Uint32Array(count).fill(1),
    starts: Uint32Array.of(0, 0, count),
    skippedCount: 0,
  })
  const table = tableOfOnes(2 ** 18 - 1)
  const none = { ...run(0), starts: Uint32Array.of(0, 0, 0), tables: [[1, table]] as const }
  for (let cell = 2; cell <= 9; cell++) samples.addPlain(Uint32Array.of(0, cell), none)
  samples.addPlain(Uint32Array.of(0, 1), { ...run(0), tables: [] })
  const smaller = { ...run(0), starts: Uint32Array.of(0, 0, 700_000), tables: [] }
  samples.addPlain(Uint32Array.of(0, 1), smaller) // Too short to be merged at once.
  t.equal(samples.refusal, undefined)
})
