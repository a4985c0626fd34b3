/** The answer to a query that returns values: over time as a chart, over the whole range as a table. */

import { useMemo } from 'preact/hooks'
import { pathTo } from '../../http/page-paths.ts'
import { Chart } from '../chart/chart.tsx'
import { seriesColor } from '../chart/colors.ts'
import { countText, numberText } from '../format.ts'
import { recordsBehind } from '../query/selectors.ts'
import { params } from '../state/location.ts'
import { durationWords } from '../time/range.ts'
import { buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { chartedSeries, type GroupValue, labelsText } from './group-values.ts'
import { RecordText } from './record-text.tsx'
import { filterableMax, query, zoomTo } from './shown.ts'
import { type AggregateAnswer, linesMax, onlyValue } from './use-aggregate.ts'

const chartHeight = 220
const rowsMax = 500

export function Aggregate({ answer }: { readonly answer: AggregateAnswer }) {
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
  const colors = new Map(drawn.series.map(({ name, color }) => [name, color]))
  const only = onlyValue(rows)
  const groupCount = Math.max(rows.length, overTime.length)
  const names = [...new Set(rows.flatMap(({ labels }) => Object.keys(labels)))]
  if (rows.length === 0 && overTime.length === 0) {
    return (
      <EmptyState title="This query returns no value" icon="search">
        No record matches in this time range, or none has a number there.
      </EmptyState>
    )
  }
  return (
    <div class="aggregate">
      {only !== undefined && (
        <p class="aggregate-value" style={{ '--chars': String(numberText(only.value).length) }}>
          <strong>{numberText(only.value)}</strong>
          <RecordsLink {...only} />
        </p>
      )}
      <Chart
        kind="lines"
        label="Values over time"
        {...drawn}
        height={chartHeight}
        valueText={numberText}
        onZoom={(startTime, endTime) => zoomTo({ startTime, endTime })}
        onPick={() => {}}
      />
      <p class="faint">
        A point for each {durationWords(times.stepMs)}
        {groupCount > linesMax && `; the ${linesMax} largest of ${groupCount} are drawn`}.
      </p>
      {rows.length > 0 && only === undefined && (
        <Table
          label="Values of the whole time range"
          rows={rows.slice(0, rowsMax)}
          keyOf={({ labels }) => JSON.stringify(labels)}
          columns={[
            ...names.map((name, at) => ({
              title: name,
              cell: ({ labels }: GroupValue) => (
                <>
                  {at === 0 && <Swatch color={colors.get(labelsText(labels))} />}
                  <RecordText text={labels[name] ?? ''} isOneLine />
                </>
              ),
            })),
            { title: 'Value', isNumber: true, cell: ({ value }) => numberText(value) },
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

/** The colour of a row's line; an empty place where none is drawn. */
function Swatch({ color = 'transparent' }: { readonly color: string | undefined }) {
  const background = color.startsWith('--') ? `var(${color})` : color
  return <span class="swatch aggregate-swatch" style={{ background }} />
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
