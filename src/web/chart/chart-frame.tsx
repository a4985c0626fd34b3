/** Around a chart: a summary that is read out, and the same values as a table. */

import type { ComponentChildren } from 'preact'
import { zone } from '../time/zone.ts'
import { IconButton } from '../ui/button.tsx'
import type { ChartProps } from './chart.tsx'
import { ChartTable } from './chart-table.tsx'
import { summaryOf } from './summary.ts'

interface ChartFrameProps extends Pick<ChartProps, 'label' | 'times' | 'series' | 'height'> {
  readonly isTable: boolean
  readonly children: ComponentChildren
  onTable(isTable: boolean): void
}

export function ChartFrame({ isTable, children, onTable, ...chart }: ChartFrameProps) {
  const { label, times, series, height } = chart
  return (
    <figure class="chart" style={{ minHeight: `${height}px` }}>
      <figcaption class="visually-hidden">{summaryOf(label, times, series, zone.value)}</figcaption>
      {isTable ? <ChartTable {...chart} /> : children}
      <div class={`chart-tools${isTable ? '' : ' chart-tools-plot'}`}>
        <IconButton
          isSmall
          icon={isTable ? 'chart' : 'table'}
          label={isTable ? 'Show as chart' : 'Show as table'}
          onClick={() => onTable(!isTable)}
        />
      </div>
    </figure>
  )
}
