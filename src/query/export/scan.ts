/**
 * What a scan thread does for an export: finds the rows of a window that match, and returns the
 * first of them in order, as text.
 *
 * However many records a window has, and however large they are, a task takes bounded memory: rows
 * are chosen by their places first, and of those chosen, half are put off as long as their text is too
 * long.
 */

import { type RecordColumns, rowsWithin } from '../../columns/record-columns.ts'
import type { BlockColumns } from '../../segment/block-columns.ts'
import { SegmentCorrupt } from '../../segment/segment-error.ts'
import { Turn, TurnOver } from '../../threads/turn.ts'
import type { Predicate } from '../predicate.ts'
import { predicateOf } from '../predicates.ts'
import { pruneBlock } from '../prune.ts'
import type { DamagedBlock, ScanSource } from '../scan-task.ts'
import type { SourceReader } from '../source-reader.ts'
import { StagedTooLong } from '../stages/label-texts.ts'
import { comparePlaces } from '../top-k.ts'
import { type ChosenRows, RowChoice } from './choice.ts'
import { type ExportQuery, type ExportRows, type ExportTask, taskRowsMax } from './task.ts'
import { ExportTexts } from './texts.ts'

/** Columns with chosen rows: a block, or a frame of a journal range. */
interface Part {
  readonly source: ScanSource
  readonly firstSequence: number
}

/**
 * Runs an export task. A cancelled task returns early, with nothing. `long`: nothing is exported,
 * because selecting from one of the sources takes longer than a task may.
 */
export function exportRows(task: ExportTask, reader: SourceReader): ExportRows | 'long' {
  const turn = new Turn(task.turn)
  const scan = new ExportScan(task, reader, turn)
  try {
    for (const source of task.sources) {
      if (turn.isCancelled) return nothingWanted
      scan.find(source)
    }
    const rows = turn.toItsEnd(() => scan.write())
    if (!rows.isCut) shedWhatEnds(task, reader)
    return rows
  } catch (error) {
    if (!(error instanceof TurnOver)) throw error
    return turn.isCancelled ? nothingWanted : 'long'
  }
}

/** Of a cancelled task, at which nobody looks. */
const nothingWanted: ExportRows = {
  count: 0,
  longText: undefined,
  isCut: true,
  damagedFrames: 0,
  damagedBlocks: [],
}

/** Otherwise an export would fill the cache with what it never reads again. */
function shedWhatEnds({ query, window, sources }: ExportTask, reader: SourceReader): void {
  for (const source of sources) {
    const isLast =
      query.order === 'asc' ? source.maxTimestamp <= window.to : source.minTimestamp >= window.from
    if (isLast) reader.shed(source)
  }
}

class ExportScan {
  readonly #task: ExportTask
  readonly #reader: SourceReader
  readonly #turn: Turn
  readonly #predicate: Predicate
  readonly #choice: RowChoice
  readonly #parts: Part[] = []
  readonly #damagedBlocks: DamagedBlock[] = []
  #damagedFrames = 0

  constructor(task: ExportTask, reader: SourceReader, turn: Turn) {
    this.#task = task
    this.#reader = reader
    this.#turn = turn
    this.#predicate = predicateOf(task.query.selector)
    this.#choice = new RowChoice(taskRowsMax, task.query.order)
  }

  /** Offers the matching rows of a source. */
  find(source: ScanSource): void {
    try {
      if (source.source.kind === 'journal') this.#findInRange(source)
      else this.#findInBlock(source)
    } catch (error) {
      this.#noteDamage(source, error)
    }
  }

  /** The text of the rows that were chosen, as many as fit. */
  write(): ExportRows {
    const { target } = this.#task
    const chosen = this.#choice.chosen(target)
    let count = chosen.rows.length
    let texts = new ExportTexts(count, target.text.length)
    while (!this.#writeFirst(count, chosen, texts) && count > 1) {
      count >>>= 1
      texts = new ExportTexts(count, target.text.length)
    }
    return {
      count,
      longText: texts.putInOrder(target),
      isCut: this.#choice.isCut || count < chosen.rows.length,
      damagedFrames: this.#damagedFrames,
      damagedBlocks: this.#damagedBlocks,
    }
  }

  #findInRange(source: ScanSource): void {
    const { from, to } = this.#task.window
    const { chosen } = this.#task.query
    const frames = this.#reader.frames(
      source,
      ({ minTimestamp, maxTimestamp }) => maxTimestamp >= from && minTimestamp <= to,
    )
    for (const frame of frames) {
      if (this.#turn.isCancelled) return
      if (frame === 'damaged') {
        this.#damagedFrames++
        continue
      }
      const { columns } = frame
      const selected = this.#turn.within(() =>
        this.#predicate.select(columns, from, to, { chosen }),
      )
      if (selected === undefined) continue
      const part = this.#parts.push({ source, firstSequence: columns.sequence(0) }) - 1
      for (let row = selected.indexOf(1); row !== -1; row = selected.indexOf(1, row + 1)) {
        this.#offer(columns, part, row) // Not in order of time: the next may be before this.
      }
    }
  }

  #findInBlock(source: ScanSource): void {
    const skipped = this.#turn.within(() => this.#reader.skip(source, this.#predicate))
    if (typeof skipped?.verdict === 'string') return
    const block = this.#reader.block(source, 'passing')
    const { query, window } = this.#task
    const selected = this.#turn.within(() => selectionOf(block, this.#predicate, query))
    if (selected === 'none') return
    const isAscending = query.order === 'asc'
    const { from: start, to: end } = rowsWithin(block.sortedTimes, window.from, window.to)
    const part = this.#parts.push({ source, firstSequence: 0 }) - 1
    const step = isAscending ? 1 : -1
    const last = isAscending ? end : start - 1
    for (let row = isAscending ? start : end - 1; row !== last; row += step) {
      const isSelected = selected === 'all' || selected[row] === 1
      if (isSelected && !this.#offer(block, part, row)) return
    }
  }

  /** False when nothing that is after the row is wanted either. */
  #offer(columns: RecordColumns, part: number, row: number): boolean {
    const { query, window } = this.#task
    const timestamp = columns.timestamp(row)
    const sequence = columns.sequence(row)
    const { after } = window
    const isGiven =
      after !== undefined && comparePlaces({ timestamp, sequence }, after, query.order) <= 0
    return isGiven || this.#choice.offer(timestamp, sequence, part, row)
  }

  /** False when the texts of the first `count` chosen rows do not fit. */
  #writeFirst(count: number, chosen: ChosenRows, texts: ExportTexts): boolean {
    const placesByPart = new Map<number, number[]>()
    for (let i = 0; i < count; i++) {
      const part = chosen.parts[i]!
      const places = placesByPart.get(part)
      if (places === undefined) placesByPart.set(part, [i])
      else places.push(i)
    }
    const partsBySource = Map.groupBy(placesByPart.keys(), part => this.#parts[part]!.source)
    for (const [source, parts] of partsBySource) {
      try {
        const isWhole =
          source.source.kind === 'journal'
            ? this.#writeFrames(source, parts, placesByPart, chosen, texts)
            : this.#writeRows(
                this.#reader.block(source, 'passing'),
                placesByPart.get(parts[0]!)!,
                chosen,
                texts,
              )
        if (!isWhole) return false
      } catch (error) {
        this.#noteDamage(source, error)
      }
    }
    return true
  }

  #writeFrames(
    source: ScanSource,
    parts: readonly number[],
    placesByPart: ReadonlyMap<number, readonly number[]>,
    chosen: ChosenRows,
    texts: ExportTexts,
  ): boolean {
    const wanted = new Map(parts.map(part => [this.#parts[part]!.firstSequence, part]))
    const frames = this.#reader.frames(source, header => wanted.has(header.firstSequence))
    for (const frame of frames) {
      if (frame === 'damaged') continue // Counted when it was looked for.
      const places = placesByPart.get(wanted.get(frame.columns.sequence(0))!)!
      if (!this.#writeRows(frame.columns, places, chosen, texts)) return false
    }
    return true
  }

  #writeRows(
    columns: RecordColumns,
    places: readonly number[],
    { rows }: ChosenRows,
    texts: ExportTexts,
  ): boolean {
    const ascending = places.toSorted((a, b) => rows[a]! - rows[b]!)
    const exported = this.#asExported(columns, ascending, rows)
    try {
      return texts.write(exported, this.#task.query.format, ascending, rows)
    } catch (error) {
      if (error instanceof StagedTooLong) return false
      throw error
    }
  }

  /** The columns after the query's stages, of the rows that are written. */
  #asExported(columns: RecordColumns, places: readonly number[], rows: Uint32Array): RecordColumns {
    if (!this.#predicate.hasStages) return columns
    const selected = new Uint8Array(columns.recordCount)
    for (const place of places) selected[rows[place]!] = 1
    return this.#predicate.staged(columns, selected)
  }

  #noteDamage({ number }: ScanSource, error: unknown): void {
    if (!(error instanceof SegmentCorrupt)) throw error
    this.#damagedBlocks.push({ source: number, reason: error.message })
  }
}

/** The rows of a block that match: all, none, or those marked with 1. */
type Selection = 'all' | 'none' | Uint8Array

/** Kept with the columns, as long as these are: a block is asked again for each of many windows. */
const selections = new WeakMap<BlockColumns, { readonly key: string; readonly rows: Selection }>()

function selectionOf(block: BlockColumns, predicate: Predicate, query: ExportQuery): Selection {
  const { selector, startTime, endTime, chosen } = query
  if (chosen !== undefined) return select(block, predicate, query)
  const key = JSON.stringify([selector, startTime, endTime])
  const known = selections.get(block)
  if (known?.key === key) return known.rows
  const rows = select(block, predicate, query)
  selections.set(block, { key, rows })
  return rows
}

function select(
  block: BlockColumns,
  predicate: Predicate,
  { startTime, endTime, chosen }: ExportQuery,
): Selection {
  if (pruneBlock(block, predicate) !== undefined) return 'none'
  const selected = predicate.select(block, startTime, endTime, { chosen })
  if (selected === undefined) return 'none'
  return selected.includes(0) ? selected.slice() : 'all'
}
