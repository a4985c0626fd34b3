/**
 * How fast are facets, fields, values and contexts? `node bench/explore.ts [--count 2000000]
 * [--seed 1] [--runs 7] [--fresh] [--json FILE] [--quick]`, over the data of `query.ts`, all in segments.
 *
 * Times are whole HTTP requests on loopback, warm, one at a time. Answers about the fields that
 * `field-counts.ts` knows are compared with it; a wrong one ends the benchmark. The baseline counts
 * the same fields of all records in a Map, with everything as strings in memory, on one core.
 */
import { isDeepStrictEqual } from 'node:util'
import { describeStore } from './disk-size.ts'
import { type CountedField, countedFields, FieldCounts, type ValueCount } from './field-counts.ts'
import { needles } from './needles.ts'
import { dataOptions, readOptions } from './options.ts'
import { dataRange, openData } from './query-data.ts'
import { makeRecords } from './records.ts'
import { type BenchRow, writeResults } from './results.ts'
import { machineLine, median, millis, printTable, whole } from './table.ts'
import { describeWarm, measureWarm } from './warm.ts'

interface Ask {
  readonly work: string
  readonly operation: 'facets' | 'fields' | 'values' | 'context'
  readonly body: object
  readonly toReachMs: number
  /** Fields that the baseline counts. */
  readonly fields: readonly CountedField[]
  /** Throws when the answer is wrong. */
  readonly check: (answer: never) => void
}

interface FacetsAnswer {
  readonly facets: readonly {
    readonly field: string
    readonly values: readonly ValueCount[]
    readonly tooManyValues?: true
  }[]
}

interface NumbersAnswer {
  readonly facets: readonly {
    readonly numeric: {
      readonly count: number
      readonly least: number
      readonly greatest: number
      readonly quantiles: Readonly<Record<string, number>>
      readonly buckets: readonly { from: number; to: number; count: number }[]
    }
  }[]
}

const { count, seed, runs, fresh: isFresh, json, quick: isQuick } = readOptions(dataOptions)

// Before the service starts: it hangs up on a client that says nothing for ten seconds.
process.stderr.write('counting the fields of all records\n')
const truth = new FieldCounts(makeRecords({ seed, count }))
const data = await openData({ seed, count, isFresh, keepsMessages: false, isQuick })
const { service, figures, origin } = data
const range = dataRange(count)
const storeLine = describeStore(figures, service.dataDir)
const middle = await service.query('logs', { startTime: range.startTime + 43_200_000 })
const middleId = (middle.logs[0] as unknown as { readonly id: string }).id

const limit = 10
const query = 'logs'
const isSame = (seen: unknown, expected: unknown, what: string) => {
  if (!isDeepStrictEqual(seen, expected)) throw new Error(`wrong answer: ${what}`)
}

function facets(work: string, more: object, level?: string): Ask {
  const expected = new Map(
    countedFields.map(field => [field, truth.top(field, level).slice(0, limit)]),
  )
  const check = ({ facets }: FacetsAnswer) => {
    for (const { field, values, tooManyValues } of facets) {
      const known = expected.get(field as CountedField)
      if (tooManyValues !== true) isSame(values, known, `${work}, ${field}`)
    }
  }
  const body = { ...range, query, limit, ...more }
  return { work, operation: 'facets', body, toReachMs: 150, fields: countedFields, check }
}

function values(field: CountedField, prefix: string): Ask {
  const all = truth.top(field).filter(({ value }) => value.startsWith(prefix))
  return {
    work: `values of ${field}${prefix && ` from ${prefix}`}`,
    operation: 'values',
    body: { ...range, query, field, prefix, limit },
    toReachMs: 20,
    fields: [field],
    check: ({ values }: { values: unknown }) => isSame(values, all.slice(0, limit), field),
  }
}

/** Ends, quantiles and buckets of numbers, as the page has them beside a slider. */
function numbers(work: string, more: object): Ask {
  const sorted = truth.durations()
  const [least, greatest] = [sorted[0], sorted.at(-1)]
  const check = ({ facets: [facet] }: NumbersAnswer) => {
    if (facet === undefined) throw new Error(`wrong answer: ${work}`)
    const { buckets, quantiles, ...ends } = facet.numeric
    isSame([ends.least, ends.greatest, ends.count], [least, greatest, count], work)
    isSame(
      buckets.map(bucket => bucket.count),
      buckets.map(({ from, to }, i) => {
        const isLast = i === buckets.length - 1
        return sorted.filter(value => value >= from && (value < to || isLast)).length
      }),
      `${work}, buckets`,
    )
    for (const [q, value] of Object.entries(quantiles)) {
      const rank = Number(q) * (count - 1)
      const isBetween = sorted[Math.floor(rank)]! <= value && value <= sorted[Math.ceil(rank)]!
      isSame(isBetween, true, `${work}, ${q}`)
    }
  }
  const body = { ...range, query, fields: ['duration_ms'], numeric: true, ...more }
  return { work, operation: 'facets', body, toReachMs: 150, fields: [], check }
}

const fields = { operation: 'fields', toReachMs: 20, fields: [] } as const
const hasAll = ({ fields }: { fields: readonly { name: string; count: number }[] }) =>
  isSame(
    countedFields.map(field => fields.find(({ name }) => name === field)?.count),
    countedFields.map(() => count),
    'fields',
  )
const asks: readonly Ask[] = [
  facets('facets of 8 fields', { fields: countedFields }),
  facets('facets, chosen by the service', {}),
  facets(
    'facets of 8 fields, one level',
    { fields: countedFields, query: 'logs{log_level="error"}' },
    'error',
  ),
  facets('facets of 8 fields and of ids', {
    fields: [...countedFields, 'trace_id', 'duration_ms'],
  }),
  numbers('numbers of duration_ms', {}),
  { ...fields, work: 'fields', body: { ...range, query }, check: hasAll },
  {
    ...fields,
    work: 'fields of one level',
    body: { ...range, query: 'logs{log_level="error"}' },
    check: () => {},
  },
  values('service.name', ''),
  values('host', ''),
  values('host', 'node-1'),
  values('http.status', ''),
  values('logger', ''),
  {
    ...values('host', ''),
    work: 'values of trace_id (too many)',
    body: { ...range, query, field: 'trace_id' },
    fields: [],
    check: ({ tooManyValues }: { tooManyValues: unknown }) => isSame(tooManyValues, true, 'ids'),
  },
  {
    ...values('host', ''),
    work: 'values of trace_id from 8 digits',
    body: { ...range, query, field: 'trace_id', prefix: needles.traceId.slice(0, 8) },
    fields: [],
    check: ({ values }: { values: readonly ValueCount[] }) =>
      isSame(values[0], { value: needles.traceId, count: 1 }, 'a trace id'),
  },
  {
    work: 'context, 10 before and after',
    operation: 'context',
    body: { id: middleId },
    toReachMs: 20,
    fields: [],
    check: ({ before, after }: { before: unknown[]; after: unknown[] }) =>
      isSame([before.length, after.length], [10, 10], 'context'),
  },
]

const rows: string[][] = []
const results: BenchRow[] = []
for (const { work, operation, body, toReachMs, fields, check } of asks) {
  process.stderr.write(`${work}\n`)
  const timeAsk = async () => {
    const startedAt = performance.now()
    const answer = await service.ask<never>(operation, body)
    const elapsedMs = performance.now() - startedAt
    check(answer)
    return elapsedMs
  }
  const plain = plainTimes(fields)
  const warmMs = await measureWarm(timeAsk, runs)
  results.push({ work, measures: { 'warm ms': [warmMs], 'Map count ms': plain } })
  rows.push([
    work,
    millis(warmMs),
    String(toReachMs),
    plain.length === 0 ? '' : millis(median(plain)),
  ])
}
await service.stop()

console.log(`${machineLine()}; ${whole(count)} records; ${describeWarm(runs)}\n`)
const columns = 'Work: | Warm ms | To reach ms | Map count ms'
printTable(columns, rows)
console.log(`\n${storeLine}; ${origin}`)
writeResults(json, { bench: 'explore', conditions: { count, seed }, rows: results })

/** None for what the baseline has no answer to. */
function plainTimes(fields: readonly CountedField[]): number[] {
  if (fields.length === 0) return []
  return Array.from({ length: 3 }, () => truth.timePlainCount(fields))
}
