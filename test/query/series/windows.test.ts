import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { RangeOperation } from '../../../src/language/ast.ts'
import { pieceAt, piecesOf, startOf } from '../../../src/query/series/pieces.ts'
import { SeriesTally } from '../../../src/query/series/series.ts'
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
  readonly operation: RangeOperation
  readonly by: readonly string[]
  readonly rangeMs: number
  readonly unwrap: string | undefined
  readonly quantile: number | undefined
}

/** LogQL's own words: at each point, the records of the range that ends there. */
function rangesPlainly(
  rows: readonly Stored[],
  { operation, by, rangeMs, unwrap, quantile }: Asked,
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
      if (operation === 'rate') return inRange.length / (rangeMs / 1000)
      const bytes = inRange.reduce((sum, { record }) => sum + Buffer.byteLength(record.message), 0)
      if (operation === 'bytes_over_time') return bytes
      if (operation === 'bytes_rate') return bytes / (rangeMs / 1000)
      const numbers = inRange
        .map(({ record, stream }) => numberOf(labelValue(unwrap!, record, stream)))
        .filter(value => value !== undefined)
      if (numbers.length === 0) return undefined
      if (operation === 'sum_over_time') return sumOf(numbers)
      if (operation === 'avg_over_time') return sumOf(numbers) / numbers.length
      if (operation === 'min_over_time') return Math.min(...numbers)
      if (operation === 'max_over_time') return Math.max(...numbers)
      return quantileOf(numbers, quantile!)
    })
    return [JSON.parse(key), points]
  }).filter(([, points]) => points.some(point => point !== undefined))
}

const arbitraryAsked: fc.Arbitrary<Asked> = object({
  operation: fc.constantFrom<RangeOperation>(
    ...(['count_over_time', 'rate', 'bytes_over_time', 'bytes_rate', 'sum_over_time'] as const),
    ...(['avg_over_time', 'min_over_time', 'max_over_time', 'quantile_over_time'] as const),
  ),
  unwrap: fc.constantFrom('mixed', 'integer', 'absent', '__proto__'),
  quantile: fc.constantFrom(0, 0.5, 0.95),
  by: fc.uniqueArray(fc.constantFrom('service.name', 'log_level', 'mixed', 'absent'), {
    maxLength: 2,
  }),
  rangeMs: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 9_000 })),
})

/** Parts of the rows, each part for one of a few threads. */
const arbitraryParts = fc.array(
  fc.tuple(fc.nat(2), fc.array(arbitraryStored, { minLength: 1, maxLength: 40 })),
  { minLength: 1, maxLength: 6 },
)

t.test(
  'a point is about all records of its range, however ranges overlap or leave gaps',
  async () => {
    fc.assert(
      fc.property(arbitraryParts, arbitraryAsked, arbitraryBuckets, (parts, ask, buckets) => {
        const request = { ...ask, kind: 'series' } as const
        const tallies = [0, 1, 2].map(() => new SeriesTally({ ...request, ...buckets }))
        const { origin } = piecesOf(buckets, ask.rangeMs)
        const end = buckets.origin + buckets.stepMs * buckets.pointCount
        for (const [thread, rows] of parts) {
          const columns = batchOf(rows)
          const selected = Uint8Array.from({ length: columns.recordCount }, (_, row) => {
            const time = columns.timestamp(row)
            return origin <= time && time < end ? 1 : 0
          })
          if (selected.includes(1)) tallies[thread]!.add(columns, selected)
        }
        const whole = new SeriesTally({ ...request, ...buckets })
        for (const tally of tallies) whole.addPlain(structuredClone(tally.toPlain()))
        const found = whole
          .toSeries()
          .map(({ labels, points }): PlainSeries => [ask.by.map(label => labels[label]!), points])
        const expected = rangesPlainly(
          parts.flatMap(([, rows]) => rows),
          ask,
          buckets,
        )
        assert.deepEqual(comparable(found), comparable(expected))
      }),
      longRuns(300),
    )
  },
)

t.test('pieces follow each other without a gap, and points are of whole pieces', async () => {
  const arbitraryRange = fc.integer({ min: 1, max: 9_000 })
  fc.assert(
    fc.property(arbitraryBuckets, arbitraryRange, (buckets, rangeMs) => {
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
    }),
  )
})

t.test('a range of more pieces than an answer may have points is refused at once', async t => {
  const buckets = { origin: 0, stepMs: 1, pointCount: 1_000 }
  const request = { kind: 'series', operation: 'rate', by: [], rangeMs: 86_400_000 } as const
  const tally = new SeriesTally({ ...request, ...buckets, unwrap: undefined, quantile: undefined })
  t.match(tally.refusal, /more than 5000000 points/)
})
