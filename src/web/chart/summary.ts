/** A chart in words, for those who do not see it. */

import { numberText } from '../format.ts'
import type { Zone } from '../time/clock.ts'
import { momentText } from './axis.ts'
import type { ChartSeries } from './chart.tsx'

export function summaryOf(
  label: string,
  times: readonly number[],
  series: readonly ChartSeries[],
  zone: Zone,
): string {
  const first = times[0]
  const last = times.at(-1)
  if (first === undefined || last === undefined || series.length === 0) return `${label}: no data.`
  const parts = series.map(({ name, values }) => {
    const known = values.filter(value => value !== undefined)
    if (known.length === 0) return `${name}: no values`
    const highest = known.reduce((a, b) => Math.max(a, b))
    const at = times[values.indexOf(highest)]
    const lowest = known.reduce((a, b) => Math.min(a, b))
    const when = at === undefined ? '' : ` at ${momentText(at, times, zone)}`
    return `${name}: from ${numberText(lowest)} to ${numberText(highest)}${when}`
  })
  const span = `${momentText(first, times, zone)} to ${momentText(last, times, zone)}`
  return `${label}, ${span}. ${parts.join('; ')}.`
}
