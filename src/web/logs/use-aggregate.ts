/** Asks for values: over the whole time, and over time for those of them that are drawn. */

import { roundBucketMs } from '../../query/collect/bucket-width.ts'
import { querySeries, type SeriesAsked, type TimeSeries } from '../api/prometheus.ts'
import { countText, elapsedText } from '../format.ts'
import { isRanked, rankedSeries } from '../query/ranking.ts'
import { type Asked, useRequest } from '../state/request.ts'
import type { Times } from '../time/range.ts'
import { byValue, type GroupValue } from './group-values.ts'
import { narrowed, timesNow } from './shown.ts'

/** Lines that can be told apart. */
export const linesMax = 16
const secondMs = 1_000

export type AggregateAnswer = Awaited<ReturnType<typeof ask>>

export function useAggregate(key: string | undefined): Asked<AggregateAnswer> {
  return useRequest(key, ask)
}

async function ask(signal: AbortSignal) {
  const { startTime, endTime } = timesNow()
  const asked = narrowed()
  const times = pointTimes({ startTime, endTime })
  const wholeMs = Math.max(1, endTime - startTime)
  const askedAt = performance.now()
  const whole = querySeries({ query: asked, startTime: endTime, endTime, stepMs: wholeMs }, signal)
  const overTime = isRanked(asked)
    ? whole.then(found => {
        const drawn = byValue(valuesOf(found)).slice(0, linesMax)
        const groups = drawn.map(({ labels }) => labels)
        return rankedSeries({ query: asked, ...times }, groups, signal)
      })
    : querySeries({ query: asked, ...times }, signal)
  const [found, drawn] = await Promise.all([whole, overTime])
  const elapsedMs = performance.now() - askedAt
  return { times, overTime: drawn, rows: byValue(valuesOf(found)), elapsedMs }
}

/** The last point is about the time up to the end; the ones before lie in whole steps before it. */
function pointTimes({ startTime, endTime }: Times): Pick<SeriesAsked, 'stepMs' | keyof Times> {
  const stepMs = roundBucketMs(endTime - startTime)
  const last = stepMs % secondMs === 0 ? Math.ceil(endTime / secondMs) * secondMs : endTime
  const count = Math.max(1, Math.ceil((endTime - startTime) / stepMs))
  return { startTime: last - (count - 1) * stepMs, endTime: last, stepMs }
}

function valuesOf(found: readonly TimeSeries[]): readonly GroupValue[] {
  return found.flatMap(({ labels, points: [point] }) => {
    return point === undefined ? [] : [{ labels, value: point.value }]
  })
}

export function aggregateText({ rows, elapsedMs }: AggregateAnswer): string {
  const count = rows.length === 1 ? '1 group' : `${countText(rows.length)} groups`
  return `${onlyValue(rows) === undefined ? count : '1 value'} · ${elapsedText(elapsedMs)}`
}

/** The answer that is one number, of no group. */
export function onlyValue(rows: readonly GroupValue[]): GroupValue | undefined {
  const [only] = rows
  return rows.length === 1 && Object.keys(only!.labels).length === 0 ? only : undefined
}
