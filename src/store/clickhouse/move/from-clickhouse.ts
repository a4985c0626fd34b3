/**
 * Moves records from ClickHouse back into segments. For a directory that no service has, and whose lock the
 * caller holds. Slices of a day are fetched into a file laid out as one of the journal, and sealed as that
 * is; `moving.json` says how far it is, so that it may be cut anywhere.
 */

import { join } from 'node:path'
import type { Disk } from '../../../disk/disk.ts'
import { journalPath, listJournalFiles } from '../../../journal/files.ts'
import type { RecordPlace } from '../../../query/top-k.ts'
import { timeMax } from '../../../record.ts'
import { listSegments } from '../../../segment/files.ts'
import { dayMs } from '../../../time-units.ts'
import { crashPoint } from '../../crash-point.ts'
import { freeBytesOf } from '../../room.ts'
import { Connection, type QueryParams } from '../connection.ts'
import { fetchRecords } from '../fetch.ts'
import { forgetSent } from '../front-ends.ts'
import { dropPartitions, listPartitions } from '../partitions.ts'
import { type Position, readPosition, removePosition } from '../position-file.ts'
import { fetchedColumns } from '../row-reader.ts'
import { dayOfRow } from '../row-times.ts'
import { logsTable, makeTables } from '../tables.ts'
import {
  addCounts,
  agree,
  type ComparedDay,
  compareDays,
  countBlocks,
  countRows,
} from './day-counts.ts'
import { Move, type MoveOptions, MoveRefused, type MoveReport, nothing } from './move.ts'
import { type MoveFrom, readMove, removeMove, writeMove } from './move-file.ts'
import { type OpenedRecords, openRecords } from './open-records.ts'
import { blocksOf } from './segment-rows.ts'
import { conditionOfSlice, countSlice, type Slice } from './slices.ts'

export interface MoveFromOptions extends MoveOptions {
  /** Whether ClickHouse is to forget what was moved. */
  readonly delete: boolean
}

/** Of the file that a slice is fetched into, which is held in memory while it is sealed. */
const sliceBytesMax = 32 * 1024 * 1024
const sliceRecordsMax = 200_000

/** Throws MoveRefused, ClickHouseFailed, SealFailed, and what the disk throws. */
export async function moveFromClickHouse(options: MoveFromOptions): Promise<MoveReport> {
  const { url, layout, dataDir, disk } = options
  const known = readMove(dataDir, disk)
  const position = readPosition(dataDir, disk)
  refuse(known, position, dataDir, disk)
  const connection = await Connection.open(url)
  let records: OpenedRecords | undefined
  try {
    const fetching = new Fetching(options, connection, position)
    await fetching.patiently(() => makeTables(connection, layout))
    records = await openRecords(options, 'as they are')
    return await fetching.move(records, known as MoveFrom | undefined)
  } finally {
    await records?.close()
    await connection.close()
  }
}

/** Throws MoveRefused for a directory that has records of its own. */
function refuse(
  known: ReturnType<typeof readMove>,
  position: Position | undefined,
  dataDir: string,
  disk: Disk,
): void {
  if (known !== undefined && 'to' in known) {
    const end = known.state === 'kept' ? 'remove the segments that were kept' : 'end that'
    throw new MoveRefused(`records were being moved to ClickHouse: ${end} first, with --to`)
  }
  if (known !== undefined) return
  const journal = join(dataDir, 'journal')
  const hasJournal =
    disk.sizeSync(journal) !== undefined && listJournalFiles(journal, disk).length > 0
  const hasSegments = listSegments(join(dataDir, 'segments'), disk).length > 0
  if (hasSegments || (position === undefined && hasJournal)) {
    const text = 'the data directory has records that are not in ClickHouse'
    throw new MoveRefused(`${text}: give that of the service on ClickHouse, or one that is empty`)
  }
}

class Fetching extends Move<MoveFromOptions> {
  readonly #position: Position | undefined
  /** Which rows: what the journal has yet is not taken from ClickHouse. */
  readonly #chosen: string
  readonly #params: QueryParams
  #recordsMax = sliceRecordsMax

  constructor(options: MoveFromOptions, connection: Connection, position: Position | undefined) {
    super(options, connection)
    this.#position = position
    this.#chosen =
      position === undefined
        ? '1'
        : `NOT (FrontEnd = {frontEnd:String} AND JournalFile > ${position.shippedFile})`
    this.#params = position === undefined ? {} : { frontEnd: position.frontEnd }
  }

  async move(records: OpenedRecords, known: MoveFrom | undefined): Promise<MoveReport> {
    const { dataDir, disk, signal } = this.options
    await this.#removeSentFiles(records)
    const { nextNumber } = records
    const begin: MoveFrom = {
      ...{ from: 'clickhouse', state: 'fetching', nextNumber },
      ...{ time: -timeMax, sequence: 0 },
    }
    const move = known ?? begin
    if (move.state === 'fetched') return this.#end(records, { ...nothing, outcome: 'moved' })
    const days = await this.#days()
    if (known === undefined && this.#position === undefined && days.size === 0) return nothing
    if (known === undefined) await writeMove(dataDir, move, disk)
    await this.#removeUnnoted(records, move)
    await this.#tellSizes(records, days)
    const isWhole = await this.#fetchDays([...days.keys()], records, move)
    if (!isWhole || signal.aborted) return this.interrupted()
    const compared = await this.#compare(records)
    const report = { records: this.progress.records, days: compared, damaged: [] }
    if (!agree(compared)) return { outcome: 'differs', ...report }
    await writeMove(dataDir, { ...move, state: 'fetched' }, disk)
    crashPoint('move:counted')
    return this.#end(records, { outcome: 'moved', ...report })
  }

  /** Of a service that was killed: ClickHouse has them. */
  async #removeSentFiles({ paths }: OpenedRecords): Promise<void> {
    const { disk } = this.options
    for (const file of listJournalFiles(paths.journal, disk)) {
      if (this.#position === undefined || file > this.#position.shippedFile) continue
      await disk.removeDurably(journalPath(paths.journal, file))
    }
  }

  /** What an attempt before has sealed and not noted is fetched again. */
  async #removeUnnoted(records: OpenedRecords, { nextNumber }: MoveFrom): Promise<void> {
    for (const { number, path } of [...records.segments.all]) {
      if (number < nextNumber) continue
      await records.forget([number])
      await this.options.disk.removeDurably(path)
    }
  }

  /** Days of rows, the earliest first, and how many records each has. */
  async #days(): Promise<Map<number, number>> {
    const rows = await this.patiently(() =>
      this.connection.rows<{ day: number | string; records: number | string }>({
        query: `SELECT intDiv(toUnixTimestamp(TimestampTime), 86400) AS day, count() AS records
          FROM ${logsTable} WHERE ${this.#chosen} GROUP BY day ORDER BY day`,
        params: this.#params,
      }),
    )
    return new Map(rows.map(({ day, records }) => [Number(day), Number(records)]))
  }

  async #tellSizes(records: OpenedRecords, days: ReadonlyMap<number, number>): Promise<void> {
    const sum = (counts: Iterable<number>) => [...counts].reduce((total, one) => total + one, 0)
    const partitions = await listPartitions(this.connection, this.options.layout).catch(() => [])
    const totalRecords = sum(days.values())
    this.options.onBegin({
      records: totalRecords,
      bytes: sum(partitions.map(({ bytes }) => bytes)),
      freeBytes: await freeBytesOf(records.paths.segments),
    })
    const done = sum([...records.segments.all].map(({ recordCount }) => recordCount))
    this.tell({ records: done, totalRecords })
  }

  /** Resolves with false when it was interrupted. */
  async #fetchDays(
    days: readonly number[],
    records: OpenedRecords,
    move: MoveFrom,
  ): Promise<boolean> {
    const noted: RecordPlace = { timestamp: move.time, sequence: move.sequence }
    // Segments that an attempt before has removed have numbers, too.
    let nextNumber = Math.max(records.nextNumber, move.nextNumber)
    for (const day of days) {
      const slice = sliceOf(day, noted)
      const todo = slice === undefined ? [] : [slice]
      for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
        if (this.options.signal.aborted) return false
        const written = await this.#fetch(next, records, nextNumber)
        if (written === undefined) return false
        if ('halves' in written) {
          todo.push(written.halves[1], written.halves[0])
          continue
        }
        nextNumber += written.segments
        if (written.segments === 0) continue
        crashPoint('move:sealed')
        const { timestamp: time, sequence } = next.to
        await writeMove(
          this.options.dataDir,
          { ...move, nextNumber, time, sequence },
          this.options.disk,
        )
        crashPoint('move:noted')
        this.tell({ records: this.progress.records + written.records })
      }
    }
    return true
  }

  /** What became of a slice; undefined when it was interrupted. */
  async #fetch(
    slice: Slice,
    records: OpenedRecords,
    nextNumber: number,
  ): Promise<
    | { readonly segments: number; readonly records: number }
    | { readonly halves: readonly [Slice, Slice] }
    | undefined
  > {
    const counted = await this.patiently(() =>
      countSlice(slice, this.connection, this.#chosen, this.#params),
    )
    const { halves } = counted
    if (counted.records === 0) return { segments: 0, records: 0 }
    if (counted.records > this.#recordsMax && halves !== undefined) return { halves }
    const { dataDir, disk } = this.options
    const file = Math.max(1, this.#position?.shippedFile ?? 0)
    const path = journalPath(join(dataDir, 'fetched'), file)
    try {
      const bytesMax = halves === undefined ? Number.POSITIVE_INFINITY : sliceBytesMax
      const fetched = await this.#fetchInto(path, file, slice, bytesMax)
      if (fetched === 'cancelled') return undefined
      if (fetched === 'too-large') {
        this.#recordsMax = Math.ceil(counted.records / 2)
        return { halves: halves! }
      }
      const written = await records.seal({ path, file }, nextNumber)
      const count = fetched.ranges.reduce((sum, range) => sum + range.recordCount, 0)
      return { segments: written.length, records: count }
    } finally {
      disk.removeSync(path)
    }
  }

  async #fetchInto(path: string, file: number, slice: Slice, bytesMax: number) {
    const { url, disk, signal, dataDir } = this.options
    disk.makeDirectorySync(join(dataDir, 'fetched'))
    const cancelled = new Int32Array(1)
    const cancel = () => Atomics.store(cancelled, 0, 1)
    signal.addEventListener('abort', cancel, { once: true })
    const statement = {
      query: `SELECT ${fetchedColumns.join(', ')} FROM ${logsTable}
        WHERE ${conditionOfSlice(slice, this.#chosen)} FORMAT RowBinary`,
      params: this.#params,
    }
    try {
      return await this.patiently(() => {
        disk.removeSync(path)
        return fetchRecords({ url, statement, path, file, bytesMax, cancelled }, this.connection)
      })
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  /** What there is here and there, of each day. */
  async #compare(records: OpenedRecords): Promise<ComparedDay[]> {
    const { disk } = this.options
    const here = new Map<number, number>()
    for (const { path, number } of records.segments.all) {
      addCounts(here, countBlocks({ path, number }, blocksOf(path, number, disk), disk))
    }
    const there = await this.patiently(() => countRows(this.connection, this.#chosen, this.#params))
    return compareDays(here, there)
  }

  /** From here on the directory is one whose records are in segments. */
  async #end(records: OpenedRecords, report: MoveReport): Promise<MoveReport> {
    const { dataDir, disk, layout, logger } = this.options
    if (this.options.delete) {
      await this.patiently(async () => {
        const days = await listPartitions(this.connection, layout)
        await dropPartitions(days, this.connection, layout, logger)
      })
    }
    if (this.#position !== undefined) {
      const { frontEnd, nextSequence } = this.#position
      await this.patiently(() => forgetSent(frontEnd, this.connection))
      await records.retire(nextSequence)
      await removePosition(dataDir, disk)
    }
    await removeMove(dataDir, disk)
    return report
  }
}

/** What of a day of rows is not noted yet. Its first and last day have all earlier and later times. */
function sliceOf(day: number, noted: RecordPlace): Slice | undefined {
  const isFirst = day === 0
  const isLast = day === dayOfRow(timeMax)
  const begin = { timestamp: isFirst ? -timeMax : day * dayMs, sequence: 0 }
  const from = noted.timestamp > begin.timestamp ? noted : begin
  const same = noted.timestamp === begin.timestamp && noted.sequence > 0
  const to = { timestamp: isLast ? timeMax + 1 : (day + 1) * dayMs, sequence: 0 }
  if (from.timestamp >= to.timestamp) return undefined
  return { from: same ? noted : from, to }
}
