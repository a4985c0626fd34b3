/** The values of one or several queries, drawn; a click on a bar leads to the records behind it. */

import { useMemo } from 'preact/hooks'
import { DrawnValues } from '../../chart/drawing.tsx'
import { hasLegend, isOfWholeTime } from '../../chart/drawings.ts'
import { colored, type Group, largestFirst } from '../../chart/groups.ts'
import { Legend } from '../../chart/legend.tsx'
import { shareOfGroup } from '../../chart/shares.ts'
import { drawnOf } from '../../chart/toggling.ts'
import { compactText, numberText } from '../../format.ts'
import { compareNames } from '../../natural-order.ts'
import { go } from '../../state/location.ts'
import { listParam } from '../../state/param-kinds.ts'
import { urlParam } from '../../state/url-param.ts'
import { Progress } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import type { Widget } from '../model/board.ts'
import { chartBuckets, type Drawn, drawn, wholeBuckets } from '../model/buckets.ts'
import { pathKey } from '../model/json-tree.ts'
import { logsAddress, useShown } from '../shown.ts'
import { PanelError, PanelNote } from './panel-states.tsx'
import { type SeriesFound, useSeries } from './use-series.ts'

export interface ChartWidgetProps {
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
  const { drawing } = widget
  const { startTime, endTime } = shown.times
  const bucketSeconds = Math.max(0, ...widget.queries.map(query => query.bucketSeconds))
  const buckets = useMemo(
    () =>
      isOfWholeTime(drawing)
        ? wholeBuckets(shown.times)
        : chartBuckets(drawing, bucketSeconds, shown.times),
    [drawing, bucketSeconds, startTime, endTime],
  )
  const found = useSeries(widget, buckets, isInSight)
  const twice = useMemo(() => wholeBuckets(shown.times, true), [startTime, endTime])
  const compared = useSeries(widget, twice, isInSight && drawing === 'figure')
  const { answer } = found
  const labels = JSON.stringify(widget.queries.map(({ label }) => label))
  const plot = useMemo(
    () => plotOf(answer, drawing === 'figure' ? compared.answer : answer, JSON.parse(labels)),
    [answer, compared.answer, labels, drawing],
  )
  const [failure] = answer?.errors ?? []
  const isEmpty = plot?.groups.every(({ values }) => values.every(value => value === undefined))
  return (
    <div class={`chart-widget chart-widget-${drawing} column fill`}>
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
        <DrawnWidget widget={widget} answer={answer} plot={plot} height={height} />
      )}
    </div>
  )
}

interface DrawnWidgetProps extends Pick<ChartWidgetProps, 'widget' | 'height'> {
  readonly answer: SeriesFound
  readonly plot: Plot
}

/** The series that a legend shows alone: `path name` of each, for all widgets of the dashboard. */
const onlySeries = urlParam('only', listParam)

function DrawnWidget({ widget, answer, plot, height }: DrawnWidgetProps) {
  const shown = useShown()
  const { drawing } = widget
  const key = `${pathKey(widget.path)} `
  const only = onlySeries.value.flatMap(one => (one.startsWith(key) ? [one.slice(key.length)] : []))
  const hasNames = hasLegend(drawing)
  const groups = drawnOf(plot.groups, only, drawing)
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
    const time = plot.times[index]
    if (time === undefined) return
    const bucket = { startTime: time + 1, endTime: time + answer.buckets.stepMs }
    const to = logsAddress(widget.queries[0]?.query ?? '', shown, bucket)
    if (to !== undefined && !shown.isEditing) go(to)
  }
  if (drawing === 'table') return <ValueTable title={widget.title} groups={groups} />
  return (
    <>
      <DrawnValues
        drawing={drawing}
        label={
          drawing === 'top' || drawing === 'figure'
            ? `Values of ${widget.title}`
            : widget.title || 'Chart'
        }
        times={plot.times}
        groups={groups}
        before={plot.before}
        stepMs={answer.buckets.stepMs}
        height={Math.max(80, height - (hasNames ? legendHeight : 0))}
        syncKey={shown.syncKey}
        marks={marks}
        valueText={drawing === 'lines' || drawing === 'stack' ? compactText : numberText}
        onZoom={shown.onZoom}
        onPick={pick}
      />
      {hasNames && (
        <Legend
          label={widget.title}
          series={plot.groups}
          only={only}
          note={plot.hiddenCount > 0 ? `and ${plot.hiddenCount} more, not drawn` : undefined}
          {...(drawing === 'pie' && { textOf: shareOfGroup(groups, compactText) })}
          onOnly={next => {
            const others = onlySeries.peek().filter(one => !one.startsWith(key))
            onlySeries.set([...others, ...next.map(name => key + name)], 'replace')
          }}
        />
      )}
    </>
  )
}

function ValueTable({ title, groups }: { title: string; groups: readonly Group[] }) {
  return (
    <Table
      label={`Values of ${title || 'the table'}`}
      rows={largestFirst(groups)}
      keyOf={({ name }) => name}
      columns={[
        { title: 'Group', cell: ({ name }) => name },
        { title: 'Value', isNumber: true, cell: ({ total }) => numberText(total) },
      ]}
    />
  )
}

interface Plot {
  readonly times: readonly number[]
  readonly groups: readonly Group[]
  readonly before: ReadonlyMap<string, number>
  readonly hiddenCount: number
}

/** @param whole The values of the whole time as the last of their points, those before it as the first. */
function plotOf(
  answer: SeriesFound | undefined,
  whole: SeriesFound | undefined,
  labels: readonly string[],
): Plot | undefined {
  if (answer === undefined || whole === undefined) return undefined
  const { times, series } = inOrder(drawn(answer.answers, labels, answer.buckets))
  const totals = drawn(whole.answers, labels, whole.buckets).series
  const total = new Map(totals.map(({ name, values }) => [name, values.at(-1)]))
  const before = new Map(
    totals.flatMap(({ name, values: [first, second] }) =>
      first === undefined || second === undefined ? [] : [[name, first] as const],
    ),
  )
  const groups = colored(series)
    .slice(0, seriesMax)
    .map(group => ({ ...group, total: total.get(group.name) }))
  return { times, groups, before, hiddenCount: Math.max(0, series.length - seriesMax) }
}

/** By name, so that series keep their colours. */
function inOrder({ times, series }: Drawn): Drawn {
  const sorted = series.toSorted(
    (a, b) => a.queryIndex - b.queryIndex || compareNames(a.name, b.name),
  )
  return { times, series: sorted }
}
