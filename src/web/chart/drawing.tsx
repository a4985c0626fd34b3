/** Values, drawn in the way that was chosen. The table of groups is drawn by whoever has it. */

import { Chart, type ChartKind, type ChartProps } from './chart.tsx'
import type { Drawing } from './drawings.ts'
import { Figures } from './figure.tsx'
import type { Group } from './groups.ts'
import { Heatmap } from './heatmap.tsx'
import { Pie } from './pie.tsx'
import { TopList } from './top-list.tsx'

interface DrawnValuesProps extends Omit<ChartProps, 'kind' | 'series' | 'bucketMs' | 'valueText'> {
  readonly drawing: Exclude<Drawing, 'table'>
  /** Those that are shown. */
  readonly groups: readonly Group[]
  /** Between two of the times, ms. */
  readonly stepMs: number
  /** The value of a group over the same span of time before, by its name; for figures. */
  readonly before?: ReadonlyMap<string, number>
  valueText(value: number): string
  /** Where a click on a group of a list leads. */
  hrefOf?(group: Group): string | undefined
}

const kinds: Readonly<Partial<Record<Drawing, ChartKind>>> = {
  lines: 'lines',
  bars: 'grouped',
  stack: 'bars',
}

export function DrawnValues(props: DrawnValuesProps) {
  const { drawing, groups, stepMs, before = new Map(), hrefOf, ...chart } = props
  switch (drawing) {
    case 'top':
      return <TopList groups={groups} {...(hrefOf && { hrefOf })} {...chart} />
    case 'pie':
      return <Pie groups={groups} {...chart} />
    case 'heatmap':
      return <Heatmap groups={groups} {...chart} />
    case 'figure':
      return <Figures groups={groups} before={before} {...chart} />
    default:
      return <Chart kind={kinds[drawing] ?? 'lines'} series={groups} bucketMs={stepMs} {...chart} />
  }
}
