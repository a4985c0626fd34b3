/**
 * The keys of the list: they move a mark through the records, and in an opened record go through its fields,
 * on which the keys for filters, columns and top values act.
 */

import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { pathTo } from '../../http/page-paths.ts'
import { traceIdIn } from '../../trace-ids.ts'
import type { AnswerRecord } from '../api/records.ts'
import { useCommands } from '../app/commands.ts'
import type { VirtualListHandle } from '../list/virtual-list.tsx'
import { go } from '../state/location.ts'
import { toast } from '../ui/toasts.tsx'
import { marked, opened, toggleOpen } from './shown.ts'

export function useRowCommands(
  logs: readonly AnswerRecord[],
  list: RefObject<VirtualListHandle | null>,
  box: RefObject<HTMLElement | null>,
): void {
  const markedRow = () => logs.findIndex(({ id }) => id === marked.peek())
  const mark = (row: number) => {
    marked.value = logs[row]?.id
    list.current?.showRow(row)
  }
  const move = (by: 1 | -1) => {
    const field = focusedField(box.current)
    if (field !== undefined) {
      const row = logs.findIndex(({ id }) => id === recordOf(field))
      if (moveField(field, by)) return
      // Behind the last field comes the next record, and before the first one its own.
      focusList(box.current)
      return mark(Math.min(logs.length - 1, by > 0 ? row + 1 : row))
    }
    const at = markedRow()
    mark(at < 0 ? firstInSight(box.current) : Math.max(0, Math.min(logs.length - 1, at + by)))
  }
  /** The marked record; where none is, the first in sight is marked. */
  const current = () => {
    if (markedRow() < 0) mark(firstInSight(box.current))
    return marked.peek()
  }
  const open = () => {
    const id = current()
    if (id !== undefined) toggleOpen(id)
  }
  const showTrace = () => {
    const id = current()
    const record = logs.find(one => one.id === id)
    const trace = record && traceIdIn(record.attributes)
    if (trace === undefined) toast('The record has no trace id')
    else go(pathTo('trace', trace.traceId))
  }
  const latest = useRef({ move, open })
  latest.current = { move, open }
  useEffect(() => {
    const element = box.current
    const onKey = (event: KeyboardEvent) => {
      if (!(event.target as Element).classList.contains('virtual-list')) return
      if (event.key === 'ArrowDown') latest.current.move(1)
      else if (event.key === 'ArrowUp') latest.current.move(-1)
      else if (event.key === 'Enter') latest.current.open()
      else return
      event.preventDefault()
    }
    element?.addEventListener('keydown', onKey)
    return () => element?.removeEventListener('keydown', onKey)
  }, [])
  useCommands('Records', [
    { id: 'rows.next', text: 'Next record, or next field', keys: 'j', run: () => move(1) },
    { id: 'rows.last', text: 'Previous record, or field', keys: 'k', run: () => move(-1) },
    { id: 'rows.open', text: 'Open or close the record', keys: 'o', run: open },
    { id: 'rows.trace', text: 'The trace of the record', keys: 'i', run: showTrace },
    fieldCommand('filter', 'f', 'Filter for the value of the field'),
    fieldCommand('exclude', 'x', 'Filter out the value of the field'),
    fieldCommand('column', 'c', 'Add the field as a column, or remove it'),
    fieldCommand('top', 'v', 'Top values of the field'),
  ])

  function fieldCommand(action: string, keys: string, text: string) {
    const run = () => {
      const field = focusedField(box.current)
      if (field === undefined) {
        const id = current()
        if (id !== undefined) enterFields(box.current, id)
        return
      }
      const button = field.querySelector<HTMLElement>(`[data-action="${action}"]`)
      button?.focus()
      button?.click()
    }
    return { id: `rows.${action}`, text, keys, run }
  }
}

/** The field of an opened record in the list that has the focus. */
function focusedField(box: HTMLElement | null): HTMLElement | undefined {
  const field = document.activeElement?.closest<HTMLElement>('.virtual-detail [data-field]')
  return field && box?.contains(field) ? field : undefined
}

/** The id of the record that a field belongs to. */
function recordOf(field: HTMLElement): string | undefined {
  return field.closest<HTMLElement>('.virtual-detail')?.dataset.key
}

/** To the field before or behind; false where there is none. */
function moveField(field: HTMLElement, by: 1 | -1): boolean {
  const all = [...field.closest('.virtual-detail')!.querySelectorAll<HTMLElement>('[data-field]')]
  const next = all[all.indexOf(field) + by]
  if (next !== undefined) focusField(next)
  return next !== undefined
}

function focusField(field: HTMLElement): void {
  field.querySelector<HTMLElement>('button:not(:disabled)')?.focus()
}

function focusList(box: HTMLElement | null): void {
  box?.querySelector<HTMLElement>('.virtual-list')?.focus({ preventScroll: true })
}

/** The row whose beginning is the first in sight, counted from 0. */
function firstInSight(box: HTMLElement | null): number {
  const top = box?.querySelector('.virtual-list')?.getBoundingClientRect().top ?? 0
  const rows = [...(box?.querySelectorAll('.virtual-row') ?? [])]
  const first = rows.find(row => row.getBoundingClientRect().top >= top - 1)
  return Number(first?.getAttribute('aria-posinset') ?? 1) - 1
}

/** Opens the record where it is not, and goes to its first field. */
function enterFields(box: HTMLElement | null, id: string): void {
  if (!opened.peek().has(id)) toggleOpen(id)
  requestAnimationFrame(() => {
    const row = box?.querySelector(`.log-row[data-id="${CSS.escape(id)}"]`)
    const field = row?.parentElement?.querySelector<HTMLElement>('[data-field]')
    if (field) focusField(field)
  })
}
