/**
 * What a scan worker does: reads ranges of journal files, tests their batches column by column, and
 * gives back counts, groups and the places of the few records that may be in the answer. Records are
 * rebuilt by a second task, only those that are.
 */
import fs from 'node:fs'
import { Batch } from '../journal/batch-reader.ts'
import { findMagic, frameHeaderBytes, readFrame } from '../journal/frame.ts'
import type { LogRecord, Sequence, Stream, Timestamp } from '../record.ts'
import type { Selector } from './ast.ts'
import {
  type Candidate,
  comparePlaces,
  FirstInOrder,
  type Order,
  type RecordPlace,
} from './earliest.ts'
import { type GroupCount, Groups, groupBatch } from './groups.ts'
import { Predicate } from './predicate.ts'

/** Consecutive frames of a journal file. */
export interface ScanRange {
  readonly path: string
  readonly file: number
  readonly offset: number
  readonly bytes: number
}

/** What a query asks of every range. Plain data: it travels to the workers. */
export interface ScanQuery {
  readonly selector: Selector
  readonly by: readonly string[]
  readonly startTime: Timestamp
  readonly endTime: Timestamp
  readonly limit: number
  readonly order: Order
  /** Only records behind this place are candidates for the answer; all are counted. */
  readonly after: RecordPlace | undefined
}

export interface ScanTask {
  readonly query: ScanQuery
  /** False when the index has already counted these ranges and only records are wanted. */
  readonly wantsCount: boolean
  readonly ranges: readonly ScanRange[]
  /** One integer in shared memory; not zero: the answer is no longer wanted. */
  readonly cancelled: Int32Array
}

/** What a scan looked at, for people and for metrics. */
export interface ScanStats {
  frames: number
  records: number
  bytes: number
  /** Frames whose checksum failed now and held when they were written. */
  damagedFrames: number
}

export interface ScanResult {
  readonly count: number
  readonly groups: GroupCount[]
  readonly candidates: Candidate[]
  readonly stats: ScanStats
}

/** Runs a scan task. A cancelled task returns early with what it has. */
export function scanRanges(task: ScanTask, maxGroups: number): ScanResult {
  const { query } = task
  const predicate = new Predicate(query.selector)
  const first = new FirstInOrder(query.limit, query.order)
  const groups = new Groups()
  const stats: ScanStats = { frames: 0, records: 0, bytes: 0, damagedFrames: 0 }
  let count = 0
  for (const range of task.ranges) {
    for (const { batch, position } of framesOf(range, stats, header =>
      wanted(header, task, first),
    )) {
      if (Atomics.load(task.cancelled, 0) !== 0) break
      stats.records += batch.recordCount
      const selected = predicate.select(batch, query.startTime, query.endTime)
      if (selected === undefined) continue
      if (task.wantsCount) {
        count += countOnes(selected)
        if (query.by.length > 0) groupBatch(groups, query.by, batch, selected)
      }
      offerSelected(first, query, batch, selected, position)
      // The merge refuses so many; there is no use in holding more.
      if (groups.size > maxGroups) break
    }
  }
  return { count, groups: groups.toArray(), candidates: first.toArray(), stats }
}

interface FrameTimes {
  readonly minTimestamp: Timestamp
  readonly maxTimestamp: Timestamp
}

/** Whether a frame can change the result, by its times alone. */
function wanted(times: FrameTimes, task: ScanTask, first: FirstInOrder): boolean {
  const { startTime, endTime } = task.query
  if (times.maxTimestamp < startTime || times.minTimestamp > endTime) return false
  return task.wantsCount || first.mayKeepWithin(times.minTimestamp, times.maxTimestamp)
}

interface FramePlace {
  readonly file: number
  readonly offset: number
  readonly bytes: number
  readonly firstSequence: Sequence
}

/** The intact frames of a range that are wanted, decoded. Memory is valid until the next range. */
function* framesOf(
  range: ScanRange,
  stats: ScanStats,
  isWanted: (times: FrameTimes) => boolean,
): Generator<{ batch: Batch; position: FramePlace }> {
  const bytes = readRange(range)
  let at = 0
  while (at < bytes.length) {
    const frame = readFrame(bytes, at, range.file, range.offset)
    if (typeof frame !== 'object') {
      stats.damagedFrames++
      const next = findMagic(bytes, at + 1)
      if (next === -1) return
      at = next
      continue
    }
    const frameBytes = frameHeaderBytes + frame.payload.length
    at += frameBytes
    if (!isWanted(frame.header)) continue
    stats.frames++
    stats.bytes += frameBytes
    const { firstSequence } = frame.header
    const position = { file: range.file, offset: frame.offset, bytes: frameBytes, firstSequence }
    yield { batch: new Batch(frame.payload), position }
  }
}

function offerSelected(
  first: FirstInOrder,
  query: ScanQuery,
  batch: Batch,
  selected: Uint8Array,
  position: FramePlace,
): void {
  for (let row = selected.indexOf(1); row !== -1; row = selected.indexOf(1, row + 1)) {
    const timestamp = batch.timestamp(row)
    if (!first.mayKeepWithin(timestamp, timestamp)) continue
    const candidate: Candidate = {
      timestamp,
      sequence: position.firstSequence + row,
      file: position.file,
      frameOffset: position.offset,
      frameBytes: position.bytes,
      row,
    }
    const isBehind =
      query.after === undefined || comparePlaces(candidate, query.after, query.order) > 0
    if (isBehind) first.offer(candidate)
  }
}

function countOnes(selected: Uint8Array): number {
  let count = 0
  for (let row = 0; row < selected.length; row++) count += selected[row]!
  return count
}

/** A frame and the rows of it that are in the answer. */
export interface RebuildFrame extends ScanRange {
  readonly rows: readonly number[]
}

export interface RebuiltRecord extends LogRecord {
  readonly stream: Stream
}

/** The records at the given rows, in the order of the frames and of the rows in each. */
export function rebuildRecords(frames: readonly RebuildFrame[]): (RebuiltRecord | undefined)[] {
  return frames.flatMap(frame => {
    const read = readFrame(readRange(frame), 0, frame.file, frame.offset)
    // Damaged between the scan and now: the caller counts what is missing.
    if (typeof read !== 'object') return frame.rows.map(() => undefined)
    const batch = new Batch(read.payload)
    return frame.rows.map(row => ({ ...batch.record(row), stream: batch.stream(row) }))
  })
}

/** Reused from range to range: a fresh buffer of megabytes would cost more than the read. */
let rangeBuffer = Buffer.alloc(0)

/** Reads a range whole. Valid until the next call. */
function readRange(range: ScanRange): Buffer {
  if (rangeBuffer.length < range.bytes) rangeBuffer = Buffer.allocUnsafeSlow(range.bytes)
  const fd = fs.openSync(range.path, 'r')
  try {
    const bytes = fs.readSync(fd, rangeBuffer, 0, range.bytes, range.offset)
    return rangeBuffer.subarray(0, bytes)
  } finally {
    fs.closeSync(fd)
  }
}
