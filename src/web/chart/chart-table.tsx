/** A chart's values as a table. */

import { numberText } from '../format.ts'
import { zone } from '../time/zone.ts'
import { Table } from '../ui/table.tsx'
import { momentText } from './axis.ts'
import type { ChartProps } from './chart.tsx'

/** Inside the height that the chart has, the table scrolls. */
type ChartTableProps = Pick<ChartProps, 'label' | 'times' | 'series' | 'height'>

interface Point {
  readonly time: number
  readonly index: number
}

export function ChartTable({ label, times, series, height }: ChartTableProps) {
  const shownZone = zone.value
  return (
    <div class="chart-table" style={{ height: `${height}px` }}>
      <Table
        label={label}
        rows={times.map((time, index) => ({ time, index }))}
        keyOf={({ index }) => String(index)}
        columns={[
          { title: 'Time', cell: ({ time }: Point) => momentText(time, times, shownZone) },
          ...series.map(({ name, values }) => ({
            title: name,
            isNumber: true,
            cell: ({ index }: Point) => {
              const value = values[index]
              return value === undefined ? '–' : numberText(value)
            },
          })),
        ]}
      />
    </div>
  )
}
