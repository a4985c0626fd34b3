/** The answer to a query that gives figures: over time as a chart, over the whole range as a table. */

import { useMemo } from 'preact/hooks'
import { roundBucketMs } from '../../query/bucket-width.ts'
import { querySeries } from '../api/series.ts'
import { Chart } from '../chart/chart.tsx'
import { seriesColor } from '../chart/colors.ts'
import { countText, elapsedText, figureText } from '../format.ts'
import { pathTo } from '../paths.ts'
import { recordsBehind } from '../query/selectors.ts'
import { params } from '../state/location.ts'
import type { Asked } from '../state/request.ts'
import { useRequest } from '../state/request.ts'
import { durationWords } from '../time/range.ts'
import { buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { byValue, chartedSeries, labelsText } from './figures.ts'
import { RecordText } from './record-text.tsx'
import { filterableMax, narrowed, query, timesNow, zoomTo } from './shown.ts'

const chartHeight = 220
/** Lines that can be told apart. */
const linesMax = 16
const rowsMax = 500

export type Figures = Awaited<ReturnType<typeof ask>>

export function useFigures(key: string | undefined): Asked<Figures> {
  return useRequest(key, ask)
}

async function ask(signal: AbortSignal) {
  const { startTime, endTime } = timesNow()
  const asked = narrowed()
  const stepMs = roundBucketMs(endTime - startTime)
  // The last point is about the time up to now; the ones before lie in whole steps before it.
  const count = Math.max(1, Math.ceil((endTime - startTime) / stepMs))
  const times = { startTime: endTime - (count - 1) * stepMs, endTime, stepMs }
  const wholeMs = Math.max(1, endTime - startTime)
  const askedAt = performance.now()
  const [overTime, whole] = await Promise.all([
    querySeries({ query: asked, ...times }, signal),
    querySeries({ query: asked, startTime: endTime, endTime, stepMs: wholeMs }, signal),
  ])
  const rows = byValue(
    whole.flatMap(({ labels, points }) =>
      points.length === 0 ? [] : [{ labels, value: points[0]!.value }],
    ),
  )
  return { times, overTime, rows, elapsedMs: performance.now() - askedAt }
}

export function figuresText({ rows, elapsedMs }: Figures): string {
  const count = rows.length === 1 ? '1 group' : `${countText(rows.length)} groups`
  return `${count} · ${elapsedText(elapsedMs)}`
}

export function Aggregate({ answer }: { readonly answer: Figures }) {
  const { times, rows, overTime } = answer
  const drawn = useMemo(() => {
    const rank = new Map(rows.map(({ labels }, index) => [labelsText(labels), index]))
    const largest = overTime.toSorted(
      (a, b) =>
        (rank.get(labelsText(a.labels)) ?? rows.length) -
        (rank.get(labelsText(b.labels)) ?? rows.length),
    )
    const charted = chartedSeries(largest.slice(0, linesMax), times)
    const series = charted.series.map((one, index) => ({ ...one, color: seriesColor(index) }))
    return { times: charted.times, series }
  }, [answer])
  const names = [...new Set(rows.flatMap(({ labels }) => Object.keys(labels)))]
  if (rows.length === 0 && overTime.length === 0) {
    return (
      <EmptyState title="No figure comes out of this" icon="search">
        No record matches in this time, or none has a number there.
      </EmptyState>
    )
  }
  return (
    <div class="aggregate">
      <Chart
        kind="lines"
        label="Figures over time"
        {...drawn}
        height={chartHeight}
        valueText={figureText}
        onZoom={(startTime, endTime) => zoomTo({ startTime, endTime })}
        onPick={() => {}}
      />
      <p class="faint">
        A point for each {durationWords(times.stepMs)}
        {overTime.length > linesMax && `; the ${linesMax} largest of ${overTime.length} are drawn`}.
      </p>
      {rows.length > 0 && (
        <Table
          label="Figures of the whole time"
          rows={rows.slice(0, rowsMax)}
          keyOf={({ labels }) => JSON.stringify(labels)}
          columns={[
            ...names.map(name => ({
              title: name,
              cell: ({ labels }: (typeof rows)[number]) => (
                <RecordText text={labels[name] ?? ''} isOneLine />
              ),
            })),
            { title: 'Value', isNumber: true, cell: ({ value }) => figureText(value) },
            { title: 'Records', isTitleHidden: true, cell: row => <RecordsLink {...row} /> },
          ]}
        />
      )}
      {rows.length > rowsMax && (
        <p class="faint">
          The {rowsMax} largest of {countText(rows.length)} are shown.
        </p>
      )}
    </div>
  )
}

/** To the records that a row was made of, in the same time. */
function RecordsLink({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
  const behind = recordsBehind(query.value, labels)
  const isTooLong = Object.values(labels).some(value => value.length > filterableMax)
  if (behind === undefined || isTooLong) return null
  const asked = new URLSearchParams(params.value)
  asked.set('query', behind)
  const name = `Show the records of ${labelsText(labels)}`
  return (
    <a
      class={`${buttonClass({ isSmall: true })} button-icon`}
      href={`${pathTo('logs')}?${asked}`}
      aria-label={name}
      title={name}
    >
      <Icon name="logs" />
    </a>
  )
}
