/**
 * What the tail's thread does: reads new frames of the journal once, for all tailing clients together,
 * tries every query on their columns, and returns the text of the records that match.
 *
 * Clients with the same query share its text, and queries that match the same record share the work
 * of rebuilding it.
 */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import type { FrameSpan } from '../../journal/frame.ts'
import type { Selector } from '../../language/ast.ts'
import { Predicate } from '../../query/predicate.ts'
import type { SourceReader } from '../../query/source-reader.ts'
import type { TailText } from './queue.ts'
import { recordText, type TailForm } from './text.ts'

/** Consecutive frames of a journal file. */
export interface TailRange extends FrameSpan {
  readonly path: string
  /** Whether matching records are only counted: there is too much to catch up with. */
  readonly isCountedOnly: boolean
}

export interface TailQuery {
  /** Stands for the query from task to task. */
  readonly number: number
  readonly selector: Selector
  /** `events` when absent. */
  readonly form?: TailForm
}

export interface TailTask {
  readonly queries: readonly TailQuery[]
  readonly ranges: readonly TailRange[]
  /** Time after which no further range is begun, ms. */
  readonly turnMs: number
  /** See `progress`. */
  readonly progress: Int32Array
}

/** Places in the shared memory that tells what the thread is at. */
export const progress = {
  /** Counts up with every query that is tried on a frame. */
  step: 0,
  /** The number of the query that is being tried; -1 in between, as while a file is read. */
  query: 1,
  length: 2,
} as const

/** What a query finds in a range; never without a record. */
export interface TailMatch extends TailText {
  readonly query: number
}

export interface TailResult {
  /** For each range that was read, in their order. Those that follow are for the next task. */
  readonly ranges: readonly (readonly TailMatch[])[]
  readonly damagedFrames: number
}

const anyTime = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
const encoder = new TextEncoder()

/** A query that can be tried. */
interface Tried {
  readonly predicate: Predicate
  readonly form: TailForm
}

/** The queries of the last task by their numbers: expressions are costly to compile. */
let allTried = new Map<number, Tried>()

/** Carries out a task. At least one range is read, however little time there is. */
export function matchRanges(task: TailTask, reader: SourceReader): TailResult {
  const startedAt = performance.now()
  allTried = new Map(
    task.queries.map(({ number, selector, form = 'events' }) => [
      number,
      allTried.get(number) ?? { predicate: new Predicate(selector), form },
    ]),
  )
  const ranges: TailMatch[][] = []
  let damagedFrames = 0
  for (const range of task.ranges) {
    if (ranges.length > 0 && performance.now() - startedAt > task.turnMs) break
    const gathered = new Map<number, Gathered>()
    for (const frame of framesOf(range, reader)) {
      if (frame === 'damaged') damagedFrames++
      else matchFrame(frame.columns, range, task.progress, gathered)
    }
    ranges.push(Array.from(gathered, ([query, found]) => ({ query, ...textOf(found) })))
  }
  return { ranges, damagedFrames }
}

/** What a query has found in a range so far. */
interface Gathered {
  count: number
  /** Undefined when records are only counted. */
  readonly texts: string[] | undefined
}

function framesOf({ path, file, offset, bytes }: TailRange, reader: SourceReader) {
  const source = { kind: 'journal', file, offset, bytes } as const
  return reader.frames({ number: 0, path, source, isCounted: false }, () => true)
}

function matchFrame(
  columns: RecordColumns,
  { isCountedOnly }: TailRange,
  steps: Int32Array,
  gathered: Map<number, Gathered>,
): void {
  /** Of the frame's records, as far as any query wanted them as they came. */
  const texts: Record<TailForm, (string | undefined)[]> = { events: [], 'loki-streams': [] }
  for (const [query, { predicate, form }] of allTried) {
    Atomics.store(steps, progress.query, query)
    Atomics.add(steps, progress.step, 1)
    const selected = predicate.select(columns, ...anyTime)
    if (selected === undefined) continue
    const isAsItCame = !predicate.hasStages
    const seen = isAsItCame ? columns : predicate.staged(columns, selected)
    const found = getOrInsertComputed(gathered, query, () => ({
      count: 0,
      texts: isCountedOnly ? undefined : [],
    }))
    for (let row = selected.indexOf(1); row !== -1; row = selected.indexOf(1, row + 1)) {
      found.count++
      if (found.texts === undefined) continue
      if (isAsItCame) texts[form][row] ??= recordText(arrivedRecord(columns, row), form)
      const text = isAsItCame ? texts[form][row]! : recordText(arrivedRecord(seen, row), form)
      found.texts.push(text)
    }
  }
  Atomics.store(steps, progress.query, -1)
}

function arrivedRecord(columns: RecordColumns, row: number) {
  const stream = columns.streams[columns.streamCodes[row]!]!
  return { ...columns.record(row), stream, sequence: columns.sequence(row) }
}

/** In memory of its own, because what travels to the main thread is a copy of all that it is part of. */
function textOf({ count, texts }: Gathered): TailText {
  return { count, text: texts && encoder.encode(texts.join('')) }
}
