/** Series of an aggregate as a chart and as a table, the largest first. */

import type { TimeSeries } from '../api/prometheus.ts'
import { compareNames } from '../natural-order.ts'

/** The value of one group, over the whole time. */
export interface GroupValue {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface ChartedSeries {
  readonly times: readonly number[]
  readonly series: readonly { readonly name: string; readonly values: (number | undefined)[] }[]
}

/** All series on the times of the buckets, undefined where a series has no point. */
export function chartedSeries(
  found: readonly TimeSeries[],
  { startTime, endTime, stepMs }: { startTime: number; endTime: number; stepMs: number },
): ChartedSeries {
  const count = Math.floor((endTime - startTime) / stepMs) + 1
  const times = Array.from({ length: count }, (_, index) => startTime + index * stepMs)
  const series = found.map(({ labels, points }) => {
    const values = new Array<number | undefined>(count).fill(undefined)
    for (const { time, value } of points) values[Math.round((time - startTime) / stepMs)] = value
    return { name: labelsText(labels), values }
  })
  return { times, series }
}

/** `checkout` for one label, `checkout, error` for several, `all` for none. */
export function labelsText(labels: Readonly<Record<string, string>>): string {
  const values = Object.values(labels)
  return values.length === 0 ? 'all' : values.map(value => (value === '' ? '""' : value)).join(', ')
}

/** Largest first, of equal ones by name; what is no number last. */
export function byValue<T extends GroupValue>(rows: readonly T[]): T[] {
  const rank = ({ value }: GroupValue) => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value)
  const compare = (a: number, b: number) => (a > b ? -1 : a < b ? 1 : 0)
  return rows
    .map(row => ({ row, rank: rank(row), name: labelsText(row.labels) }))
    .sort((a, b) => compare(a.rank, b.rank) || compareNames(a.name, b.name))
    .map(({ row }) => row)
}
