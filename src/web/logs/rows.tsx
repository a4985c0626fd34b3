/**
 * The list of records: the mouse opens rows, the keys move a mark through them. What rows look like follows
 * from the signals of `shown.ts`; which rows there are is given.
 */

import type { ComponentChildren, RefObject } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { dayMs } from '../../time-units.ts'
import type { AnswerRecord } from '../api/records.ts'
import { VirtualList, type VirtualListHandle } from '../list/virtual-list.tsx'
import { precisionOf } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { IconButton } from '../ui/button.tsx'
import { RecordDetail } from './detail.tsx'
import { hasColumnLine, LogRow, type RowLook, wrappedText } from './row.tsx'
import { useRowCommands } from './row-commands.ts'
import { lineHeight, linesOf } from './row-lines.ts'
import { isNarrow } from './screen.ts'
import {
  columns,
  form,
  isWrapped,
  marked,
  opened,
  order,
  query,
  toggleColumn,
  toggleOpen,
} from './shown.ts'
import { soughtIn } from './sought.ts'

interface RowsProps {
  readonly logs: readonly AnswerRecord[]
  /** Ms that the rows span at most. */
  readonly spanMs: number
  readonly list: RefObject<VirtualListHandle | null>
  /** In which they are; as the address says when left out. */
  readonly order?: 'newest' | 'oldest'
  /** Scrolled to and opened once it is there; empty for none. */
  readonly linkedId?: string
  /** Below the last row. */
  readonly end?: ComponentChildren
  isFresh?(id: string): boolean
  onNearEnd?(): void
  onScroll?(at: { readonly isTop: boolean }): void
}

/** rows.css has the same values. */
const rowHeight = { wide: 24, narrow: 44, narrowWithColumns: 64 } as const

export function Rows(props: RowsProps) {
  const { logs, spanMs, list, linkedId = '', isFresh, onNearEnd, onScroll } = props
  const box = useRef<HTMLDivElement>(null)
  const hasDay = spanMs > dayMs
  const precision = useMemo(() => precisionOf(logs.map(({ timestamp }) => timestamp)), [logs])
  const isJson = form.value === 'json'
  const places = usePlaces(box, [logs.length > 0, hasDay, precision, isJson, columns.value.length])
  const look = useMemo<RowLook>(
    () => ({
      zone: zone.value,
      hasDay,
      columns: columns.value,
      isJson,
      isWrapped: isWrapped.value,
      places,
      sought: soughtIn(query.value),
      precision,
      ...(isFresh === undefined ? {} : { isFresh }),
    }),
    [
      zone.value,
      hasDay,
      columns.value,
      isJson,
      isWrapped.value,
      places,
      query.value,
      precision,
      isFresh,
    ],
  )
  const renderRow = useCallback(
    (record: AnswerRecord) => <LogRow record={record} look={look} />,
    [look],
  )
  const extraOf = useCallback(
    (record: AnswerRecord) => (linesOf(wrappedText(record, look), look.places) - 1) * lineHeight,
    [look],
  )
  useLinked(logs, linkedId, list)
  useOpening(box)
  useRowCommands(logs, list, box)

  const narrow = hasColumnLine(look) ? 'narrowWithColumns' : 'narrow'
  const shape = isNarrow.value ? narrow : 'wide'
  const hasHeader = columns.value.length > 0 && !isJson
  return (
    <div
      class={`log-list column fill mono${hasDay ? ' log-list-days' : ''}${precision === 's' ? ' log-list-seconds' : ''}`}
      ref={box}
      style={{ '--columns': columns.value.map(() => 'minmax(80px, 160px)').join(' ') }}
    >
      {hasHeader && <Header />}
      <VirtualList
        label={`Records, the ${(props.order ?? order.value) === 'newest' ? 'latest' : 'oldest'} first`}
        items={logs}
        rowHeight={rowHeight[shape]}
        keyOf={recordKey}
        renderRow={renderRow}
        renderDetail={renderDetail}
        opened={opened.value}
        handle={list}
        {...(look.isWrapped ? { extraOf } : {})}
        {...(onNearEnd === undefined ? {} : { onNearEnd })}
        {...(onScroll === undefined ? {} : { onScroll })}
      />
      {props.end}
    </div>
  )
}

const recordKey = ({ id }: AnswerRecord) => id
const renderDetail = (record: AnswerRecord) => <RecordDetail record={record} />

/** The names of the columns, each with the button that takes it away. */
function Header() {
  return (
    <div class="log-header faint small">
      <span />
      <span>time</span>
      <span>level</span>
      <span class="log-service">service</span>
      {columns.value.map(field => (
        <span class="log-cell log-header-cell" key={field}>
          <span class="truncate">{field}</span>
          <IconButton
            isSmall
            icon="close"
            label={`Remove the column ${field}`}
            onClick={() => toggleColumn(field)}
          />
        </span>
      ))}
      <span class="log-message">message</span>
    </div>
  )
}

/** Characters that fit into a line of the message. */
function usePlaces(box: RefObject<HTMLElement | null>, layout: readonly unknown[]): number {
  const [places, setPlaces] = useState(100)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const measure = () => {
      const message = element.querySelector('.log-row .log-message')
      if (message === null) return
      const context = document.createElement('canvas').getContext('2d')!
      // Not the shorthand: it is empty when digits are of one width.
      const { fontSize, fontFamily } = getComputedStyle(message)
      context.font = `${fontSize} ${fontFamily}`
      const width = context.measureText('m'.repeat(100)).width / 100
      setPlaces(Math.max(8, Math.floor(message.clientWidth / width)))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, layout)
  return places
}

/** Scrolls to the record that a link leads to, once, and opens it. */
function useLinked(
  logs: readonly AnswerRecord[],
  id: string,
  list: RefObject<VirtualListHandle | null>,
): void {
  const shown = useRef('')
  useEffect(() => {
    if (id === '' || shown.current === id) return
    const row = logs.findIndex(one => one.id === id)
    if (row < 0) return
    shown.current = id
    opened.value = new Set([id])
    marked.value = id
    list.current?.showRow(Math.min(logs.length - 1, row + 8))
    list.current?.showRow(row)
  }, [logs, id])
}

/** A click on a row opens it; one that ends selecting text does not. */
function useOpening(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = box.current
    const onClick = (event: MouseEvent) => {
      const row = (event.target as Element).closest<HTMLElement>('.log-row[data-id]')
      if (row === null || (getSelection()?.toString() ?? '') !== '') return
      toggleOpen(row.dataset.id!)
    }
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [])
}
