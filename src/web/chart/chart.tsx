/**
 * A chart over time, of bars upon or beside each other or of lines, drawn by uPlot. It takes the width of its
 * place and the colours of the theme. Dragging calls `onZoom`, a click or Enter `onPick`; the arrow keys
 * move through the points; charts with the same `syncKey` share one crosshair. The same values can be had
 * as a table, and a summary is read out.
 */

import { useState } from 'preact/hooks'
import { compactText } from '../format.ts'
import { ChartFrame } from './chart-frame.tsx'
import { Readout } from './readout.tsx'
import type { Values } from './stack.ts'
import { usePlot } from './use-plot.ts'

export interface ChartSeries {
  readonly name: string
  /** A custom property such as `--series-1`; see `colors.ts`. */
  readonly color: string
  /** One for each of the times; undefined where there is none. */
  readonly values: Values
}

export interface ChartMark {
  readonly value: number
  /** Written at the line; may be empty. */
  readonly label: string
  /** A custom property. */
  readonly color: string
}

/** `bars` stand upon each other, `grouped` beside each other. */
export type ChartKind = 'bars' | 'grouped' | 'lines'

export interface ChartProps {
  readonly kind: ChartKind
  /** What it shows; read out. */
  readonly label: string
  /** Ms since 1970, in order: where bars begin, or where points are. */
  readonly times: readonly number[]
  /** Bars: from the lowest of the stack up. */
  readonly series: readonly ChartSeries[]
  /** Of an earlier time, one for each of the times: a faint line over the bars. */
  readonly earlier?: Values
  /** Width of a bar, ms. */
  readonly bucketMs?: number
  /** What the axis of time spans, when it is more than the points do. */
  readonly span?: { readonly startTime: number; readonly endTime: number }
  /** Pixels. */
  readonly height: number
  readonly syncKey?: string
  /** The values are counts. */
  readonly isWhole?: boolean
  /** Values that are marked across the chart, such as thresholds. */
  readonly marks?: readonly ChartMark[]
  valueText?(value: number): string
  /** A stretch was dragged over: its ends, ms. Of bars whole ones, up to where the next begins. */
  onZoom?(startTime: number, endTime: number): void
  /** A bar or point was clicked: its number among `times`. */
  onPick?(index: number): void
}

export function Chart(props: ChartProps) {
  const { label, times } = props
  const [isTable, setTable] = useState(false)
  const { place, hover, isClickInside, showPoint, onEnter, onLeave } = usePlot(props, !isTable)
  const onKeyDown = (event: KeyboardEvent) => {
    const at = hover?.index
    const last = times.length - 1
    if (event.key === 'ArrowRight') showPoint(at === undefined ? 0 : Math.min(last, at + 1))
    else if (event.key === 'ArrowLeft') showPoint(at === undefined ? last : Math.max(0, at - 1))
    else if (event.key === 'Enter' && at !== undefined) props.onPick?.(at)
    else return
    event.preventDefault()
  }
  return (
    <ChartFrame {...props} isTable={isTable} onTable={setTable}>
      <section
        class="chart-plot"
        ref={place}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move through the points.
        tabIndex={0}
        aria-roledescription="chart"
        aria-label={`${label}. Arrow keys move through the points.`}
        onKeyDown={onKeyDown}
        onPointerEnter={onEnter}
        onPointerLeave={onLeave}
        onBlur={onLeave}
        onClick={event => {
          if (isClickInside(event) && hover !== undefined) props.onPick?.(hover.index)
        }}
      />
      {hover !== undefined && (
        <Readout {...hover} chart={props} valueText={props.valueText ?? compactText} />
      )}
    </ChartFrame>
  )
}
