import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { RangeOperation, UnwrapUnit } from '../../../src/language/ast.ts'
import { pieceAt, piecesOf, startOf } from '../../../src/query/series/pieces.ts'
import { SeriesCollector } from '../../../src/query/series/series-collector.ts'
import { forAll } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import { labelValue, object } from '../plain.ts'
import { batchOf } from './batches.ts'
import {
  arbitraryBuckets,
  arbitraryStored,
  type Buckets,
  comparable,
  numberOf,
  type PlainSeries,
  quantileOf,
  type Stored,
  sumOf,
} from './plain.ts'

interface Asked {
  readonly operation: Exclude<RangeOperation, 'absent_over_time'>
  readonly by: readonly string[]
  readonly rangeMs: number
  readonly unwrap: string | undefined
  readonly quantile: number | undefined
  readonly unwrapUnit?: UnwrapUnit
}

/** LogQL's own words: at each point, the records of the range that ends there. */
function rangesPlainly(
  rows: readonly Stored[],
  { operation, by, rangeMs, unwrap, quantile, unwrapUnit }: Asked,
  { origin, stepMs, pointCount }: Buckets,
): PlainSeries[] {
  const groups = Map.groupBy(rows, ({ record, stream }) =>
    JSON.stringify(by.map(label => labelValue(label, record, stream))),
  )
  return Array.from(groups, ([key, members]): PlainSeries => {
    const points = Array.from({ length: pointCount }, (_, i) => {
      const end = origin + (i + 1) * stepMs
      const inRange = members.filter(
        ({ record }) => end - rangeMs <= record.timestamp && record.timestamp < end,
      )
      if (inRange.length === 0) return undefined
      if (operation === 'count_over_time') return inRange.length
      if (operation === 'rate' && unwrap === undefined) return inRange.length / (rangeMs / 1000)
      const bytes = inRange.reduce((sum, { record }) => sum + Buffer.byteLength(record.message), 0)
      if (operation === 'bytes_over_time') return bytes
      if (operation === 'bytes_rate') return bytes / (rangeMs / 1000)
      // By time; those of one ms are in the order in which they came.
      const numbers = inRange
        .toSorted((a, b) => a.record.timestamp - b.record.timestamp)
        .map(({ record, stream }) => unwrapped(labelValue(unwrap!, record, stream), unwrapUnit))
        .filter(value => value !== undefined)
      if (numbers.length === 0) return undefined
      if (operation === 'sum_over_time') return sumOf(numbers)
      if (operation === 'rate') return sumOf(numbers) / (rangeMs / 1000)
      if (operation === 'first_over_time') return numbers[0]
      if (operation === 'last_over_time') return numbers.at(-1)
      if (operation === 'rate_counter') {
        const steps = numbers.slice(1).map((value, i) => {
          return value < numbers[i]! ? value : value - numbers[i]!
        })
        return steps.reduce((a, b) => a + b, 0) / (rangeMs / 1000)
      }
      if (operation === 'stdvar_over_time') return varianceOf(numbers)
      if (operation === 'stddev_over_time') return Math.sqrt(varianceOf(numbers))
      if (operation === 'avg_over_time') return sumOf(numbers) / numbers.length
      if (operation === 'min_over_time') return Math.min(...numbers)
      if (operation === 'max_over_time') return Math.max(...numbers)
      return quantileOf(numbers, quantile!)
    })
    return [JSON.parse(key), points]
  }).filter(([, points]) => points.some(point => point !== undefined))
}

/** Durations in seconds and sizes in bytes, of the few forms that records here have. */
function unwrapped(text: string, unit: UnwrapUnit | undefined): number | undefined {
  if (unit === undefined) return numberOf(text)
  if (unit === 'duration') return text === '12ms' ? 0.012 : /^[-+]?0$/.test(text) ? 0 : undefined
  if (!/^ ?([0-9]+(\.[0-9]*)?|\.[0-9]+)[eE]? ?$/.test(text)) return undefined
  const size = text.replace(/[eE]/, '')
  return Math.floor(Number(size) * (size === text ? 1 : 1e18))
}

/** Exact, in whole units of the smallest number that there is; divided in many digits. */
function varianceOf(numbers: readonly number[]): number {
  const units = numbers.map(unitsOf)
  const sum = units.reduce((a, b) => a + b)
  const n = BigInt(numbers.length)
  const squares = units.reduce((a, b) => a + b * b, 0n)
  const digits = 10n ** 700n
  const found = ((n * squares - sum * sum) * digits) / (n * n)
  const text = (found / 2n ** 2148n).toString()
  return Number(`${text}e-700`)
}

function unitsOf(value: number): bigint {
  let exponent = 0
  let whole = value
  while (!Number.isInteger(whole)) {
    whole *= 2
    exponent++
  }
  return BigInt(whole) * 2n ** BigInt(1074 - exponent)
}

const arbitraryAsked: fc.Arbitrary<Asked> = object({
  operation: fc.constantFrom<Asked['operation']>(
    ...(['count_over_time', 'rate', 'bytes_over_time', 'bytes_rate', 'sum_over_time'] as const),
    ...(['avg_over_time', 'min_over_time', 'max_over_time', 'quantile_over_time'] as const),
    ...(['stddev_over_time', 'stdvar_over_time', 'first_over_time', 'last_over_time'] as const),
    'rate_counter',
  ),
  unwrap: fc.constantFrom('mixed', 'integer', 'absent', '__proto__', undefined),
  unwrapUnit: fc.constantFrom(undefined, 'duration' as const, 'bytes' as const),
  quantile: fc.constantFrom(0, 0.5, 0.95),
  by: fc.uniqueArray(fc.constantFrom('service.name', 'log_level', 'mixed', 'absent'), {
    maxLength: 2,
  }),
  rangeMs: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 9_000 })),
})
  // Without an attribute only records are asked for.
  .map(({ unwrapUnit, ...ask }) => ({
    ...ask,
    ...(ask.unwrap === undefined && /_over_time|rate_counter/.test(ask.operation)
      ? { unwrap: 'mixed' }
      : { unwrap: ask.unwrap }),
    ...(unwrapUnit && { unwrapUnit }),
  }))

/** Parts of the rows, each part for one of a few threads. */
const arbitraryParts = fc.array(
  fc.tuple(fc.nat(2), fc.array(arbitraryStored, { minLength: 1, maxLength: 40 })),
  { minLength: 1, maxLength: 6 },
)

t.test(
  'a point is about all records of its range, however ranges overlap or leave gaps',
  async () => {
    forAll(
      longRuns(300),
      arbitraryParts,
      arbitraryAsked,
      arbitraryBuckets,
      (parts, ask, buckets) => {
        const request = { ...ask, kind: 'series' } as const
        const collectors = [0, 1, 2].map(() => new SeriesCollector({ ...request, ...buckets }))
        const { origin } = piecesOf(buckets, ask.rangeMs)
        const end = buckets.origin + buckets.stepMs * buckets.pointCount
        let sequence = 1
        for (const [thread, rows] of parts) {
          const columns = batchOf(rows, sequence)
          sequence += rows.length
          const selected = Uint8Array.from({ length: columns.recordCount }, (_, row) => {
            const time = columns.timestamp(row)
            return origin <= time && time < end ? 1 : 0
          })
          if (selected.includes(1)) collectors[thread]!.add(columns, selected)
        }
        const whole = new SeriesCollector({ ...request, ...buckets })
        for (const collector of collectors) whole.addPlain(structuredClone(collector.toPlain()))
        const found = whole
          .toSeries()
          .map(({ labels, points }): PlainSeries => [ask.by.map(label => labels[label]!), points])
        const expected = rangesPlainly(
          parts.flatMap(([, rows]) => rows),
          ask,
          buckets,
        )
        assert.deepEqual(comparable(found), comparable(expected))
      },
    )
  },
)

t.test('pieces follow each other without a gap, and points are of whole pieces', async () => {
  const arbitraryRange = fc.integer({ min: 1, max: 9_000 })
  forAll(arbitraryBuckets, arbitraryRange, (buckets, rangeMs) => {
    const pieces = piecesOf(buckets, rangeMs)
    const { perPoint, width, pieceCount } = pieces
    for (let piece = 0; piece < Math.min(pieceCount, 200); piece++) {
      assert.equal(pieceAt(pieces, startOf(pieces, piece)), piece)
      assert.equal(pieceAt(pieces, startOf(pieces, piece + 1) - 1), piece)
    }
    for (let point = 0; point < Math.min(buckets.pointCount, 50); point++) {
      const end = buckets.origin + (point + 1) * buckets.stepMs
      assert.equal(startOf(pieces, point * perPoint), end - rangeMs)
      assert.equal(startOf(pieces, point * perPoint + width), end)
    }
  })
})

t.test('a range of more pieces than an answer may have points is refused at once', async t => {
  const buckets = { origin: 0, stepMs: 1, pointCount: 1_000 }
  const request = { kind: 'series', operation: 'rate', by: [], rangeMs: 86_400_000 } as const
  const collector = new SeriesCollector({
    ...request,
    ...buckets,
    unwrap: undefined,
    quantile: undefined,
  })
  t.match(collector.refusal, /more than 5000000 points/)
})
