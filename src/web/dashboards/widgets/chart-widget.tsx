/** A chart of one or several queries, with its legend; a click on a bar leads to the records behind it. */

import { useMemo } from 'preact/hooks'
import { Chart, type ChartSeries } from '../../chart/chart.tsx'
import { levelColor, seriesColor, sortLevels } from '../../chart/colors.ts'
import { compareNames } from '../../natural-order.ts'
import { go } from '../../state/location.ts'
import { Progress } from '../../ui/states.tsx'
import type { Widget } from '../model/board.ts'
import { chartBuckets, type DrawnSeries, drawn } from '../model/buckets.ts'
import { logsAddress, useShown } from '../shown.ts'
import { PanelError, PanelNote } from './panel-states.tsx'
import { type SeriesFound, useSeries } from './use-series.ts'

interface ChartWidgetProps {
  readonly widget: Widget
  /** Pixels that there are for it. */
  readonly height: number
  readonly isInSight: boolean
}

const legendHeight = 24
/** With more lines than these nobody tells them from each other. */
const seriesMax = 40

const toneColors = { bad: '--danger', warn: '--warn', good: '--ok', plain: '--line-control' }

export function ChartWidget({ widget, height, isInSight }: ChartWidgetProps) {
  const shown = useShown()
  const { startTime, endTime } = shown.times
  const bucketSeconds = Math.max(0, ...widget.queries.map(query => query.bucketSeconds))
  const buckets = useMemo(
    () => chartBuckets(widget.chartType, bucketSeconds, shown.times),
    [widget.chartType, bucketSeconds, startTime, endTime],
  )
  const found = useSeries(widget, buckets, isInSight)
  const { answer } = found
  const labels = JSON.stringify(widget.queries.map(({ label }) => label))
  const plot = useMemo(() => plotOf(answer, JSON.parse(labels)), [answer, labels])
  const thresholds = JSON.stringify(widget.thresholds)
  const marks = useMemo(
    () =>
      widget.thresholds.map(({ value, label, tone }) => ({
        value,
        label,
        color: toneColors[tone],
      })),
    [thresholds],
  )
  const pick = (index: number) => {
    const time = plot?.times[index]
    if (time === undefined || answer === undefined) return
    const bucket = { startTime: time + 1, endTime: time + answer.buckets.stepMs }
    const to = logsAddress(widget.queries[0]?.query ?? '', shown, bucket)
    if (to !== undefined && !shown.isEditing) go(to)
  }
  const [failure] = answer?.errors ?? []
  const isEmpty = plot?.series.every(({ values }) => values.every(value => value === undefined))
  return (
    <div class="chart-widget">
      <Progress isBusy={found.isBusy} text="Scanning" onCancel={found.cancel} />
      {widget.queries.length === 0 && <PanelNote>This chart has no query yet.</PanelNote>}
      {found.error !== undefined && <PanelError error={found.error} onRetry={found.refresh} />}
      {failure !== undefined && (
        <PanelError
          error={failure[1]}
          query={widget.queries[failure[0]]?.query ?? ''}
          onRetry={found.refresh}
        />
      )}
      {failure === undefined && isEmpty && <PanelNote>No values in this time range</PanelNote>}
      {failure === undefined && answer !== undefined && plot !== undefined && !isEmpty && (
        <>
          <Chart
            kind={widget.chartType === 'bar' ? 'bars' : 'lines'}
            label={widget.title || 'Chart'}
            times={plot.times}
            series={plot.series}
            bucketMs={answer.buckets.stepMs}
            height={Math.max(80, height - legendHeight)}
            syncKey={shown.syncKey}
            marks={marks}
            onZoom={shown.onZoom}
            onPick={pick}
          />
          <Legend title={widget.title} series={plot.series} hiddenCount={plot.hiddenCount} />
        </>
      )}
    </div>
  )
}

function Legend({
  title,
  series,
  hiddenCount,
}: {
  readonly title: string
  readonly series: readonly ChartSeries[]
  readonly hiddenCount: number
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
    <section class="chart-legend" aria-label={`Legend of ${title}`} tabIndex={0}>
      <ul>
        {series.map(({ name, color }) => (
          <li key={name}>
            <span class="swatch" style={{ background: `var(${color})` }} />
            {name}
          </li>
        ))}
        {hiddenCount > 0 && <li>and {hiddenCount} more, not drawn</li>}
      </ul>
    </section>
  )
}

function plotOf(answer: SeriesFound | undefined, labels: readonly string[]) {
  if (answer === undefined) return undefined
  const { times, series } = drawn(answer.answers, labels, answer.buckets)
  const colored = colorsOf(series).slice(0, seriesMax)
  return { times, series: colored, hiddenCount: Math.max(0, series.length - seriesMax) }
}

/** Levels have their colours and order; all others get theirs by name, so that they keep them. */
function colorsOf(series: readonly DrawnSeries[]): readonly ChartSeries[] {
  const isByLevel =
    series.length > 0 && series.every(({ labels }) => Object.keys(labels).join() === 'log_level')
  if (isByLevel) {
    const ofLevel = (level: string) => series.filter(({ labels }) => labels.log_level === level)
    const levels = sortLevels(new Set(series.map(({ labels }) => labels.log_level ?? '')))
    return levels.flatMap(level =>
      ofLevel(level).map(({ name, values }) => ({ name, values, color: levelColor(level) })),
    )
  }
  return series
    .toSorted((a, b) => a.queryIndex - b.queryIndex || compareNames(a.name, b.name))
    .map(({ name, values }, index) => ({ name, values, color: seriesColor(index) }))
}
