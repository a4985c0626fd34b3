/**
 * Prints expressions as series: a table with one row for each point, from the operations that answer in
 * Prometheus' form. There a point at t is over (t - step, t], and times are in seconds.
 */
import { requestJson, strangeAnswer } from '../api.ts'
import type { Output } from '../output.ts'
import { jsonLine, printable } from '../printable.ts'
import { alignTable, numberText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import type { QueryOptions } from './options.ts'

interface Series {
  readonly labels: Readonly<Record<string, string>>
  /** Unix time in seconds, and the value as text: also `NaN` and `+Inf`. */
  readonly points: readonly (readonly [time: number, value: string])[]
}

export async function printSeries(
  options: QueryOptions,
  output: Output,
  terminal: Terminal,
): Promise<void> {
  const { api, query, range, stepMs, timeoutMs } = options
  const { startTime, endTime } = range
  const isOverTime = stepMs !== undefined
  const parameters = new URLSearchParams({
    query,
    ...(isOverTime
      ? { start: seconds(startTime), end: seconds(endTime), step: seconds(stepMs) }
      : // One point over the whole range, whose first millisecond is in it.
        { time: seconds(endTime), lookback_delta: seconds(endTime - startTime + 1) }),
    ...(options.stats ? { stats: 'all' } : {}),
    ...(timeoutMs === undefined ? {} : { timeout: `${timeoutMs}ms` }),
  })
  const operation = isOverTime ? 'query_range' : 'query'
  const path = `/api/v1/${operation}?${parameters}`
  const answer = await requestJson(api, { path, signal: output.closed })
  const { resultType, result, stats } = Object(answer.data) as Record<string, unknown>
  if (typeof resultType !== 'string' || !Array.isArray(result)) throw strangeAnswer(api.url)

  // A scalar is a point and not a list of series.
  const parts: readonly unknown[] =
    resultType === 'scalar' || resultType === 'string' ? [{ metric: {}, value: result }] : result
  for (const note of [answer.warnings, answer.infos].filter(Array.isArray).flat()) {
    terminal.stderr.write(`logstrata: ${printable(String(note))}\n`)
  }
  if (options.stats) terminal.stderr.write(jsonLine(stats ?? {}))
  await output.write(
    options.json ? parts.map(jsonLine).join('') : seriesTable(parts.map(readSeries), isOverTime),
  )
}

function seconds(ms: number): string {
  return String(ms / 1000)
}

function readSeries(part: unknown): Series {
  const { metric, value, values } = Object(part) as Record<string, unknown>
  const points: readonly unknown[] = Array.isArray(values) ? values : [value]
  return {
    labels: Object.fromEntries(
      Object.entries(Object(metric)).map(([name, text]) => [name, String(text)]),
    ),
    points: points.filter(Array.isArray).map(([time, text]) => [Number(time), String(text)]),
  }
}

/** Points by time; those of one time in the order of the answer. */
function seriesTable(series: readonly Series[], hasTime: boolean): string {
  if (series.length === 0) return 'no series\n'
  const labels = [...new Set(series.flatMap(({ labels }) => Object.keys(labels)))].sort()
  const points = series.flatMap(({ labels, points }) =>
    points.map(([time, value]) => ({ labels, time, value })),
  )
  const table = alignTable(
    [...(hasTime ? ['time:'] : []), ...labels.map(label => `${printable(label)}:`), 'value'],
    points
      .sort((a, b) => a.time - b.time)
      .map(({ labels: own, time, value }) => [
        ...(hasTime ? [timeText(time)] : []),
        ...labels.map(label => printable(own[label] ?? '')),
        valueText(value),
      ]),
  )
  return `${table.join('\n')}\n`
}

function timeText(time: number): string {
  const date = new Date(time * 1000)
  return Number.isNaN(date.getTime()) ? '?' : date.toISOString()
}

function valueText(value: string): string {
  const number = Number(value)
  return value.trim() !== '' && Number.isFinite(number) ? numberText(number) : printable(value)
}
