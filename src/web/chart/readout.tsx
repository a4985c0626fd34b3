/** The values at the crosshair. */

import { zone } from '../time/zone.ts'
import { momentText } from './axis.ts'
import type { ChartProps } from './chart.tsx'

interface ReadoutProps {
  readonly index: number
  /** Pixels from the left of the chart. */
  readonly left: number
  readonly chart: ChartProps
  valueText(value: number): string
}

const shownMax = 12

export function Readout({ index, left, chart, valueText }: ReadoutProps) {
  const time = chart.times[index]
  if (time === undefined) return null
  const all = chart.series.map(({ name, color, values }) => ({ name, color, value: values[index] }))
  const present = all.filter(
    ({ value }) => value !== undefined && (chart.kind !== 'bars' || value > 0),
  )
  const largest = present.toSorted((a, b) => b.value! - a.value!)
  // On the side with more room, so that it never covers what it is about.
  const isRight = left > innerWidth / 2
  return (
    <div
      class="readout floating"
      role="status"
      style={isRight ? { right: `calc(100% - ${left - 12}px)` } : { left: `${left + 12}px` }}
    >
      <div class="readout-time soft">{momentText(time, chart.times, zone.value)}</div>
      {largest.slice(0, shownMax).map(({ name, color, value }) => (
        <div class="readout-line line" key={name}>
          <span class="swatch" style={{ background: `var(${color})` }} />
          <span class="truncate">{name}</span>
          <span class="readout-value at-end strong">{valueText(value!)}</span>
        </div>
      ))}
      {chart.earlier?.[index] !== undefined && (
        <div class="readout-line soft line">
          <span class="swatch" />
          <span class="truncate">period before</span>
          <span class="readout-value at-end strong">{valueText(chart.earlier[index])}</span>
        </div>
      )}
      {largest.length === 0 && <div class="soft">nothing</div>}
      {largest.length > shownMax && <div class="soft">and {largest.length - shownMax} more</div>}
    </div>
  )
}
