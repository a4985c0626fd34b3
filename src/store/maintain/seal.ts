/**
 * Turns a closed journal file into segments: its records, by UTC day and stream, in order of time, in
 * blocks. Runs in a thread of the seal pool.
 *
 * Senders may claim any time, so a file may hold records of thousands of days. The days with the most
 * records get a segment of their own; the rest share one, in the folder of its latest day.
 */

import type { Disk } from '../../disk/disk.ts'
import { realDisk } from '../../disk/real-disk.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import { Batch } from '../../journal/batch-reader.ts'
import { FileColumns } from '../../journal/file-columns.ts'
import { receiptsOfBatch } from '../../journal/receipts.ts'
import { intactFrames } from '../../journal/recover.ts'
import type { Timestamp } from '../../record.ts'
import { BlockBuilder } from '../../segment/block-builder.ts'
import { dayOf, segmentPath } from '../../segment/files.ts'
import type { SegmentFooter } from '../../segment/footer.ts'
import { SegmentWriter } from '../../segment/segment-writer.ts'
import { dayMs } from '../../time-units.ts'
import { crashPoint } from '../crash-point.ts'
import { GatheredReceipts } from '../receipts/receipt-file.ts'
import { rowsOfFile } from '../view/row-sources.ts'

/** Days of one file that get a segment each. */
const ownDaysMax = 32

export interface SealTask {
  readonly journal: { readonly path: string; readonly file: number }
  /** Below which the folders of days are. */
  readonly directory: string
  /** Where the receipts of its frames are kept. */
  readonly receiptsDirectory: string
  /** The number of the first segment; those that follow take the next. */
  readonly firstNumber: number
  readonly createdAt: Timestamp
}

export interface WrittenSegment {
  readonly path: string
  readonly day: string
  readonly footer: SegmentFooter
}

/**
 * Writes the segments, all or none, and before them the receipts. When it returns, all of them are on disk.
 * Throws SegmentWriteFailed.
 */
export function sealJournal(task: SealTask, disk: Disk = realDisk): WrittenSegment[] {
  const columns = new FileColumns()
  const receipts = new GatheredReceipts()
  const written: WrittenSegment[] = []
  try {
    for (const frame of intactFrames(task.journal.path, task.journal.file, disk)) {
      columns.add(new Batch(frame))
      const ofFrame = receiptsOfBatch(frame.payload)
      if (ofFrame !== undefined) receipts.add(ofFrame)
    }
    receipts.write(task.receiptsDirectory, task.journal.file, disk)
    const days = mergeSmallDays(gatherDays(columns))
    const group = days.map((_, i) => task.firstNumber + i)
    for (const [i, day] of days.entries()) {
      written.push(writeDay(task, day, group, group[i]!, disk))
      crashPoint('seal:one-written')
    }
  } catch (error) {
    for (const { path } of written) disk.removeSync(path)
    throw error
  } finally {
    columns.free()
  }
  return written
}

function writeDay(
  { directory, journal, createdAt }: SealTask,
  { day, streams }: DayRows,
  group: readonly number[],
  number: number,
  disk: Disk,
): WrittenSegment {
  const folder = dayOf(day * dayMs)
  const path = segmentPath(directory, folder, number)
  const writer = new SegmentWriter(path, number, disk)
  try {
    for (const builder of streams.values()) {
      for (const block of builder.blocks()) writer.addBlock(block)
    }
    const replaces = { journals: [journal.file], segments: [] }
    return { path, day: folder, footer: writer.finish({ createdAt, replaces, group }) }
  } catch (error) {
    writer.abandon()
    throw error
  }
}

/** Rows of one UTC day, by stream. */
interface DayRows {
  /** Days since 1970-01-01. */
  readonly day: number
  recordCount: number
  readonly streams: Map<string, BlockBuilder>
}

function gatherDays(columns: FileColumns): DayRows[] {
  const days = new Map<number, DayRows>()
  // Of each stream one source, with its own names: those of all streams are too many to ask each for.
  const sources = columns.attributeNamesByStream().map(names => rowsOfFile(columns, names))
  for (const { day, streamCode, rows } of rowsByDayAndStream(columns)) {
    const stream = columns.streams[streamCode]!
    const dayRows = getOrInsertComputed(days, day, () => ({
      day,
      recordCount: 0,
      streams: new Map(),
    }))
    const builder = new BlockBuilder(stream)
    builder.add(sources[streamCode]!, rows)
    dayRows.streams.set(`${stream.service}\0${stream.environment}`, builder)
    dayRows.recordCount += rows.length
  }
  return [...days.values()].sort((a, b) => a.day - b.day)
}

interface RowsOfDay {
  readonly day: number
  readonly streamCode: number
  readonly rows: number[]
}

function rowsByDayAndStream(columns: FileColumns): RowsOfDay[] {
  const byStreamAndDay = columns.streams.map(() => new Map<number, RowsOfDay>())
  for (let row = 0; row < columns.recordCount; row++) {
    const code = columns.streamCode(row)
    const day = Math.floor(columns.timestamp(row) / dayMs)
    let group = byStreamAndDay[code]!.get(day)
    if (group === undefined) {
      group = { day, streamCode: code, rows: [] }
      byStreamAndDay[code]!.set(day, group)
    }
    group.rows.push(row)
  }
  return byStreamAndDay.flatMap(byDay => [...byDay.values()])
}

function mergeSmallDays(days: readonly DayRows[]): DayRows[] {
  if (days.length <= ownDaysMax) return [...days]
  const byCount = days.toSorted((a, b) => b.recordCount - a.recordCount)
  const own = byCount.slice(0, ownDaysMax - 1)
  const small = byCount.slice(ownDaysMax - 1)
  const shared: DayRows = {
    day: Math.max(...small.map(({ day }) => day)),
    recordCount: 0,
    streams: new Map(),
  }
  for (const { streams, recordCount } of small) {
    shared.recordCount += recordCount
    for (const [key, builder] of streams) {
      const whole = shared.streams.get(key)
      if (whole === undefined) shared.streams.set(key, builder)
      else whole.addAll(builder)
    }
  }
  return [...own, shared].sort((a, b) => a.day - b.day)
}
