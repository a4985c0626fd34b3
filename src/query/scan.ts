/**
 * What a scan thread does: reads sources (ranges of the journal, blocks of segments), tests their
 * columns, and returns counts, what the collector added up, and the places of the few records that may
 * be in the answer. A second task rebuilds only those that are; very few are rebuilt at once.
 */

import { countOnes, hasMark, nextMark } from '../columns/codes.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import { fetchedFilesFrom } from '../journal/files.ts'
import type { Sequence, Times, Timestamp } from '../record.ts'
import { SegmentCorrupt } from '../segment/segment-error.ts'
import { Turn, TurnOver } from '../threads/turn.ts'
import { hasChosenWithin } from './chosen.ts'
import { type Collector, newCollector, type ToldBlock, wantedLabels } from './collect/collector.ts'
import type { Predicate } from './predicate.ts'
import { predicateOf } from './predicates.ts'
import { pruneBlock } from './prune.ts'
import { rebuildFound } from './rebuild-rows.ts'
import {
  type Arrived,
  type DamagedBlock,
  noStats,
  type OwnScanResult,
  type Resume,
  type ScanQuery,
  type ScanResult,
  type ScanSource,
  type ScanStats,
  type ScanTask,
} from './scan-task.ts'
import { SharedBound } from './shared-bound.ts'
import type { FramePlace, SkippedBlock, SourceReader } from './source-reader.ts'
import { StagedTooLong } from './stages/label-texts.ts'
import { type Candidate, comparePlaces, TopK } from './top-k.ts'
import { type Interrupted, TurnSelection } from './turn-selection.ts'

/**
 * Runs a scan task. Returns early with what it has when its turn is over and others wait, or when it is
 * cancelled; so one query that takes long keeps others waiting for a source at most, and not for all.
 */
export function scanSources(task: ScanTask, reader: SourceReader): OwnScanResult {
  const { sources } = task
  const turn = new Turn(task.turn)
  const scan = new Scan(task, reader, turn)
  let sourcesTaken = 0
  let end: SourceEnd = 'whole'
  for (const source of sources) {
    if (turn.isCancelled) break
    const taken = takeUnlessCancelled(scan, source)
    if (taken === undefined) break
    end = taken
    if (end !== 'whole') break
    sourcesTaken++
    reader.taken(source)
    if (turn.isWanted) break
  }
  const result: OwnScanResult = {
    ...scan.result(),
    sourcesTaken,
    ...(end === 'whole' ? noRest : end),
  }
  const isWhole = sourcesTaken === sources.length
  if (!task.rebuildsRecords || !isWhole) return result
  return { ...result, ...rebuildFound(task, result, reader) }
}

/** Undefined when it was cancelled half way: part of a count is of no use. */
function takeUnlessCancelled(scan: Scan, source: ScanSource): SourceEnd | undefined {
  try {
    return scan.take(source)
  } catch (error) {
    if (error instanceof TurnOver) return undefined
    throw error
  }
}

/**
 * How a task came to the end of a source: all of it is taken; or none, because selecting from it takes
 * long; or of a journal range the frames before `resumeAt`.
 */
type SourceEnd = 'whole' | Pick<ScanResult, 'resumeAt' | 'resume' | 'isLong'>

const noRest = { resumeAt: undefined, resume: undefined, isLong: false } as const

/** How often others have their turn while one block is prepared. */
const preparedTimesMax = 20

/** One task under way: what it has found so far. */
class Scan {
  readonly #task: ScanTask
  readonly #reader: SourceReader
  readonly #turn: Turn
  readonly #predicate: Predicate
  readonly #selection: TurnSelection
  readonly #first: TopK
  readonly #shared: SharedBound | undefined
  readonly #collector: Collector | undefined
  readonly #stats: ScanStats = noStats()
  readonly #damagedBlocks: DamagedBlock[] = []
  #count = 0
  #refusal: string | undefined

  constructor(task: ScanTask, reader: SourceReader, turn: Turn) {
    const { query } = task
    this.#task = task
    this.#reader = reader
    this.#turn = turn
    this.#predicate = predicateOf(query.selector)
    this.#selection = new TurnSelection(this.#predicate, turn, task.resume, task.rowsAtOnce)
    this.#first = new TopK(query.limit, query.order, task.bound)
    const { sharedBound } = task
    const { order } = query
    const isShared = sharedBound !== undefined && order !== 'latest'
    this.#shared = isShared ? new SharedBound(sharedBound, order) : undefined
    this.#collector = query.collector && newCollector(query.collector)
  }

  take(source: ScanSource): SourceEnd {
    // The merge refuses a collector as large as this; filling it further is of no use.
    if (this.#refusal !== undefined || this.#collector?.refusal !== undefined) return 'whole'
    this.#learn()
    return source.source.kind === 'journal' ? this.#takeRange(source) : this.#takeBlock(source)
  }

  result(): Omit<OwnScanResult, 'sourcesTaken' | 'resumeAt' | 'resume' | 'isLong'> {
    const collected = this.#collector?.toPlain()
    this.#learn() // Records that are behind what others have found are not made.
    return {
      rowsAtOnce: this.#selection.rowsAtOnce,
      count: this.#count,
      collected,
      collectedMemory: this.#collector?.memoryOf?.(collected) ?? [],
      refusal: this.#refusal,
      candidates: this.#first.toArray(),
      records: undefined,
      stats: this.#stats,
      damagedBlocks: this.#damagedBlocks,
    }
  }

  #learn(): void {
    const time = this.#shared?.time
    if (time !== undefined) this.#first.learn(time)
  }

  #takeRange(source: ScanSource): SourceEnd {
    const isInOrder = source.source.kind === 'journal' && source.source.file < fetchedFilesFrom
    const frames = this.#reader.frames(source, header => {
      const { firstSequence, recordCount } = header
      const hasArrived =
        !isInOrder || this.#hasArrived(firstSequence, firstSequence + recordCount - 1)
      return hasArrived && this.#isOfInterest(source, header)
    })
    let isFirst = true
    for (const frame of frames) {
      if (frame === 'damaged') {
        this.#stats.damagedFrames++
        continue
      }
      const { columns, place } = frame
      const isOver = this.#turn.isCancelled || (!isFirst && this.#turn.isWanted)
      if (isOver) return { ...noRest, resumeAt: place.offset }
      isFirst = false
      const selected = this.#select(columns, source, place)
      if (isInterrupted(selected)) return { ...selected, resumeAt: place.offset }
      this.#stats.frames++
      this.#stats.bytes += place.bytes
      this.#takeSelected(selected, columns, source, place)
    }
    return 'whole'
  }

  #takeBlock(source: ScanSource): SourceEnd {
    try {
      if (this.#takeTold(source)) return 'whole'
      const skipped = source.isSifted ? undefined : this.#skipInTurn(source)
      if (skipped === 'long') return { ...noRest, isLong: true }
      if (skipped !== undefined && this.#takeSkipped(skipped)) return 'whole'
      if (this.#takeToldPart(source)) return 'whole'
      const block = this.#reader.block(source)
      const { minSequence, maxSequence } = block.directory
      if (!this.#hasArrived(minSequence, maxSequence)) return 'whole'
      if (!this.#isOfInterest(source, block)) return 'whole'
      const prunedBy = source.isSifted ? undefined : pruneBlock(block, this.#predicate)
      if (prunedBy !== undefined) {
        this.#stats[prunedBy === 'filter' ? 'blocksPrunedByFilter' : 'blocksPrunedByTemplate']++
        return 'whole'
      }
      const count = this.#isOnlyCounted(block, source) ? this.#predicate.count(block) : undefined
      const selected = count === undefined ? this.#select(block, source, noFrame) : undefined
      if (isInterrupted(selected)) return { ...noRest, ...selected }
      const resume = this.#prepare(selected, block, source)
      if (resume !== undefined) return { ...noRest, resume }
      this.#stats.blocks++
      this.#stats.bytes += source.source.bytes
      this.#takeSelected(selected, block, source, noFrame)
      this.#count += count ?? 0
    } catch (error) {
      if (!(error instanceof SegmentCorrupt)) throw error
      this.#damagedBlocks.push({ source: source.number, reason: error.message })
    }
    return 'whole'
  }

  #skipInTurn(source: ScanSource): SkippedBlock | undefined | 'long' {
    try {
      return this.#turn.within(() => this.#reader.skip(source, this.#predicate))
    } catch (error) {
      if (error instanceof TurnOver) return 'long'
      throw error
    }
  }

  /** Takes all records of a block without opening it, where its skip index is enough. */
  #takeTold(source: ScanSource): boolean {
    const collector = this.#collector
    if (collector?.addTold === undefined || !this.#predicate.takesAll) return false
    const block = this.#toldWhole(source)
    if (block === undefined || !collector.addTold(block)) return false
    this.#stats.blocksPrunedByTemplate++
    this.#count += block.recordCount
    return true
  }

  /** Takes the records of some kinds and levels in the same way. */
  #takeToldPart(source: ScanSource): boolean {
    const collector = this.#collector
    const asked = this.#predicate.ofMessages
    if (collector?.addToldPart === undefined || asked === undefined) return false
    const block = this.#toldWhole(source)
    // What the skip index was asked before is known: no expression is matched anew.
    const kinds = block?.matchingKinds(asked)
    if (block === undefined || kinds === undefined) return false
    const count = collector.addToldPart(block, { kinds, levels: asked })
    if (count === undefined) return false
    this.#stats.blocksPrunedByTemplate++
    this.#count += count
    return true
  }

  /** What is told of a block of which all is asked for, and none of its records is to be shown. */
  #toldWhole(source: ScanSource): ToldBlock | undefined {
    const { query } = this.#task
    const asksMore = query.arrived !== undefined || query.chosen !== undefined
    if (source.isCounted || asksMore) return undefined
    const block = this.#reader.told(source)
    if (block === undefined) return undefined
    const { minTimestamp, maxTimestamp } = block
    const isInside = query.startTime <= minTimestamp && maxTimestamp <= query.endTime
    return isInside && !this.#mayOffer(minTimestamp, maxTimestamp) ? block : undefined
  }

  /** Whether nothing is asked of a source but how many of its records match, whenever they were logged. */
  #isOnlyCounted({ minTimestamp, maxTimestamp }: Times, { isCounted }: ScanSource): boolean {
    const { startTime, endTime, arrived, chosen, isExplained, collector } = this.#task.query
    const asksMore = collector !== undefined || arrived !== undefined || chosen !== undefined
    const isInside = startTime <= minTimestamp && maxTimestamp <= endTime
    if (isExplained === true || isCounted || asksMore || !isInside) return false
    return !this.#mayOffer(minTimestamp, maxTimestamp)
  }

  /** Takes a block on which its skip index has decided. False when more than its count is asked for. */
  #takeSkipped({ verdict, minTimestamp, maxTimestamp }: SkippedBlock): boolean {
    if (typeof verdict === 'string') {
      this.#stats[verdict === 'filter' ? 'blocksPrunedByFilter' : 'blocksPrunedByTemplate']++
      return true
    }
    const { query } = this.#task
    const isInside = query.startTime <= minTimestamp && maxTimestamp <= query.endTime
    const isAllWanted = isInside && query.arrived === undefined && this.#predicate.asksOnlyColumns
    const isOnlyCounted =
      query.collector === undefined && !this.#mayOffer(minTimestamp, maxTimestamp)
    if (!isAllWanted || !isOnlyCounted) return false
    this.#stats.blocksPrunedByTemplate++
    this.#count += verdict.count
    return true
  }

  #mayOffer(minTimestamp: Timestamp, maxTimestamp: Timestamp): boolean {
    return this.#task.query.limit > 0 && this.#first.mayKeepWithin(minTimestamp, maxTimestamp)
  }

  /** Whether something with these times can change the result. */
  #isOfInterest({ isCounted }: ScanSource, { minTimestamp, maxTimestamp }: Times): boolean {
    const { startTime, endTime } = this.#task.query
    if (maxTimestamp < startTime || minTimestamp > endTime) return false
    return !isCounted || this.#first.mayKeepWithin(minTimestamp, maxTimestamp)
  }

  /** Whether any of these records arrived when the query wants it, or is one that it is about. */
  #hasArrived(minSequence: Sequence, maxSequence: Sequence): boolean {
    const { arrived, chosen } = this.#task.query
    if (chosen !== undefined && !hasChosenWithin(chosen, minSequence, maxSequence)) return false
    return arrived === undefined || (maxSequence > arrived.after && minSequence < arrived.before)
  }

  /** Throws TurnOver when it is cancelled. */
  #select(
    columns: RecordColumns,
    source: ScanSource,
    { offset }: FramePlace,
  ): Uint8Array | undefined | Interrupted {
    const { query } = this.#task
    if (query.isExplained === true) return undefined
    const times = source.isCounted ? this.#first.within(query) : query
    const place = { source: source.number, frameOffset: offset }
    const options = { chosen: query.chosen, isStagedNext: this.#isCollected(source) }
    return this.#selection.select(columns, place, times, options)
  }

  #takeSelected(
    selected: Uint8Array | undefined,
    columns: RecordColumns,
    source: ScanSource,
    frame: FramePlace,
  ): void {
    const { query } = this.#task
    this.#stats.records += columns.recordCount
    if (selected === undefined) return
    if (query.arrived !== undefined) {
      keepArrived(selected, columns, query.arrived)
      if (!hasMark(selected)) return
    }
    if (this.#isCollected(source)) this.#addToCollector(columns, selected)
    // Last, because a block that turns out damaged on the way must not count by half.
    if (this.#mayOffer(columns.minTimestamp, columns.maxTimestamp)) {
      const place = { source: source.number, frameOffset: frame.offset, frameBytes: frame.bytes }
      offerSelected(this.#first, query, columns, selected, place)
      const { bound } = this.#first
      if (bound !== undefined) this.#shared?.note(bound.timestamp)
    }
    if (!source.isCounted) this.#count += countOnes(selected)
  }

  /**
   * Has the collector do what takes long before anything is counted. Returns where to go on when others have
   * their turn first. Throws TurnOver when it is cancelled.
   */
  #prepare(
    selected: Uint8Array | undefined,
    block: RecordColumns,
    source: ScanSource,
  ): Resume | undefined {
    const collector = this.#collector
    const isPrepared = collector?.prepare !== undefined && this.#isCollected(source)
    // Stages make other columns, whose labels nobody keeps from one turn to the next.
    const isPlain = !this.#predicate.hasStages && this.#task.query.arrived === undefined
    if (selected === undefined || !isPrepared || !isPlain) return undefined
    const { resume } = this.#task
    const isHere = resume?.source === source.number && resume.row === block.recordCount
    const preparedTimes = (isHere ? (resume.preparedTimes ?? 0) : 0) + 1
    for (;;) {
      try {
        this.#turn.within(() => collector.prepare!(block, selected))
        return undefined
      } catch (error) {
        if (!(error instanceof TurnOver) || this.#turn.isCancelled) throw error
        // What was prepared may be forgotten again and again, when many ask for the like.
        if (!this.#turn.othersWait || preparedTimes > preparedTimesMax) continue
        const row = block.recordCount
        const kept = selected.slice()
        return { source: source.number, frameOffset: 0, row, selected: kept, preparedTimes }
      }
    }
  }

  #isCollected({ isCounted }: ScanSource): boolean {
    return this.#collector !== undefined && !isCounted
  }

  /** Throws TurnOver when it is cancelled on the way. */
  #addToCollector(columns: RecordColumns, selected: Uint8Array): void {
    const collector = this.#collector
    if (collector === undefined) return
    try {
      this.#turn.toItsEnd(() => {
        const wanted = wantedLabels(collector.request)
        collector.add(this.#predicate.staged(columns, selected, wanted), selected)
      })
    } catch (error) {
      if (!(error instanceof StagedTooLong)) throw error
      this.#refusal = error.message
    }
  }
}

function isInterrupted(found: Uint8Array | undefined | Interrupted): found is Interrupted {
  return found !== undefined && 'isLong' in found
}

function keepArrived(
  selected: Uint8Array,
  columns: RecordColumns,
  { after, before }: Arrived,
): void {
  for (let row = selected.indexOf(1); row !== -1; row = selected.indexOf(1, row + 1)) {
    const sequence = columns.sequence(row)
    if (sequence <= after || sequence >= before) selected[row] = 0
  }
}

/** In the place of a frame's, for a block. */
const noFrame: FramePlace = { offset: 0, bytes: 0 }

/** The last mark before a row; -1 for none. */
function markBefore(marks: Uint8Array, row: number): number {
  return row === 0 ? -1 : marks.lastIndexOf(1, row - 1)
}

type ColumnsPlace = Pick<Candidate, 'source' | 'frameOffset' | 'frameBytes'>

function offerSelected(
  first: TopK,
  { after, order }: ScanQuery,
  columns: RecordColumns,
  selected: Uint8Array,
  place: ColumnsPlace,
): void {
  const isAscending = order === 'asc'
  let row = isAscending ? -1 : selected.length
  for (;;) {
    row = isAscending ? nextMark(selected, row + 1) : markBefore(selected, row)
    if (row === -1) return
    const timestamp = columns.timestamp(row)
    if (!first.mayKeepWithin(timestamp, timestamp)) {
      if (columns.isSorted) return // All that follow stand behind it too.
      continue
    }
    const candidate: Candidate = { timestamp, sequence: columns.sequence(row), row, ...place }
    const isBehind = after === undefined || comparePlaces(candidate, after, order) > 0
    if (isBehind) first.offer(candidate)
  }
}
