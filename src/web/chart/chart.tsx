/**
 * A chart over time, of bars stacked upon each other or of lines, drawn by uPlot. It takes the width of its
 * place and the colours of the theme. Dragging calls `onZoom`, a click or Enter `onPick`; the arrow keys
 * move through the points; charts with the same `syncKey` share one crosshair. The same figures can be had
 * as a table, and a summary is read out.
 */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { shownTheme } from '../app/theme.ts'
import { compactText } from '../format.ts'
import { zone } from '../time/zone.ts'
import { IconButton } from '../ui/button.tsx'
import { ChartTable } from './chart-table.tsx'
import { listenToFingers } from './finger-drag.ts'
import { plotOptions } from './plot-options.ts'
import { Readout } from './readout.tsx'
import { stacked, type Values } from './stack.ts'
import { indexAt, type Stretch, wholeStretch } from './stretch.ts'
import { summaryOf } from './summary.ts'

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

export interface ChartProps {
  readonly kind: 'bars' | 'lines'
  /** What it shows; read out. */
  readonly label: string
  /** Ms since 1970, in order: where bars begin, or where points are. */
  readonly times: readonly number[]
  /** Bars: from the lowest of the stack up. */
  readonly series: readonly ChartSeries[]
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

interface Hover {
  readonly index: number
  /** Pixels from the left of the chart. */
  readonly left: number
}

export function Chart(props: ChartProps) {
  const { kind, label, times, series, height, syncKey } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const isPointed = useRef(false)
  const [hover, setHover] = useState<Hover | undefined>(undefined)
  const [isTable, setTable] = useState(false)
  const theme = shownTheme.value
  const shownZone = zone.value
  const shape = JSON.stringify([kind, series.map(({ name, color }) => [name, color]), syncKey])
  const valueText = props.valueText ?? compactText
  useLayoutEffect(() => {
    const target = place.current
    if (target === null) return undefined
    const made = new uPlot(
      plotOptions(
        {
          kind,
          series,
          zone: shownZone,
          width: Math.max(80, target.clientWidth),
          height,
          syncKey,
          isWhole: props.isWhole === true,
          timeEnds: () => timeEnds(latest.current),
          marks: () => latest.current.marks ?? [],
          valueText: value => (latest.current.valueText ?? compactText)(value),
        },
        {
          setCursor: [
            u => {
              const { left = -1 } = u.cursor
              const isHere = isPointed.current && left >= 0
              const index = isHere ? indexAt(latest.current, u.posToVal(left, 'x')) : undefined
              setHover(index === undefined ? undefined : { index, left: left + u.over.offsetLeft })
              snapSelection(u, latest.current)
            },
          ],
          // Charts that share the crosshair share what is selected; the one under the pointer tells.
          setSelect: [u => onSelected(u, latest.current, isPointed.current)],
        },
      ),
      dataOf(latest.current),
      target,
    )
    plot.current = made
    listenToFingers(made.over)
    const observer = new ResizeObserver(() => {
      const width = Math.max(80, target.clientWidth)
      if (width !== made.width) made.setSize({ width, height })
    })
    observer.observe(target)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [shape, shownZone, height, isTable])
  useLayoutEffect(() => plot.current?.setData(dataOf(props)), [times, series, props.span])
  useEffect(() => plot.current?.redraw(), [theme, props.marks])

  const moveTo = (index: number) => {
    const u = plot.current
    const time = times[index]
    if (u === undefined || time === undefined) return
    isPointed.current = true
    const middle = kind === 'bars' ? time + (props.bucketMs ?? 0) / 2 : time
    u.setCursor({ left: u.valToPos(middle, 'x'), top: u.over.clientHeight / 2 })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = hover?.index
    const last = times.length - 1
    if (event.key === 'ArrowRight') moveTo(at === undefined ? 0 : Math.min(last, at + 1))
    else if (event.key === 'ArrowLeft') moveTo(at === undefined ? last : Math.max(0, at - 1))
    else if (event.key === 'Enter' && at !== undefined) props.onPick?.(at)
    else return
    event.preventDefault()
  }

  return (
    <figure class="chart" style={{ minHeight: `${height}px` }}>
      <figcaption class="visually-hidden">{summaryOf(label, times, series, shownZone)}</figcaption>
      {isTable ? (
        <ChartTable label={label} times={times} series={series} height={height} />
      ) : (
        <section
          class="chart-plot"
          ref={place}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move through the points.
          tabIndex={0}
          aria-roledescription="chart"
          aria-label={`${label}. Arrow keys move through the points.`}
          onKeyDown={onKeyDown}
          onPointerEnter={() => {
            isPointed.current = true
          }}
          onPointerLeave={() => {
            isPointed.current = false
            setHover(undefined)
          }}
          onBlur={() => {
            isPointed.current = false
            setHover(undefined)
          }}
          onClick={event => {
            const u = plot.current
            const isInside =
              u !== undefined && event.target instanceof Node && u.over.contains(event.target)
            if (isInside && !wasDragged() && hover !== undefined) props.onPick?.(hover.index)
          }}
        />
      )}
      {!isTable && hover !== undefined && (
        <Readout {...hover} chart={props} valueText={valueText} />
      )}
      <div class={`chart-tools${isTable ? '' : ' chart-tools-plot'}`}>
        <IconButton
          isSmall
          icon={isTable ? 'chart' : 'table'}
          label={isTable ? 'Show as chart' : 'Show as table'}
          onClick={() => setTable(!isTable)}
        />
      </div>
    </figure>
  )
}

function timeEnds({ kind, times, bucketMs = 0, span }: ChartProps): [number, number] {
  const first = times[0] ?? span?.startTime ?? 0
  const last = (times.at(-1) ?? span?.endTime ?? 1) + (kind === 'bars' ? bucketMs : 0)
  const start = Math.min(first, span?.startTime ?? first)
  const end = Math.max(last, span?.endTime ?? last)
  return start === end ? [start - 500, end + 500] : [start, end]
}

function dataOf({ kind, times, series }: ChartProps): uPlot.AlignedData {
  const values = series.map(one => one.values)
  const drawn = kind === 'bars' ? stacked(values).toReversed() : values
  // What is undefined uPlot draws over; only null is a gap.
  return [[...times], ...drawn.map(one => one.map(value => value ?? null))]
}

let draggedAt = Number.NEGATIVE_INFINITY

/** A click follows the end of dragging; it is none. */
function wasDragged(): boolean {
  return performance.now() - draggedAt < 50
}

/** While one drags over bars, whole ones are marked. */
function snapSelection(u: uPlot, props: ChartProps): void {
  if (props.kind !== 'bars' || u.select.width === 0) return
  const { startTime, endTime } = selectedStretch(u, props)
  const left = Math.max(0, u.valToPos(startTime, 'x'))
  const right = Math.min(u.over.clientWidth, u.valToPos(endTime, 'x'))
  u.setSelect({ left, width: right - left, top: 0, height: u.over.clientHeight }, false)
}

function onSelected(u: uPlot, props: ChartProps, isPointed: boolean): void {
  if (u.select.width < 4) return
  const { startTime, endTime } = selectedStretch(u, props)
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  if (!isPointed) return
  draggedAt = performance.now()
  props.onZoom?.(startTime, endTime)
}

/** To whole pixels: where a bar was marked up to its end, rounding must not take the next one in. */
function selectedStretch(u: uPlot, props: ChartProps): Stretch {
  const { left, width } = u.select
  const inset = props.kind === 'bars' ? 0.5 : 0
  return wholeStretch(props, u.posToVal(left + inset, 'x'), u.posToVal(left + width - inset, 'x'))
}
