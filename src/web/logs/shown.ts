/**
 * What the log viewer shows, as signals: what it is about is in the address, how it looks is kept by this
 * browser. Every click that narrows the records goes through here and writes the query's text.
 */

import { signal } from '@preact/signals'
import { pathTo } from '../../http/page-paths.ts'
import { hourMs, secondMs } from '../../time-units.ts'
import type { AnswerRecord } from '../api/records.ts'
import { environment } from '../app/environment.tsx'
import { choiceOf, withChoice, withCondition } from '../query/edit.ts'
import { readText } from '../query/read.ts'
import { selectorsOf } from '../query/selectors.ts'
import { kept } from '../state/kept.ts'
import { go, place, setParams } from '../state/location.ts'
import {
  choiceParam,
  flagParam,
  listParam,
  type ParamKind,
  textParam,
} from '../state/param-kinds.ts'
import { urlParam } from '../state/url-param.ts'
import {
  isRelative,
  lastRange,
  rangeOf,
  resolveRange,
  type TimeRange,
  type Times,
} from '../time/range.ts'
import { rangeChange, timeRange } from '../time/range-param.ts'
import { zone } from '../time/zone.ts'
import { isBuiltIn } from './record-fields.ts'

export const query = urlParam('query', textParam('logs'))
/** Fields that have a column of their own, each once, whatever an address or a saved query says. */
export const columns = urlParam('columns', {
  read: text => [...new Set(listParam.read(text))].filter(field => !isBuiltIn(field)),
  print: listParam.print,
} satisfies ParamKind<readonly string[]>)
export const form = urlParam('view', choiceParam(['rows', 'json']))
/** Id of the record that a link leads to; empty mostly. */
export const linked = urlParam('record', textParam())
export const isLive = urlParam('live', flagParam)
/** Oldest first, and then no live tail, whose newest records would be far below. */
export const order = urlParam('order', choiceParam(['newest', 'oldest']))
/** Whether the histogram has the period before as a faint line. */
export const isCompared = urlParam('compare', flagParam)
export type FoundTab = 'records' | 'patterns' | 'changes'
/** What is shown below the histogram. */
export const foundTab = urlParam('tab', choiceParam<FoundTab>(['records', 'patterns', 'changes']))
/** Of patterns only those that were not there in the day before. */
export const isOnlyNew = urlParam('new', flagParam)
export const refreshEvery = urlParam('refresh', choiceParam(['off', '10s', '1m']))

export const isWrapped = kept('logs.wrap', flagParam)
export const isPanelHidden = kept('logs.fields-hidden', flagParam)

export function setOrder(next: 'newest' | 'oldest'): void {
  if (next === order.peek()) return
  setParams({ ...order.change(next), ...isLive.change(false), ...linked.change('') })
}

export function toggleOrder(): void {
  setOrder(order.peek() === 'newest' ? 'oldest' : 'newest')
}

/** Counts up when the same query is run again: a relative range then ends now. */
export const runs = signal(0)

/** The query that was run with the chosen environment, as it is asked. */
export function narrowed(text = query.peek()): string {
  const value = environment.peek()
  return value === '' ? text : withCondition(text, { label: 'environment', operator: '=', value })
}

/**
 * The records whose fields are shown: of several selectors, which have no answer in common, the first's, and
 * of none all. What cannot be read is asked all the same: the service says what is wrong with it.
 */
export function narrowedToOne(text = query.peek()): string {
  const all = narrowed(text)
  const [first, ...others] = selectorsOf(all)
  if (first === undefined) return readText(all) !== undefined ? narrowed('logs') : all
  return others.length > 0 ? first : all
}

/** Of the records of a page that chooses no range, such as a trace; set while it is shown. */
export const timesHere = signal<Times | undefined>(undefined)

/** The seconds that these times lie in. */
export function wholeSeconds({ startTime, endTime }: Times): Times {
  const after = Math.floor(endTime / secondMs) * secondMs + secondMs
  return { startTime: Math.floor(startTime / secondMs) * secondMs, endTime: after - 1 }
}

/** The chosen range as it is now; a range that cannot be read is the last hour. */
export function timesNow(): Times {
  if (timesHere.peek() !== undefined) return timesHere.peek()!
  const now = Date.now()
  const resolved = resolveRange(timeRange.peek(), { now, zone: zone.peek() })
  return resolved.ok ? resolved : { startTime: now - hourMs, endTime: now }
}

/** How often the values beside what is followed live are asked for, ms. */
export const liveMs = 2_000

/** The chosen range as one that moves on with time, of the same length. */
export function followedRange(): TimeRange {
  const range = timeRange.peek()
  if (isRelative(range)) return range
  const { startTime, endTime } = timesNow()
  return lastRange(`${Math.max(1, Math.round((endTime - startTime) / 1_000))}s`)
}

/** The record whose surroundings are shown. */
export const surrounded = signal<AnswerRecord | undefined>(undefined)

export function run(text: string): void {
  runs.value += 1
  surrounded.value = undefined
  const changes = { ...query.change(text), ...linked.change('') }
  if (isLogsShown()) setParams(changes)
  else go(logsHref(text))
}

/** The log viewer with this query, in the time of the page where one is. */
export function logsHref(text: string): string {
  const times = timesHere.value
  const range = times === undefined ? {} : rangeChange(rangeOf(times))
  return `${pathTo('logs')}?${new URLSearchParams(defined({ ...query.change(text), ...range }))}`
}

/** Records are shown on other pages, too: what is asked of one of these goes to the log viewer. */
function isLogsShown(): boolean {
  const page = place.peek()?.page
  return page === 'logs' || page === 'home'
}

function defined(changes: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Record<string, string>
}

/** Asks the same again. */
export function runAgain(): void {
  runs.value += 1
}

export function zoomTo(times: Times): void {
  setParams({ ...rangeChange(rangeOf(times)), ...linked.change(''), ...isLive.change(false) })
}

/** What is special about this time: against what lies around it, whatever it was before. */
export function askChanges(times: Times): void {
  const range = { ...rangeChange(rangeOf(times)), ...linked.change(''), ...isLive.change(false) }
  setParams({ ...range, ...foundTab.change('changes') })
}

/** Values longer than this are not written into a query: the address has to carry them. */
export const filterableMax = 500

/** Keeps, or leaves out, the records with this value. */
export function filterBy(label: string, value: string, kind: 'only' | 'not'): void {
  if (value.length > filterableMax) return
  const operator = kind === 'only' ? '=' : '!='
  run(withCondition(query.peek(), { label, operator, value }, { keepsWords: true }))
}

/** A value more of which the label may have one, or one less. */
export function toggleValue(label: string, value: string): void {
  const text = query.peek()
  const chosen = choiceOf(text, label)
  const next = chosen.includes(value) ? chosen.filter(one => one !== value) : [...chosen, value]
  run(withChoice(text, label, next, { keepsWords: true }))
}

/** A click filters, with Alt or Shift it excludes. */
export function kindOfClick(event: { altKey: boolean; shiftKey?: boolean }): 'only' | 'not' {
  return event.altKey || event.shiftKey === true ? 'not' : 'only'
}

export function toggleColumn(field: string): void {
  if (isBuiltIn(field)) return
  const now = columns.peek()
  columns.set(now.includes(field) ? now.filter(one => one !== field) : [...now, field], 'replace')
}

/** The rows in the list: which one the keys act on, and which are opened. */
export const marked = signal<string | undefined>(undefined)
export const opened = signal<ReadonlySet<string>>(new Set())

export function toggleOpen(id: string): void {
  const next = new Set(opened.peek())
  if (!next.delete(id)) next.add(id)
  opened.value = next
  marked.value = id
}
