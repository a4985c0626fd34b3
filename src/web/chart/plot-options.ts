/** How uPlot is told to draw: axes, bars or lines, and the colours of the theme. */

import uPlot from 'uplot'
import type { Zone } from '../time/clock.ts'
import { timeMarks } from './axis.ts'
import type { ChartKind, ChartMark, ChartSeries } from './chart.tsx'

export interface PlotLook {
  readonly kind: ChartKind
  readonly series: readonly ChartSeries[]
  readonly zone: Zone
  readonly width: number
  readonly height: number
  readonly syncKey: string | undefined
  /** The values are counts: the marks of their axis are whole, too. */
  readonly isWhole: boolean
  /** A line of an earlier time comes last. */
  readonly hasBefore?: boolean
  /** Width of a bar, ms. */
  bucketMs(): number
  /** The ends of the axis of time, ms. */
  timeEnds(): readonly [number, number]
  marks(): readonly ChartMark[]
  valueText(value: number): string
}

const fontSize = 11
const axisFont = `${fontSize}px system-ui, sans-serif`
const lineGap = 1.1
const lineHeight = Math.ceil(fontSize * lineGap)
/** Half of the lowest value's text hangs below its axis: the first time stands clear of it. */
const timeAxisGap = Math.ceil(fontSize / 2) + 2
const valueAxisGap = 6
/** The same for most, so that charts one above the other begin at the same place. */
const valueAxisSize = 48
/** Of digits, in the fonts that there are. */
const digitWidth = 0.65 * fontSize

/** Distances of marks: 1, 2, 5, 10, 20 and so on. */
const wholeSteps = Array.from({ length: 15 }, (_, zeros) =>
  [1, 2, 5].map(step => step * 10 ** zeros),
).flat()

export function plotOptions(look: PlotLook, hooks: uPlot.Hooks.Arrays): uPlot.Options {
  const { kind, width, height, syncKey, zone } = look
  const grid = { stroke: () => themeColor('--line'), width: 1 }
  return {
    width,
    height,
    ms: 1,
    padding: [6, 18, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: true, range: () => [...look.timeEnds()] as [number, number] },
      y: {
        range: (_, min, max) => {
          const values = look.marks().map(({ value }) => value)
          return valueEnds(Math.min(min, ...values), Math.max(max, ...values), kind)
        },
      },
    },
    axes: [
      {
        stroke: () => themeColor('--text-faint'),
        font: axisFont,
        // The first mark of a day has the day below its time.
        size: (_, texts) => timeAxisGap + lineHeight * (isTwoLines(texts) ? 2 : 1),
        gap: timeAxisGap,
        lineGap,
        space: 72,
        grid: { show: false },
        ticks: { show: false },
        values: (_, splits, __, ___, step) => [...timeMarks(splits, step, zone)],
      },
      {
        stroke: () => themeColor('--text-faint'),
        font: axisFont,
        size: (_, texts) => Math.max(valueAxisSize, widthOf(texts) + 2 * valueAxisGap),
        gap: valueAxisGap,
        space: 28,
        ...(look.isWhole ? { incrs: wholeSteps } : {}),
        grid,
        ticks: { show: false },
        values: (_, splits) => splits.map(value => look.valueText(value)),
      },
    ],
    series: [{}, ...drawnSeries(look), ...(look.hasBefore ? [lineBefore] : [])],
    cursor: {
      y: false,
      points: { show: kind === 'lines', size: 6 },
      drag: { x: true, y: false, setScale: false, dist: 4 },
      ...(syncKey === undefined ? {} : { sync: { key: syncKey, setSeries: false } }),
    },
    hooks: { ...hooks, draw: [...(hooks.draw ?? []), u => drawMarks(u, look.marks())] },
  }
}

function isTwoLines(texts: readonly string[] | null): boolean {
  return texts?.some(text => text?.includes('\n')) === true
}

function widthOf(texts: readonly string[] | null): number {
  return Math.ceil(digitWidth * Math.max(0, ...(texts ?? []).map(text => text?.length ?? 0)))
}

/** Dashed lines across the chart, each with its label at the right. */
function drawMarks(u: uPlot, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = u
  ctx.save()
  ctx.lineWidth = devicePixelRatio
  ctx.font = `${fontSize * devicePixelRatio}px system-ui, sans-serif`
  ctx.textAlign = 'right'
  for (const { value, label, color } of marks) {
    const y = Math.round(u.valToPos(value, 'y', true)) + 0.5
    ctx.strokeStyle = themeColor(color)
    ctx.fillStyle = themeColor(color)
    ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    ctx.fillText(label, bbox.left + bbox.width - 4, y - 4 * devicePixelRatio)
  }
  ctx.restore()
}

/** With more lines than these, marks at their points hide more than they show. */
const markedMax = 8

/** Steps as wide as the bars. */
const lineBefore: uPlot.Series = {
  stroke: () => themeColor('--text-faint'),
  width: 1,
  dash: [3, 3],
  paths: uPlot.paths.stepped!({ align: 1 }),
  points: { show: false },
}

/** Of a stack the uppermost is drawn first, so that those below lie over it. */
function drawnSeries({ kind, series, bucketMs }: PlotLook): uPlot.Series[] {
  if (kind === 'grouped') {
    return series.map((one, at) => besideOthers(one, at, series.length, bucketMs))
  }
  if (kind === 'bars') {
    const paths = uPlot.paths.bars!({ align: 1, size: [1, Infinity], gap: 1 })
    return series.toReversed().map(({ color }) => ({
      fill: () => themeColor(color),
      width: 0,
      paths,
      points: { show: false },
    }))
  }
  return series.map(({ color }) => ({
    stroke: () => themeColor(color),
    width: 1.5,
    points: {
      ...(series.length > markedMax ? { show: false } : {}),
      size: 4,
      fill: () => themeColor(color),
      filter: (u, index, areAllShown) => (areAllShown ? null : alone(u.data[index]!)),
    },
    spanGaps: false,
  }))
}

/** Of a bucket's width, the part that its bars take. */
const groupShare = 0.86

/** Bars of one of `count` series: each has its part of the bucket. */
function besideOthers(
  { color }: ChartSeries,
  at: number,
  count: number,
  bucketMs: () => number,
): uPlot.Series {
  const partMs = () => (groupShare * bucketMs()) / count
  const paths = uPlot.paths.bars!({
    gap: count > 4 ? 0 : 1,
    disp: {
      x0: { unit: 1, values: u => [...u.data[0]].map(start => start + at * partMs()) },
      size: { unit: 1, values: () => [partMs()] },
    },
  })
  return { fill: () => themeColor(color), width: 0, paths, points: { show: false } }
}

/** Points without a neighbour: no line leads to them, and without a mark nobody would see them. */
function alone(values: ArrayLike<number | null | undefined>): number[] | null {
  const found: number[] = []
  for (let index = 0; index < values.length; index++) {
    const isAlone = values[index - 1] == null && values[index + 1] == null
    if (isAlone && values[index] != null) found.push(index)
  }
  return found.length === 0 ? null : found
}

/** From zero, unless something is below it. */
function valueEnds(min: number, max: number, kind: PlotLook['kind']): [number, number] {
  if (!Number.isFinite(min) || !Number.isFinite(max)) return [0, 1]
  const lower = Math.min(0, min)
  const upper = Math.max(0, max)
  if (lower === upper) return [0, 1]
  const room = (upper - lower) * (kind === 'lines' ? 0.08 : 0.04)
  return [lower < 0 ? lower - room : 0, upper + room]
}

/** The colour of a custom property now, as a canvas takes it, on an element that nobody sees. */
function themeColor(property: string): string {
  document.head.style.color = `var(${property})`
  return getComputedStyle(document.head).color
}
