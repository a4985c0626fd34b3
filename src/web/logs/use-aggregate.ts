/** Asks for values: over the whole time, and over time for those of them that are drawn. */

import { roundBucketMs } from '../../query/collect/bucket-width.ts'
import { secondMs } from '../../time-units.ts'
import { querySeries, type SeriesAsked, type TimeSeries } from '../api/prometheus.ts'
import { elapsedText, plural } from '../format.ts'
import { isRanked, rankedSeries } from '../query/ranking.ts'
import { type Asked, useRequest } from '../state/request.ts'
import type { Times } from '../time/range.ts'
import { drawing, linesMax } from './aggregate-view.ts'
import { byValue, type GroupValue, labelsText } from './group-values.ts'
import { narrowed, timesNow } from './shown.ts'

export type AggregateAnswer = Awaited<ReturnType<typeof ask>>

export function useAggregate(key: string | undefined): Asked<AggregateAnswer> {
  const hasBefore = drawing.value === 'figure'
  const wanted = key === undefined ? undefined : `${key} ${hasBefore}`
  const found = useRequest(wanted, signal => ask(hasBefore, signal))
  return { ...found, settled: found.settled === wanted ? key : undefined }
}

/** @param hasBefore Whether the values of the same span before are asked for, too. */
async function ask(hasBefore: boolean, signal: AbortSignal) {
  const { startTime, endTime } = timesNow()
  const asked = narrowed()
  const times = pointTimes({ startTime, endTime })
  const wholeMs = Math.max(1, endTime - startTime)
  const askedAt = performance.now()
  const first = hasBefore ? endTime - wholeMs : endTime
  const whole = querySeries({ query: asked, startTime: first, endTime, stepMs: wholeMs }, signal)
  const overTime = isRanked(asked)
    ? whole.then(found => {
        const drawn = byValue(valuesAt(found, endTime)).slice(0, linesMax)
        const groups = drawn.map(({ labels }) => labels)
        return rankedSeries({ query: asked, ...times }, groups, signal)
      })
    : querySeries({ query: asked, ...times }, signal)
  const [found, drawn] = await Promise.all([whole, overTime])
  const elapsedMs = performance.now() - askedAt
  const before = new Map(
    (hasBefore ? valuesAt(found, first) : []).map(one => [labelsText(one.labels), one.value]),
  )
  return { times, overTime: drawn, rows: byValue(valuesAt(found, endTime)), before, elapsedMs }
}

/** The last point is about the time up to the end; the ones before lie in whole steps before it. */
function pointTimes({ startTime, endTime }: Times): Pick<SeriesAsked, 'stepMs' | keyof Times> {
  const stepMs = roundBucketMs(endTime - startTime)
  const last = stepMs % secondMs === 0 ? Math.ceil(endTime / secondMs) * secondMs : endTime
  const count = Math.max(1, Math.ceil((endTime - startTime) / stepMs))
  return { startTime: last - (count - 1) * stepMs, endTime: last, stepMs }
}

function valuesAt(found: readonly TimeSeries[], at: number): readonly GroupValue[] {
  return found.flatMap(({ labels, points }) => {
    const point = points.find(({ time }) => Math.abs(time - at) <= 1)
    return point === undefined ? [] : [{ labels, value: point.value }]
  })
}

export function aggregateText({ rows, elapsedMs }: AggregateAnswer): string {
  const count = plural(rows.length, 'group')
  return `${onlyValue(rows) === undefined ? count : '1 value'} · ${elapsedText(elapsedMs)}`
}

/** The answer that is one number, of no group. */
export function onlyValue(rows: readonly GroupValue[]): GroupValue | undefined {
  const [only] = rows
  return rows.length === 1 && Object.keys(only!.labels).length === 0 ? only : undefined
}
