/** What a scan thread does for the records of an answer: it makes them from the rows of their sources. */

import type { RecordColumns } from '../columns/record-columns.ts'
import { SegmentCorrupt } from '../segment/segment-error.ts'
import type { Predicate } from './predicate.ts'
import { predicateOf } from './predicates.ts'
import {
  type DamagedBlock,
  framePlaceOf,
  type RebuildPart,
  type RebuildResult,
  type RebuildTask,
  type RebuiltRecord,
  type ScanResult,
  type ScanSource,
  type ScanTask,
  textLength,
} from './scan-task.ts'
import type { SourceReader } from './source-reader.ts'
import type { Candidate } from './top-k.ts'

/**
 * Up to this many records are rebuilt by the scan itself, until they are so long together, in
 * characters: each thread then rebuilds more than are needed, but a second turn would take longer (0.3
 * ms of the main thread alone).
 */
const rebuiltAtOnceMax = 128
const rebuiltLengthMax = 1024 * 1024

/** For columns from which only single records are made. */
const noRows = new Uint8Array(0)

/**
 * The records at the given rows; undefined where one cannot be read, and for all that follow when they
 * are longer together than `lengthMax` characters. What turns out damaged now was whole, or not looked
 * at, before.
 */
export function rebuildRecords(
  { parts, selector }: RebuildTask,
  reader: SourceReader,
  lengthMax = Number.POSITIVE_INFINITY,
): RebuildResult {
  const damagedBlocks: DamagedBlock[] = []
  const predicate = predicateOf(selector)
  let length = 0
  const records: (RebuiltRecord | undefined)[] = []
  for (const { source, frame, rows } of parts) {
    const recordsBefore = records.length
    try {
      const columns = frame === undefined ? reader.block(source) : reader.frame(source, frame)
      const seen = columns && asAnswered(columns, predicate)
      for (const row of rows) {
        const record = length > lengthMax ? undefined : seen && recordAt(seen, row)
        if (record !== undefined) length += textLength(record)
        records.push(record)
      }
    } catch (error) {
      if (!(error instanceof SegmentCorrupt)) throw error
      damagedBlocks.push({ source: source.number, reason: error.message })
      records.length = recordsBefore
      for (let i = 0; i < rows.length; i++) records.push(undefined)
    }
  }
  return { records, damagedBlocks }
}

function recordAt(columns: RecordColumns, row: number): RebuiltRecord {
  return { ...columns.record(row), stream: columns.streams[columns.streamCodes[row]!]! }
}

/** The records of the candidates that a task has found, in their order, as far as they are few. */
export function rebuildFound(
  task: ScanTask,
  { candidates, damagedBlocks }: ScanResult,
  reader: SourceReader,
): Pick<ScanResult, 'records' | 'damagedBlocks'> {
  if (candidates.length > rebuiltAtOnceMax) return { records: undefined, damagedBlocks }
  const found = foundParts(candidates)
  const wanted = new Set<number>()
  for (const { candidate } of found) wanted.add(candidate.source)
  const byNumber = new Map<number, ScanSource>()
  for (const source of task.sources)
    if (wanted.has(source.number)) byNumber.set(source.number, source)
  const parts: RebuildPart[] = []
  for (const { candidate, rows } of found) {
    const source = byNumber.get(candidate.source)!
    const frame = framePlaceOf(source, candidate.frameOffset, candidate.frameBytes)
    parts.push({ source, frame, rows })
  }
  const rebuilt = rebuildRecords({ parts, selector: task.query.selector }, reader, rebuiltLengthMax)
  const records = new Array<RebuiltRecord | undefined>(candidates.length)
  let next = 0
  for (const { places } of found)
    for (const place of places) records[place] = rebuilt.records[next++]
  return { records, damagedBlocks: [...damagedBlocks, ...rebuilt.damagedBlocks] }
}

/** A frame or block of which there are candidates. */
interface FoundPart {
  /** The first of them. */
  readonly candidate: Candidate
  readonly rows: number[]
  /** Of each its place among all. */
  readonly places: number[]
}

/** All candidates of a frame together, since it is decoded again for each part. */
function foundParts(candidates: readonly Candidate[]): FoundPart[] {
  const parts = new Map<string, FoundPart>()
  for (const [place, candidate] of candidates.entries()) {
    const key = `${candidate.source}:${candidate.frameOffset}`
    let part = parts.get(key)
    if (part === undefined) {
      part = { candidate, rows: [], places: [] }
      parts.set(key, part)
    }
    part.rows.push(candidate.row)
    part.places.push(place)
  }
  return [...parts.values()]
}

/** The columns as they are after the stages, if there are any. */
function asAnswered(columns: RecordColumns, predicate: Predicate): RecordColumns {
  return predicate.hasStages ? predicate.staged(columns, noRows) : columns
}
