/** What an aggregate's series must be, worked out in the plainest way; and what to try it on. */
import fc from 'fast-check'
import type { Aggregate } from '../../../src/language/ast.ts'
import type { LogRecord, Stream } from '../../../src/record.ts'
import { labelValue, object } from '../plain.ts'

export interface Stored {
  readonly record: LogRecord
  readonly stream: Stream
}

export interface Buckets {
  readonly origin: number
  readonly stepMs: number
  readonly pointCount: number
}

export type Asked = Pick<Aggregate, 'operation' | 'by' | 'unwrap' | 'quantile'>

/** Series as text, in no order: the values of the labels, then the points. */
export type PlainSeries = readonly [values: readonly string[], points: readonly unknown[]]

/** The series of rows that match; and how many of those in range had no number. */
export function seriesPlainly(
  rows: readonly Stored[],
  { operation, by, unwrap, quantile }: Asked,
  { origin, stepMs, pointCount }: Buckets,
): { series: PlainSeries[]; skipped: number } {
  const end = origin + stepMs * pointCount
  const inRange = rows.filter(({ record }) => record.timestamp >= origin && record.timestamp < end)
  const groups = Map.groupBy(inRange, ({ record, stream }) =>
    JSON.stringify(by.map(label => labelValue(label, record, stream))),
  )
  const isCount = ['count', 'rate', 'count_distinct'].includes(operation)
  if (isCount && by.length === 0 && groups.size === 0) groups.set('[]', [])
  let skipped = 0
  const resultOf = (cell: readonly Stored[]): number | undefined => {
    if (operation === 'count') return cell.length
    if (operation === 'rate') return cell.length / (stepMs / 1000)
    const texts = cell.map(({ record, stream }) => labelValue(unwrap!, record, stream))
    if (operation === 'count_distinct') return new Set(texts.filter(text => text !== '')).size
    const numbers = texts.map(numberOf).filter(value => value !== undefined)
    skipped += texts.length - numbers.length
    if (numbers.length === 0) return undefined
    if (operation === 'sum') return sumOf(numbers)
    if (operation === 'avg') return sumOf(numbers) / numbers.length
    if (operation === 'min') return Math.min(...numbers)
    if (operation === 'max') return Math.max(...numbers)
    return quantileOf(numbers, quantile!)
  }
  const series: PlainSeries[] = []
  for (const [key, members] of groups) {
    const points = Array.from({ length: pointCount }, (_, i) => {
      const start = origin + i * stepMs
      return resultOf(
        members.filter(
          ({ record }) => record.timestamp >= start && record.timestamp < start + stepMs,
        ),
      )
    })
    if (points.some(point => point !== undefined)) series.push([JSON.parse(key), points])
  }
  return { series, skipped }
}

export function numberOf(text: string): number | undefined {
  if (!/^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$/.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value + 0 : undefined
}

/** Exact, rounded once: in whole units of the smallest number there is, all of them. */
export function sumOf(numbers: readonly number[]): number {
  // Shewchuk's partial sums, as in Python's fsum.
  const partials: number[] = []
  for (const number of numbers) {
    let x = number
    let count = 0
    for (const partial of partials) {
      const [large, small] = Math.abs(x) < Math.abs(partial) ? [partial, x] : [x, partial]
      const high = large + small
      const low = small - (high - large)
      if (low !== 0) partials[count++] = low
      x = high
    }
    partials.length = count
    partials.push(x)
  }
  let high = partials.pop() ?? 0
  let low = 0
  while (partials.length > 0) {
    const x = high
    const y = partials.pop()!
    high = x + y
    low = y - (high - x)
    if (low !== 0) break
  }
  const next = partials.at(-1) ?? 0
  if ((low < 0 && next < 0) || (low > 0 && next > 0)) {
    const y = low * 2
    const x = high + y
    if (y === x - high) high = x
  }
  return high
}

export function quantileOf(numbers: readonly number[], quantile: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const rank = quantile * (sorted.length - 1)
  const lower = Math.floor(rank)
  const upper = Math.min(sorted.length - 1, lower + 1)
  const weight = rank - lower
  return sorted[lower]! * (1 - weight) + sorted[upper]! * weight
}

/** Zero is zero: JSON knows no other. And undefined is a value here. */
export function comparable(series: readonly PlainSeries[]): unknown[] {
  return series
    .map(([values, points]) =>
      JSON.stringify([values, points.map(point => (point === undefined ? 'none' : String(point)))]),
    )
    .sort()
}

/** Numbers of every form, and texts that look like one. */
const numberTexts = [
  '0',
  '1',
  '2',
  '-7',
  '200',
  '404',
  '0.1',
  '0.2',
  '-2.5',
  '12.75',
  '1e3',
  '1E-20',
  '1e250',
  '-1e250',
  '+3',
  '.5',
  '5.',
  '-0',
  '007',
  '9007199254740993',
  '0.1234567890123456789',
  '',
  '.',
  '-',
  'null',
  'NaN',
  'Infinity',
  '0x10',
  ' 1',
  '1 ',
  '1_000',
  '1,5',
  '1e999',
  '1e',
  '12ms',
  '٣',
]

const integerTexts = ['0', '1', '3', '17', '-4']

/** The attributes: of anything, of integers only, of one value, of few records. */
const arbitraryAttributes = fc
  .tuple(
    fc.option(fc.constantFrom(...numberTexts), { nil: undefined }),
    fc.option(fc.constantFrom(...integerTexts), { nil: undefined, freq: 8 }),
    fc.option(fc.constant('7.5'), { nil: undefined }),
    fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }), {
      nil: undefined,
    }),
  )
  .map(([mixed, integer, constant, double]) => {
    const values: [string, string | undefined][] = [
      ['mixed', mixed],
      ['integer', integer],
      ['constant', constant],
      ['__proto__', double === undefined ? undefined : String(double)],
    ]
    return values.flatMap(([name, value]) => (value === undefined ? [] : [name, value]))
  })

const labels = [
  'service.name',
  'environment',
  'log_level',
  'mixed',
  'integer',
  'constant',
  'absent',
]
const unwrapped = ['mixed', 'integer', 'constant', '__proto__', 'absent', 'message', 'service.name']

export const arbitraryStored: fc.Arbitrary<Stored> = object({
  record: object({
    timestamp: fc.oneof(
      fc.integer({ min: -3_000, max: 3_000 }),
      fc.integer({ min: -12, max: 12 }),
      fc.integer({ min: 2_000, max: 2_005 }),
    ),
    level: fc.constantFrom('info', 'warn', 'error'),
    message: fc.constantFrom('m', '1', '2.5', 'user 42', 'user 43', ''),
    attributes: arbitraryAttributes,
  }),
  stream: object({
    service: fc.constantFrom('api', 'worker', '17'),
    environment: fc.constantFrom('prod', 'dev'),
  }),
})

export const arbitraryAsked: fc.Arbitrary<Asked> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...labels, 'message'), { maxLength: 3 }),
    fc.constantFrom(...unwrapped),
    fc.oneof(fc.constantFrom(0, 0.5, 0.95, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  )
  .chain(([by, unwrap, quantile]) => {
    const ofRecords = ['count', 'rate'] as const
    const ofValues = ['sum', 'avg', 'min', 'max', 'count_distinct'] as const
    return fc.oneof(
      fc.constantFrom(...ofRecords).map(operation => asked({ operation, by })),
      fc.constantFrom(...ofValues).map(operation => asked({ operation, by, unwrap })),
      fc.constant(asked({ operation: 'quantile', by, unwrap, quantile })),
    )
  })

export function asked({
  operation,
  by = [],
  unwrap,
  quantile,
}: Partial<Asked> & Pick<Asked, 'operation'>): Asked {
  return { operation, by, unwrap, quantile }
}

export const arbitraryBuckets: fc.Arbitrary<Buckets> = object({
  origin: fc.integer({ min: -3_100, max: 3_000 }),
  stepMs: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 51, max: 5_000 })),
  pointCount: fc.integer({ min: 1, max: 60 }),
})
