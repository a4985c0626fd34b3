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
  type ScanResult,
  type ScanSource,
  type ScanTask,
  textLength,
} from './scan-task.ts'
import type { SourceReader } from './source-reader.ts'

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
  const records = parts.flatMap(({ source, frame, rows }) => {
    try {
      const columns = frame === undefined ? reader.block(source) : reader.frame(source, frame)
      const seen = columns && asAnswered(columns, predicate)
      return rows.map(row => {
        if (seen === undefined || length > lengthMax) return undefined
        const record = { ...seen.record(row), stream: seen.streams[seen.streamCodes[row]!]! }
        length += textLength(record)
        return record
      })
    } catch (error) {
      if (!(error instanceof SegmentCorrupt)) throw error
      damagedBlocks.push({ source: source.number, reason: error.message })
      return rows.map(() => undefined)
    }
  })
  return { records, damagedBlocks }
}

/** The records of the candidates that a task has found, in their order, as far as they are few. */
export function rebuildFound(
  task: ScanTask,
  { candidates, damagedBlocks }: ScanResult,
  reader: SourceReader,
): Pick<ScanResult, 'records' | 'damagedBlocks'> {
  if (candidates.length > rebuiltAtOnceMax) return { records: undefined, damagedBlocks }
  // A frame is decoded again for each part.
  const byPart = Map.groupBy(candidates, ({ source, frameOffset }) => `${source}:${frameOffset}`)
  const wanted = new Set(candidates.map(({ source }) => source))
  const byNumber = new Map<number, ScanSource>()
  for (const source of task.sources) {
    if (wanted.has(source.number)) byNumber.set(source.number, source)
  }
  const parts = [...byPart.values()].map((together): RebuildPart => {
    const { source: number, frameOffset, frameBytes } = together[0]!
    const source = byNumber.get(number)!
    const rows = together.map(({ row }) => row)
    return { source, frame: framePlaceOf(source, frameOffset, frameBytes), rows }
  })
  const rebuilt = rebuildRecords({ parts, selector: task.query.selector }, reader, rebuiltLengthMax)
  const inOrderOfParts = [...byPart.values()].flat()
  const byCandidate = new Map(inOrderOfParts.map((at, i) => [at, rebuilt.records[i]]))
  return {
    records: candidates.map(candidate => byCandidate.get(candidate)),
    damagedBlocks: [...damagedBlocks, ...rebuilt.damagedBlocks],
  }
}

/** The columns as they are after the stages, if there are any. */
function asAnswered(columns: RecordColumns, predicate: Predicate): RecordColumns {
  return predicate.hasStages ? predicate.staged(columns, noRows) : columns
}
