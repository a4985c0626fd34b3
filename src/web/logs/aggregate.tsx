/** The answer to a query that returns values: drawn as was chosen, and over the whole range as a table. */

import '../shared.ts'
import { useMemo } from 'preact/hooks'
import { DrawnValues } from '../chart/drawing.tsx'
import { hasLegend, isOfWholeTime } from '../chart/drawings.ts'
import { Legend } from '../chart/legend.tsx'
import { shareOfGroup } from '../chart/shares.ts'
import { drawnOf } from '../chart/toggling.ts'
import { countText, numberText } from '../format.ts'
import { durationWords } from '../time/range.ts'
import { buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { AggregateBar } from './aggregate-bar.tsx'
import { type AggregateGroups, groupsOf } from './aggregate-groups.ts'
import { drawing, linesMax, onlyGroups } from './aggregate-view.ts'
import { type GroupValue, labelsText } from './group-values.ts'
import { RecordText } from './record-text.tsx'
import { recordsAddress } from './records-address.ts'
import { zoomTo } from './shown.ts'
import { type AggregateAnswer, onlyValue } from './use-aggregate.ts'

const chartHeight = 220
const pieHeight = 240
const rowsMax = 500

export function Aggregate({ answer }: { readonly answer: AggregateAnswer }) {
  const { rows } = answer
  const groups = useMemo(() => groupsOf(answer), [answer])
  const chosen = drawing.value
  if (groups.all.length === 0) {
    return (
      <EmptyState title="This query returns no value" icon="search">
        No record matches in this time range, or none has a number there.
      </EmptyState>
    )
  }
  const only = onlyValue(rows)
  const isTable = chosen === 'table'
  const isList = isTable || chosen === 'top' || chosen === 'figure'
  return (
    <div class="aggregate column">
      <AggregateBar answer={answer} groups={groups} />
      {only !== undefined && !isList && (
        <p
          class="aggregate-value line"
          style={{ '--chars': String(numberText(only.value).length) }}
        >
          <strong>{numberText(only.value)}</strong>
          <RecordsLink {...only} />
        </p>
      )}
      {!isTable && <Drawn answer={answer} groups={groups} />}
      {rows.length > 0 && (isTable || (only === undefined && !isList)) && (
        <GroupTable rows={rows} groups={groups} />
      )}
    </div>
  )
}

interface DrawnProps {
  readonly answer: AggregateAnswer
  readonly groups: AggregateGroups
}

function Drawn({ answer: { times, before }, groups }: DrawnProps) {
  const chosen = drawing.value
  if (chosen === 'table') return null
  const isOfAll = isOfWholeTime(chosen) || chosen === 'figure'
  const offered = isOfAll ? groups.all : groups.lines
  const shown = drawnOf(offered, onlyGroups.value, chosen)
  const isBars = chosen === 'bars' || chosen === 'stack'
  // A point is about the time up to it; a bar stands where that begins.
  const starts = groups.times.map(time => time - times.stepMs)
  return (
    <div class={`column aggregate-${chosen === 'pie' ? 'pie' : 'drawn'}`}>
      <DrawnValues
        drawing={chosen}
        label={isOfAll ? 'Values of the whole time range' : 'Values over time'}
        groups={shown}
        times={isBars ? starts : groups.times}
        stepMs={times.stepMs}
        before={before}
        height={chosen === 'pie' ? pieHeight : chartHeight}
        valueText={numberText}
        hrefOf={({ labels }) => recordsAddress(labels)}
        onZoom={(startTime, endTime) => zoomTo({ startTime, endTime })}
      />
      {hasLegend(chosen) && offered.length > 1 && (
        <Legend
          label="the values"
          series={offered.slice(0, linesMax)}
          only={onlyGroups.value}
          {...(chosen === 'pie' && { textOf: shareOfGroup(shown, numberText) })}
          onOnly={only => onlyGroups.set(only, 'replace')}
        />
      )}
      {!isOfAll && (
        <p class="faint">
          A point for each {durationWords(times.stepMs)}
          {groups.all.length > linesMax &&
            `; the ${linesMax} largest of ${groups.all.length} are drawn`}
          .
        </p>
      )}
    </div>
  )
}

interface GroupTableProps {
  readonly rows: readonly GroupValue[]
  readonly groups: AggregateGroups
}

function GroupTable({ rows, groups }: GroupTableProps) {
  const colors = new Map(groups.lines.map(({ name, color }) => [name, color]))
  const names = [...new Set(rows.flatMap(({ labels }) => Object.keys(labels)))]
  return (
    <>
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
      {rows.length > rowsMax && (
        <p class="faint">
          The {rowsMax} largest of {countText(rows.length)} are shown.
        </p>
      )}
    </>
  )
}

/** The colour of a row's line; an empty place where none is drawn. */
function Swatch({ color }: { readonly color: string | undefined }) {
  const background = color === undefined ? 'transparent' : `var(${color})`
  return <span class="swatch aggregate-swatch" style={{ background }} />
}

/** To the records that a row was made of, in the same time. */
function RecordsLink({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
  const href = recordsAddress(labels)
  if (href === undefined) return null
  const name = `Show the records of ${labelsText(labels)}`
  return (
    <a
      class={`${buttonClass({ isSmall: true })} button-icon`}
      href={href}
      aria-label={name}
      title={name}
    >
      <Icon name="logs" />
    </a>
  )
}
