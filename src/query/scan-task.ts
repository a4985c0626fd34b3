/** What travels to the scan threads and back: plain data, cloned on the way. */

import type { SourceRef } from '../index/source.ts'
import type { Selector } from '../language/ast.ts'
import type { LogRecord, Sequence, Stream, TimeRange } from '../record.ts'
import type { TurnBounds } from '../threads/turn.ts'
import type { Chosen } from './chosen.ts'
import type { CollectorRequest } from './collect/collector.ts'
import type { PackedRecords } from './packed-records.ts'
import type { PackedSources } from './packed-sources.ts'
import type { Candidate, PlaceOrder, RecordPlace } from './top-k.ts'

/** A source to read, by its number in the query and the path of its file. */
export interface ScanSource {
  readonly number: number
  readonly path: string
  readonly source: SourceRef
  /** Whether the index has counted its matches: only records of it are wanted. */
  readonly isCounted: boolean
  /** Whether it is a block of which only columns tell more than is known; absent: it is not. */
  readonly isSifted?: boolean
}

/** A part of the order of arrival; neither end is in it. */
export interface Arrived {
  readonly after: Sequence
  readonly before: Sequence
}

/** What a query asks of every source. */
export interface ScanQuery extends TimeRange {
  readonly selector: Selector
  /** How many records are wanted at most; 0 for none. */
  readonly limit: number
  readonly order: PlaceOrder
  /** Whether columns are left unread: the answer says only what would be read. Absent: it is not so. */
  readonly isExplained?: boolean | undefined
  /** Only records that arrived between these are counted and candidates; absent for all. */
  readonly arrived?: Arrived | undefined
  /** Only these are counted and candidates; absent for all. A query with stages. */
  readonly chosen?: Chosen | undefined
  /** Only records after this place are candidates for the answer; all are counted. */
  readonly after: RecordPlace | undefined
  /** What is collected of the matching records besides their number. */
  readonly collector: CollectorRequest | undefined
}

/** A query with what it collects. Those of a store all have one shape: V8 compiles once what reads them. */
export function scanQueryOf(
  query: Omit<ScanQuery, 'collector'>,
  collector: CollectorRequest | undefined,
): ScanQuery {
  return {
    selector: query.selector,
    startTime: query.startTime,
    endTime: query.endTime,
    limit: query.limit,
    order: query.order,
    isExplained: query.isExplained,
    arrived: query.arrived,
    chosen: query.chosen,
    after: query.after,
    collector,
  }
}

/**
 * How many records to look for. Where all that match may be in the answer, their count tells whether
 * there are more than are wanted; else one more than that does.
 */
export function recordsToFind({ limit, after }: Pick<ScanQuery, 'limit' | 'after'>): number {
  return limit === 0 || after === undefined ? limit : limit + 1
}

/** Where the selection from a block or frame goes on that was interrupted. */
export interface Resume {
  /** The source's number in the query. */
  readonly source: number
  /** Of the frame in its file; 0 for a block. */
  readonly frameOffset: number
  /** All rows before it are selected. */
  readonly row: number
  /** Marks of all rows, those from `row` on not yet made. */
  readonly selected: Uint8Array
  /** How often others had their turn while what is selected was to be collected; absent: never. */
  readonly preparedTimes?: number
}

/** Sources in their order, as often as they are asked for. */
export interface Sources extends Iterable<ScanSource> {
  readonly length: number
}

export interface ScanTask {
  readonly query: ScanQuery
  readonly sources: Sources
  /** Where an interrupted selection goes on; absent: all begin at their first row. */
  readonly resume?: Resume | undefined
  /** How many rows earlier tasks of the query have found can be selected at once; absent: all. */
  readonly rowsAtOnce?: number | undefined
  /** Whether to rebuild what is found in the same turn, when that is little. */
  readonly rebuildsRecords: boolean
  /** The last place of interest, when earlier tasks have found `limit` records already. */
  readonly bound: RecordPlace | undefined
  /** What all tasks of the query learn of each other on the way (`shared-bound.ts`); absent: nothing. */
  readonly sharedBound?: BigInt64Array | undefined
  /** When it is over, what is left of the sources waits for another turn. */
  readonly turn: TurnBounds
}

/** A task on its way to the thread. */
export interface PackedScanTask extends Omit<ScanTask, 'sources'> {
  readonly sources: PackedSources
}

/** A result on its way back. */
export interface PackedScanResult extends Omit<ScanResult, 'candidates' | 'records'> {
  /** As `packCandidates` makes them. */
  readonly candidates: Float64Array
  readonly records: PackedRecords | undefined
}

/** The same of records that are made by themselves. */
export interface PackedRebuildResult extends Omit<RebuildResult, 'records'> {
  readonly records: PackedRecords
}

/** What a scan looked at, for people and for metrics. */
export interface ScanStats {
  /** Frames of the journal and blocks of segments that were opened. */
  frames: number
  blocks: number
  /** Blocks left unread because they have no such attribute, or not all words of the query. */
  blocksPrunedByFilter: number
  /** Blocks left unread because their templates, or values that are counted already, tell how many match. */
  blocksPrunedByTemplate: number
  /** Records whose columns were tested. */
  records: number
  /** Bytes of the frames and blocks that were opened; of a block, few columns are read. */
  bytes: number
  /** Frames whose checksum failed now and held when they were written. */
  damagedFrames: number
}

export interface ScanResult {
  /** How many of the task's sources this result covers: the first ones; none when it was
   *  cancelled, or the first one is to be continued. */
  readonly sourcesTaken: number
  /** Where in its file the next source is to be continued: a journal range that is taken in part. */
  readonly resumeAt: number | undefined
  /** Where the selection goes on that was interrupted; undefined: from its beginning. */
  readonly resume: Resume | undefined
  /** For the next task. */
  readonly rowsAtOnce: number | undefined
  /** Whether the selection from the next source would come no further in another such turn. */
  readonly isLong: boolean
  readonly count: number
  /** What the collector adds up, as plain data; undefined when none was asked for. */
  readonly collected: unknown
  /** Why the stages' results are too many to count; undefined when they are not. */
  readonly refusal: string | undefined
  readonly candidates: Candidate[]
  /** The candidates' records, as far as they are rebuilt already. */
  readonly records: (RebuiltRecord | undefined)[] | undefined
  readonly stats: ScanStats
  /** Blocks that could not be read, and why. */
  readonly damagedBlocks: DamagedBlock[]
}

/** A result in the thread that has it. */
export interface OwnScanResult extends ScanResult {
  /** Memory of `collected` that may be handed over. */
  readonly collectedMemory: ArrayBuffer[]
}

export interface DamagedBlock {
  /** The source's number in the query. */
  readonly source: number
  readonly reason: string
}

/** A frame or block and the rows of it that are in the answer. */
export interface RebuildPart {
  readonly source: ScanSource
  /** Of the frame in its file; undefined for a block. */
  readonly frame: { readonly offset: number; readonly bytes: number } | undefined
  readonly rows: readonly number[]
}

/** Records to make, and what they are made for. */
export interface RebuildTask {
  readonly parts: readonly RebuildPart[]
  /** Its stages make records what they are in the answer. */
  readonly selector: Selector
}

/** What a part says of the frame of a candidate. */
export function framePlaceOf(
  { source }: ScanSource,
  offset: number,
  bytes: number,
): RebuildPart['frame'] {
  return source.kind === 'journal' ? { offset, bytes } : undefined
}

export interface RebuiltRecord extends LogRecord {
  readonly stream: Stream
}

/** Characters of a record's texts. */
export function textLength(record: LogRecord): number {
  return record.attributes.reduce((sum, text) => sum + text.length, record.message.length)
}

export interface RebuildResult {
  /** In the order of the parts and of the rows in each; undefined for one that could not be read. */
  readonly records: (RebuiltRecord | undefined)[]
  readonly damagedBlocks: DamagedBlock[]
}

export function noStats(): ScanStats {
  return {
    frames: 0,
    blocks: 0,
    blocksPrunedByFilter: 0,
    blocksPrunedByTemplate: 0,
    records: 0,
    bytes: 0,
    damagedFrames: 0,
  }
}

export function addStats(sum: ScanStats, more: ScanStats): void {
  for (const what of Object.keys(sum) as (keyof ScanStats)[]) sum[what] += more[what]
}
