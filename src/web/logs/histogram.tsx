/** Records over time, stacked by level; and the levels, to click. */

import { useMemo, useRef } from 'preact/hooks'
import type { HistogramResult } from '../api/records.ts'
import { Chart, type ChartSeries } from '../chart/chart.tsx'
import { levelColor, sortLevels } from '../chart/colors.ts'
import { compactText, countText } from '../format.ts'
import { askChanges, filterBy, kindOfClick, zoomTo } from './shown.ts'

const chartHeight = 96

interface HistogramProps {
  readonly answer: HistogramResult | undefined
  /** The counts of the period before, bucket by bucket. */
  readonly before: readonly number[] | undefined
}

export function Histogram({ answer, before }: HistogramProps) {
  const drawn = useMemo(() => {
    const buckets = answer?.buckets ?? []
    const series: readonly ChartSeries[] = levelsOf(answer).map(name => ({
      name,
      color: levelColor(name),
      values: buckets.map(({ levels }) => levels[name] ?? 0),
    }))
    return { times: buckets.map(({ start }) => start), series }
  }, [answer])
  // The end of a bar is the first ms of the next one, and ranges hold their last ms.
  const isShifted = useRef(false)
  const zoom = (startTime: number, endTime: number) => {
    const times = { startTime, endTime: endTime - 1 }
    if (isShifted.current) askChanges(times)
    else zoomTo(times)
  }
  const bucketMs = answer?.bucketMs ?? 1
  const note = ({ shiftKey }: { shiftKey: boolean }) => {
    isShifted.current = shiftKey
  }
  const listeners = { onPointerDownCapture: note, onKeyDownCapture: note, onClickCapture: note }
  return (
    <div
      class="logs-chart"
      style={{ height: `${chartHeight}px` }}
      title="Drag to zoom in; with Shift to see what changed"
      {...listeners}
    >
      {answer && (
        <Chart
          kind="bars"
          label="Records by time and level"
          {...drawn}
          bucketMs={bucketMs}
          {...(before === undefined ? {} : { earlier: before })}
          height={chartHeight}
          isWhole
          onZoom={zoom}
          onPick={index => zoom(drawn.times[index]!, drawn.times[index]! + bucketMs)}
        />
      )}
    </div>
  )
}

/** Levels with their counts, what matters most first. A click filters, with Alt or Shift it excludes. */
export function Legend({ answer }: { readonly answer: HistogramResult | undefined }) {
  const totals = useMemo(() => {
    return levelsOf(answer).map(name => ({
      name,
      count: answer!.buckets.reduce((sum, { levels }) => sum + (levels[name] ?? 0), 0),
    }))
  }, [answer])
  return (
    <ul class="legend" aria-label="Levels">
      {totals.map(({ name, count }) => (
        <li key={name}>
          <button
            type="button"
            class="legend-level hovers small bare"
            title={`${countText(count)} ${name}\nClick: filter for it. Alt- or Shift-click: exclude it.`}
            onClick={event => filterBy('log_level', name, kindOfClick(event))}
          >
            <span class="swatch" style={{ background: `var(${levelColor(name)})` }} />
            {name} <span class="faint">{compactText(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function levelsOf(answer: HistogramResult | undefined): readonly string[] {
  return sortLevels(new Set(answer?.buckets.flatMap(({ levels }) => Object.keys(levels))))
}
