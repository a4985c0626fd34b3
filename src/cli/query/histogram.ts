/** Prints counts by time and level: one line for each bucket, with a bar. */
import { requestJson, strangeAnswer } from '../api.ts'
import type { Output } from '../output.ts'
import { jsonLine, printable } from '../printable.ts'
import { alignTable, numberText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { tellInterpretation } from './interpretation.ts'
import type { QueryOptions } from './options.ts'

interface Bucket {
  readonly start: number
  readonly count: number
  readonly levels: Readonly<Record<string, number>>
}

const barColumns = 30

export async function printHistogram(
  options: QueryOptions,
  output: Output,
  terminal: Terminal,
): Promise<void> {
  const { api, query, range, stepMs, timeoutMs } = options
  const answer = await requestJson(api, {
    method: 'POST',
    path: '/api/v1/query/logs/histogram',
    body: { query, ...range, bucketMs: stepMs, timeoutMs },
    signal: output.closed,
  })
  if (!Array.isArray(answer.buckets)) throw strangeAnswer(api.url)
  tellInterpretation(answer.interpretedAs, terminal)
  if (options.stats) terminal.stderr.write(jsonLine(answer.stats ?? {}))
  await output.write(
    options.json
      ? answer.buckets.map(jsonLine).join('')
      : histogramTable(answer.buckets.map(readBucket)),
  )
}

function readBucket(bucket: unknown): Bucket {
  const { start, count, levels } = Object(bucket) as Record<string, unknown>
  const counts = Object.entries(Object(levels)).map(([level, n]) => [level, Number(n)] as const)
  return { start: Number(start), count: Number(count), levels: Object.fromEntries(counts) }
}

/** A column for each level that occurs, the most frequent first. */
function histogramTable(buckets: readonly Bucket[]): string {
  const totals = new Map<string, number>()
  for (const { levels } of buckets) {
    for (const [level, count] of Object.entries(levels)) {
      totals.set(level, (totals.get(level) ?? 0) + count)
    }
  }
  const levels = [...totals].sort((a, b) => b[1] - a[1]).map(([level]) => level)
  const largest = buckets.reduce((most, { count }) => Math.max(most, count), 0)
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  const table = alignTable(
    ['from:', 'count', ...levels.map(printable), ':'],
    buckets.map(bucket => [
      new Date(bucket.start).toISOString(),
      numberText(bucket.count),
      ...levels.map(level => numberText(bucket.levels[level] ?? 0)),
      bar(bucket.count, largest),
    ]),
  )
  return `${numberText(total)} records\n${table.join('\n')}\n`
}

/** Anything at all is seen: a bucket with records has a bar. */
function bar(count: number, largest: number): string {
  return count === 0 ? '' : '█'.repeat(Math.max(1, Math.round((count / largest) * barColumns)))
}
