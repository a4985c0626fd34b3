/**
 * Series as the items of a JSON list, as Prometheus' and Loki's APIs have them. They are sent as they are
 * written: a range may have millions of points.
 */
import type { Labels, Series, Value } from '../../../query/evaluate/vector.ts'
import type { Timestamp } from '../../../record.ts'
import type { ReplyStream } from '../../reply/reply.ts'

/** The times of the points of a range. */
export interface Points {
  readonly start: Timestamp
  readonly stepMs: number
  readonly pointCount: number
}

/** The value of each series at one time. `metricOf`: its labels as JSON. */
export function* vectorItems(
  series: readonly Series[],
  time: Timestamp,
  metricOf: (labels: Labels) => string,
): Generator<string> {
  let separator = ''
  for (const {
    labels,
    points: [point],
  } of series) {
    if (point === undefined) continue
    yield `${separator}{"metric":${metricOf(labels)},"value":${sampleText(time, point)}}`
    separator = ','
  }
}

/** The values of each series at `start` and every step from there. */
export function* matrixItems(
  value: Value,
  { start, stepMs, pointCount }: Points,
  metricOf: (labels: Labels) => string,
): Generator<string> {
  const series =
    value.kind === 'vector'
      ? value.series
      : [{ labels: {}, points: new Array<number>(pointCount).fill(value.value) }]
  let separator = ''
  for (const { labels, points } of series) {
    let samples = ''
    for (let i = 0; i < points.length; i++) {
      const point = points[i]
      if (point === undefined) continue
      samples += `${samples === '' ? '' : ','}${sampleText(start + i * stepMs, point)}`
    }
    if (samples === '') continue
    yield `${separator}{"metric":${metricOf(labels)},"values":[${samples}]}`
    separator = ','
  }
}

/** A time in seconds and a value as text, as they are in JSON. */
export function sampleText(time: Timestamp, value: number): string {
  return `[${time / 1000},"${textOf(value)}"]`
}

export function textOf(value: number): string {
  if (Number.isFinite(value)) return String(value)
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '+Inf' : '-Inf'
}

/** Characters that are gathered before they are sent. */
const chunkLength = 64 * 1024

/** What is between `begin` and `end`, a few pieces at a time, so that none holds up the others. */
export async function* gathered(begin: string, pieces: Iterable<string>, end: string): ReplyStream {
  let text = begin
  for (const piece of pieces) {
    text += piece
    if (text.length < chunkLength) continue
    yield text
    text = ''
  }
  yield text + end
}
