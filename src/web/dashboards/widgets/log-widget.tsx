/** The latest records of a query, in columns; each leads to the log viewer at its moment. */

import { useCallback, useEffect, useState } from 'preact/hooks'
import { type AnswerRecord, queryLogs } from '../../api/records.ts'
import { levelClass } from '../../chart/colors.ts'
import { countText } from '../../format.ts'
import { VirtualList } from '../../list/virtual-list.tsx'
import { quoted } from '../../query/strings.ts'
import { useRequest } from '../../state/request.ts'
import { clockText, fullText, precisionOf } from '../../time/clock.ts'
import { zone } from '../../time/zone.ts'
import { Progress } from '../../ui/states.tsx'
import { queryKey } from '../board-model.ts'
import { logsAddress, narrowed, useShown } from '../shown.ts'
import type { ChartWidgetProps } from './chart-widget.tsx'
import { PanelError, PanelNote } from './panel-states.tsx'

const recordsMax = 200
const rowHeight = 24
const usualColumns: readonly string[] = ['log_level', 'service.name', 'message']
/** Around a record that is followed into the viewer, ms. */
const aroundMs = 30_000
const typingMs = 350

export function LogWidget({ widget, isInSight }: Omit<ChartWidgetProps, 'height'>) {
  const shown = useShown()
  const { model, values, times, environment } = shown
  const [search, setSearch] = useState('')
  const own = widget.queries[0]?.query ?? ''
  const query = search === '' ? own : `${own} |= ${quoted(search)}`
  const body = { query: narrowed(query, { values, environment }), ...times, variables: values }
  const key = isInSight && own.trim() !== '' ? JSON.stringify(body) : undefined
  const found = useRequest(key, signal =>
    queryLogs({ ...body, limit: recordsMax, order: 'desc' }, signal),
  )
  useEffect(() => model.report(queryKey(widget.path, 0), found.error), [found.error])
  const logs = found.answer?.logs ?? []
  const columns = widget.columns.length === 0 ? usualColumns : [...new Set(widget.columns)]
  const columnsKey = JSON.stringify(columns)
  const shownZone = zone.value
  const precision = precisionOf(logs.map(({ timestamp }) => timestamp))
  const renderRow = useCallback(
    (record: AnswerRecord) => {
      const { timestamp: time } = record
      const around = { startTime: time - aroundMs, endTime: time + aroundMs }
      const to = logsAddress(query, { values, environment }, around) ?? '/logs'
      return (
        <div class="board-row hovers">
          <a class="faint" href={to} title={fullText(time, shownZone)}>
            {clockText(time, shownZone, precision)}
          </a>
          {columns.map(name => (
            <Cell key={name} record={record} name={name} />
          ))}
        </div>
      )
    },
    [columnsKey, shownZone, query, values, environment, precision],
  )
  return (
    <div class="log-widget column fill">
      <Progress isBusy={found.isBusy} text="Scanning" onCancel={found.cancel} />
      {!widget.hidesSearchBar && <SearchBar onSearch={setSearch} />}
      {own.trim() === '' && <PanelNote>No query yet.</PanelNote>}
      {found.error !== undefined && (
        <PanelError error={found.error} query={query} onRetry={found.refresh} />
      )}
      {found.error === undefined && found.answer !== undefined && logs.length === 0 && (
        <PanelNote>No record matches in this time range</PanelNote>
      )}
      {found.error === undefined && logs.length > 0 && (
        <>
          <VirtualList
            label={`${widget.title || 'Records'}, the latest first`}
            className="mono"
            items={logs}
            rowHeight={rowHeight}
            keyOf={recordKey}
            renderRow={renderRow}
          />
          {found.answer !== undefined && found.answer.count > logs.length && (
            <p class="log-widget-rest faint small">
              The latest {countText(logs.length)} of {countText(found.answer.count)}
            </p>
          )}
        </>
      )}
    </div>
  )
}

const recordKey = ({ id }: AnswerRecord) => id

function Cell({ record, name }: { readonly record: AnswerRecord; readonly name: string }) {
  if (name === 'log_level') {
    return <span class={`board-level ${levelClass(record.log_level)}`}>{record.log_level}</span>
  }
  if (name === 'message') return <span class="grows truncate">{record.message}</span>
  if (name === 'timestamp') return null // It leads every row anyway.
  const value = record.attributes[name] ?? ''
  return (
    <span class="board-attribute soft truncate" title={`${name}: ${value}`}>
      {value}
    </span>
  )
}

function SearchBar({ onSearch }: { onSearch(text: string): void }) {
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      class="input board-search"
      type="search"
      placeholder="Text in the message"
      aria-label="Search in these records"
      value={text}
      onInput={event => setText(event.currentTarget.value)}
    />
  )
}
