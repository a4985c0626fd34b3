/**
 * How fast are time series? `node bench/series.ts [--count 2000000] [--seed 1] [--runs 7] [--fresh]
 * [--json FILE] [--quick]`, over the data of `query.ts`, all in segments.
 *
 * Each is a range of 60 points over all records, asked as Grafana does, through Prometheus' API.
 * Times are whole HTTP requests on loopback, warm, one at a time. Answers are compared with what the
 * records say, point by point; a wrong one ends the benchmark.
 */

import { describeStore } from './disk-size.ts'
import { dataOptions, readOptions } from './options.ts'
import { dataRange, openData } from './query-data.ts'
import { makeRecords } from './records.ts'
import { type BenchRow, writeResults } from './results.ts'
import { SeriesTruth } from './series-truth.ts'
import type { RangeSeries } from './service.ts'
import { machineLine, millis, printTable, whole } from './table.ts'
import { describeWarm, measureWarm } from './warm.ts'

interface Ask {
  readonly work: string
  readonly query: string
  readonly toReachMs: number
  /** What a point must be, within rounding; undefined for one that is not checked. */
  readonly expect: (metric: RangeSeries['metric'], bucket: number) => number | undefined
}

const { count, seed, runs, fresh: isFresh, json, quick: isQuick } = readOptions(dataOptions)

const pointCount = 60
const { startTime, endTime } = dataRange(count)
const stepMs = (endTime + 1 - startTime) / pointCount
const bucketOf = (timestamp: number) => Math.floor((timestamp - startTime) / stepMs)
/** The point at t is about the records after t - step up to t. */
const firstPoint = startTime + stepMs - 1
const range = {
  start: firstPoint / 1000,
  end: (firstPoint + (pointCount - 1) * stepMs) / 1000,
  step: stepMs / 1000,
}

// First, because the service closes a connection that is quiet for so long.
process.stderr.write('taking the figures of all records\n')
const truth = new SeriesTruth(makeRecords({ seed, count }), bucketOf)
const data = await openData({ seed, count, isFresh, keepsMessages: false, isQuick })
const { service, figures, origin } = data
const storeLine = describeStore(figures, service.dataDir)

const serviceOf = (metric: RangeSeries['metric']) => metric['service.name']!

function durations(
  work: string,
  operation: string,
  figure: (durations: readonly number[]) => number,
  firstArgument = '',
): Ask {
  const query = `${operation} by (service.name) (${firstArgument}logs | unwrap duration_ms)`
  const expect = (metric: RangeSeries['metric'], bucket: number) =>
    figure(truth.durations(serviceOf(metric), bucket))
  return { work, query, toReachMs: 150, expect }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function quantile(values: readonly number[], share: number): number {
  const rank = share * (values.length - 1)
  const lower = Math.floor(rank)
  const upper = Math.min(values.length - 1, lower + 1)
  const weight = rank - lower
  return values[lower]! * (1 - weight) + values[upper]! * weight
}

const asks: readonly Ask[] = [
  {
    work: 'count by level',
    query: 'count by (log_level) (logs)',
    toReachMs: 60,
    expect: ({ log_level }, bucket) => truth.count('level', log_level!, bucket),
  },
  {
    work: 'count by service',
    query: 'count by (service.name) (logs)',
    toReachMs: 60,
    expect: (metric, bucket) => truth.count('service', serviceOf(metric), bucket),
  },
  {
    work: 'rate by host',
    query: 'rate by (host) (logs)',
    toReachMs: 60,
    expect: ({ host }, bucket) => truth.count('host', host!, bucket) / (stepMs / 1000),
  },
  {
    work: 'count by service, level and host (2,560 series)',
    query: 'count by (service.name, log_level, host) (logs)',
    toReachMs: 300,
    expect: (metric, bucket) => {
      const group = `${serviceOf(metric)}/${metric.log_level}/${metric.host}`
      return truth.count('all', group, bucket)
    },
  },
  durations('sum of durations by service', 'sum', sum),
  durations('average duration by service', 'avg', all => sum(all) / all.length),
  durations('longest duration by service', 'max', all => all.at(-1)!),
  durations('95th percentile by service', 'quantile', all => quantile(all, 0.95), '0.95, '),
  {
    work: 'distinct hosts by service',
    query: 'count_distinct by (service.name) (logs | unwrap host)',
    toReachMs: 150,
    expect: () => undefined,
  },
  {
    work: 'share of errors by service',
    query:
      'count by (service.name) (logs{log_level="error"}) / count by (service.name) (logs) * 100',
    toReachMs: 120,
    expect: () => undefined,
  },
]

const rows: string[][] = []
const results: BenchRow[] = []
for (const ask of asks) {
  process.stderr.write(`${ask.work}\n`)
  let seriesCount = 0
  const timeAsk = async () => {
    const startedAt = performance.now()
    const series = await service.range(ask.query, range)
    const elapsedMs = performance.now() - startedAt
    check(ask, series)
    seriesCount = series.length
    return elapsedMs
  }
  const warmMs = await measureWarm(timeAsk, runs)
  results.push({ work: ask.work, measures: { 'warm ms': [warmMs] } })
  rows.push([ask.work, whole(seriesCount), millis(warmMs), String(ask.toReachMs)])
}
await service.stop()

console.log(
  `${machineLine()}; ${whole(count)} records, ${pointCount} points; ${describeWarm(runs)}\n`,
)
const columns = 'Work: | Series | Warm ms | To reach ms'
printTable(columns, rows)
console.log(`\n${storeLine}; ${origin}`)
writeResults(json, { bench: 'series', conditions: { count, seed }, rows: results })

function check({ query, expect }: Ask, series: readonly RangeSeries[]): void {
  if (series.length === 0) throw new Error(`no series for ${query}`)
  for (const { metric, values } of series) {
    for (const [seconds, value] of values) {
      const bucket = bucketOf(Math.round(seconds * 1000))
      const expected = expect(metric, bucket)
      if (expected === undefined) continue
      // The plain sum of the truth is rounded at every step.
      if (Math.abs(Number(value) - expected) > 1e-9 * Math.abs(expected)) {
        const what = `${JSON.stringify(metric)} at ${seconds}: ${value}, not ${expected}`
        throw new Error(`wrong answer to ${query}: ${what}`)
      }
    }
  }
}
