/**
 * What uPlot draws of a chart: made anew when its shape changes, kept in step with the values and the theme,
 * and asked which point is under the pointer. Dragging over it marks a stretch.
 */

import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { shownTheme } from '../app/theme.ts'
import { compactText } from '../format.ts'
import { zone } from '../time/zone.ts'
import type { ChartProps } from './chart.tsx'
import { listenToFingers } from './finger-drag.ts'
import { plotOptions } from './plot-options.ts'
import { stacked } from './stack.ts'
import { indexAt, type Stretch, wholeStretch } from './stretch.ts'

export interface Hover {
  /** Of the point, among the chart's `times`. */
  readonly index: number
  /** Pixels from the left of the chart. */
  readonly left: number
}

export interface Plot {
  /** What it is drawn in. */
  readonly place: RefObject<HTMLDivElement | null>
  /** The point that is looked at; undefined mostly. */
  readonly hover: Hover | undefined
  /** Whether a click is one on the points: beside them it is none, and at the end of dragging neither. */
  isClickInside(event: MouseEvent): boolean
  /** As if the pointer were at the point. */
  showPoint(index: number): void
  onEnter(): void
  onLeave(): void
}

/** Draws while `isShown`; what the chart spans and how values are written may change without a new plot. */
export function usePlot(props: ChartProps, isShown: boolean): Plot {
  const { kind, times, series, height, syncKey } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const isPointed = useRef(false)
  const [hover, setHover] = useState<Hover | undefined>(undefined)
  const shownZone = zone.value
  const hasBefore = props.earlier !== undefined
  const names = series.map(({ name, color }) => [name, color])
  const shape = JSON.stringify([kind, names, syncKey, hasBefore])
  useLayoutEffect(() => {
    const target = place.current
    if (target === null) return undefined
    const made = new uPlot(
      plotOptions(
        { ...frameOf(latest), zone: shownZone, width: widthOf(target) },
        {
          setCursor: [
            u => {
              setHover(isPointed.current ? hoverAt(u, latest.current) : undefined)
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
      const width = widthOf(target)
      if (width !== made.width) made.setSize({ width, height })
    })
    observer.observe(target)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [shape, shownZone, height, isShown])
  useLayoutEffect(
    () => plot.current?.setData(dataOf(props)),
    [times, series, props.span, props.earlier],
  )
  useEffect(() => plot.current?.redraw(), [shownTheme.value, props.marks])
  return {
    place,
    hover,
    isClickInside: ({ target }) =>
      target instanceof Node && plot.current?.over.contains(target) === true && !wasDragged(),
    showPoint: index => {
      const u = plot.current
      const time = times[index]
      if (u === undefined || time === undefined) return
      isPointed.current = true
      const middle = kind !== 'lines' ? time + (props.bucketMs ?? 0) / 2 : time
      u.setCursor({ left: u.valToPos(middle, 'x'), top: u.over.clientHeight / 2 })
    },
    onEnter: () => {
      isPointed.current = true
    },
    onLeave: () => {
      isPointed.current = false
      setHover(undefined)
    },
  }
}

/** What uPlot is told of a chart once; what it asks for later is always the latest. */
function frameOf(latest: { readonly current: ChartProps }) {
  const { kind, series, height, syncKey, isWhole = false } = latest.current
  return {
    kind,
    series,
    height,
    syncKey,
    isWhole,
    hasBefore: latest.current.earlier !== undefined,
    bucketMs: () => latest.current.bucketMs ?? 0,
    timeEnds: () => timeEnds(latest.current),
    marks: () => latest.current.marks ?? [],
    valueText: (value: number) => (latest.current.valueText ?? compactText)(value),
  }
}

function widthOf(target: Element): number {
  return Math.max(80, target.clientWidth)
}

function hoverAt(u: uPlot, props: ChartProps): Hover | undefined {
  const { left = -1 } = u.cursor
  const index = left < 0 ? undefined : indexAt(props, u.posToVal(left, 'x'))
  return index === undefined ? undefined : { index, left: left + u.over.offsetLeft }
}

function timeEnds({ kind, times, bucketMs = 0, span }: ChartProps): [number, number] {
  const first = times[0] ?? span?.startTime ?? 0
  const last = (times.at(-1) ?? span?.endTime ?? 1) + (kind === 'lines' ? 0 : bucketMs)
  const start = Math.min(first, span?.startTime ?? first)
  const end = Math.max(last, span?.endTime ?? last)
  return start === end ? [start - 500, end + 500] : [start, end]
}

function dataOf({ kind, times, series, earlier }: ChartProps): uPlot.AlignedData {
  const values = series.map(one => one.values)
  const drawn = kind === 'bars' ? stacked(values).toReversed() : values
  // What is undefined uPlot draws over; only null is a gap.
  const all = earlier === undefined ? drawn : [...drawn, earlier]
  return [[...times], ...all.map(one => one.map(value => value ?? null))]
}

let draggedAt = Number.NEGATIVE_INFINITY

/** A click follows the end of dragging; it is none. */
function wasDragged(): boolean {
  return performance.now() - draggedAt < 50
}

/** While one drags over bars, whole ones are marked. */
function snapSelection(u: uPlot, props: ChartProps): void {
  if (props.kind === 'lines' || u.select.width === 0) return
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
  const inset = props.kind === 'lines' ? 0 : 0.5
  return wholeStretch(props, u.posToVal(left + inset, 'x'), u.posToVal(left + width - inset, 'x'))
}
