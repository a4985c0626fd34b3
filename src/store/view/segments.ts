/**
 * The segments that queries see, and what happens to them at the start: files that were not finished
 * go, those that others replace go, damaged ones are rescued as far as they can be, and the index is
 * brought in step.
 */
import { basename, dirname, join } from 'node:path'
import type { Logger } from 'pino'
import type { Disk } from '../../disk/disk.ts'
import { realDisk } from '../../disk/real-disk.ts'
import type { BlockIndex, EntryTaker } from '../../index/block-index.ts'
import type { EntryFilter, IndexEntry } from '../../index/entry.ts'
import type { OpenedIndex } from '../../index/open-index.ts'
import type { SegmentSummary } from '../../index/segment-summary.ts'
import type { BlockRef } from '../../index/source.ts'
import type { RecordTimes, Sequence, Timestamp } from '../../record.ts'
import { checkFileHeader } from '../../segment/file-header.ts'
import { listSegments, listUnfinishedSegments, type SegmentPlace } from '../../segment/files.ts'
import { readFooter, type SegmentFooter } from '../../segment/footer.ts'
import { rescueFooter } from '../../segment/rescue.ts'
import { SegmentCorrupt, unlessCorrupt } from '../../segment/segment-error.ts'
import { withSegmentFile } from '../../segment/segment-file.ts'
import { crashPoint } from '../crash-point.ts'
import { staleSegments, summaryOf } from '../maintain/index-check.ts'
import type { StorePaths } from '../store-directories.ts'
import { hideKnownDamage } from './known-damage.ts'

/** A segment that queries see. */
export interface LiveSegment extends SegmentPlace, RecordTimes {
  readonly bytes: number
  readonly blockCount: number
  /** When it was written, by the machine's clock. */
  readonly madeAt: Timestamp
  /** Of the record that arrived last. */
  readonly maxSequence: Sequence
  /** What the index must say of its blocks. */
  readonly summary: SegmentSummary
}

export type SegmentPaths = Omit<StorePaths, 'receipts'>

export class Segments {
  readonly #index: BlockIndex
  readonly #live = new Map<number, LiveSegment>()
  /** Offsets of the directories of blocks that are damaged, by segment. */
  readonly #damaged = new Map<number, Set<number>>()
  #swapCount = 0
  #blockCount = 0

  constructor(index: BlockIndex) {
    this.#index = index
  }

  /** Grows whenever other segments are seen than before. */
  get swapCount(): number {
    return this.#swapCount
  }

  /** How many there are, and how many blocks they have. */
  get counts(): { readonly segments: number; readonly blocks: number } {
    return { segments: this.#live.size, blocks: this.#blockCount }
  }

  /** In no particular order. */
  get all(): Iterable<LiveSegment> {
    return this.#live.values()
  }

  get(number: number): LiveSegment | undefined {
    return this.#live.get(number)
  }

  pathOf(number: number): string {
    return this.#live.get(number)!.path
  }

  has(number: number): boolean {
    return this.#live.has(number)
  }

  /** Shows segments, whose blocks are in the index already, and hides those that they replace. */
  swap(shown: readonly LiveSegment[], hidden: readonly number[]): void {
    for (const number of hidden) {
      this.#live.delete(number)
      this.#damaged.delete(number)
    }
    for (const segment of shown) this.#live.set(segment.number, segment)
    this.#blockCount = 0
    for (const { blockCount } of this.#live.values()) this.#blockCount += blockCount
    this.#swapCount++
  }

  /**
   * Leaves a block out of all answers from now on, because its bytes are damaged. The index keeps it: it
   * must say what the footers say. Returns whether that is new.
   */
  hideBlock({ segment, directory }: Pick<BlockRef, 'segment' | 'directory'>): boolean {
    if (!this.#live.has(segment) || this.#isHidden(segment, directory.offset)) return false
    const hidden = this.#damaged.get(segment) ?? new Set()
    this.#damaged.set(segment, hidden.add(directory.offset))
    return true
  }

  /** Segments that have damaged blocks, and how many. */
  get damaged(): Map<number, number> {
    return new Map([...this.#damaged].map(([number, offsets]) => [number, offsets.size]))
  }

  /** What queries see. `onHidden` is told of each block that is left out because it is damaged. */
  entries(filter: EntryFilter, onHidden = () => {}): IndexEntry[] {
    const seen = new SeenEntries(this.#live, this.#damaged, filter.arrivedAfter ?? -1, onHidden)
    this.#index.visit(filter, seen)
    return seen.entries
  }

  #isHidden(segment: number, directoryOffset: number): boolean {
    return this.#damaged.get(segment)?.has(directoryOffset) ?? false
  }
}

/** The entries of blocks that are neither gone nor damaged, of segments in which something arrived late
 *  enough. */
class SeenEntries implements EntryTaker {
  readonly entries: IndexEntry[] = []
  readonly #live: ReadonlyMap<number, LiveSegment>
  readonly #damaged: ReadonlyMap<number, ReadonlySet<number>>
  readonly #arrivedAfter: number
  readonly #onHidden: () => void
  /** Of the block before, whose segment is mostly the next one's. */
  #number: number | undefined
  #segment: LiveSegment | undefined
  #damagedOfSegment: ReadonlySet<number> | undefined

  constructor(
    live: ReadonlyMap<number, LiveSegment>,
    damaged: ReadonlyMap<number, ReadonlySet<number>>,
    arrivedAfter: number,
    onHidden: () => void,
  ) {
    this.#live = live
    this.#damaged = damaged
    this.#arrivedAfter = arrivedAfter
    this.#onHidden = onHidden
  }

  isLive({ segment, directory }: BlockRef): boolean {
    if (segment !== this.#number) {
      this.#number = segment
      this.#segment = this.#live.get(segment)
      this.#damagedOfSegment = this.#damaged.get(segment)
    }
    if (this.#segment === undefined || this.#segment.maxSequence <= this.#arrivedAfter) return false
    const isHidden = this.#damagedOfSegment?.has(directory.offset) === true
    if (isHidden) this.#onHidden()
    return !isHidden
  }

  take(entry: IndexEntry): void {
    this.entries.push(entry)
  }
}

/** A segment as its footer describes it. */
export function liveSegment(place: SegmentPlace, footer: SegmentFooter): LiveSegment {
  const { blocks, fileBytes, createdAt } = footer
  return {
    path: place.path,
    day: place.day,
    number: place.number,
    bytes: fileBytes,
    recordCount: blocks.reduce((sum, block) => sum + block.recordCount, 0),
    blockCount: blocks.length,
    minTimestamp: blocks.reduce((min, block) => Math.min(min, block.minTimestamp), Infinity),
    maxTimestamp: blocks.reduce((max, block) => Math.max(max, block.maxTimestamp), -Infinity),
    madeAt: createdAt,
    maxSequence: blocks.reduce((max, block) => Math.max(max, block.maxSequence), -1),
    summary: summaryOf(blocks),
  }
}

export interface OpenedSegments {
  readonly segments: Segments
  /** Journal files whose records are in segments: to be deleted, not to be read. */
  readonly replacedJournals: ReadonlySet<number>
  /** Numbers from which on no segment, journal file or record has ever been. */
  readonly nextNumber: number
  readonly nextJournal: number
  readonly nextSequence: Sequence
  /** In what the index differed from the segments, in words for people; undefined when in nothing. */
  readonly indexFault: string | undefined
}

export interface FoundSegment {
  readonly place: SegmentPlace
  readonly footer: SegmentFooter
}

/**
 * Throws SegmentVersionUnknown when a newer version of the program has written one of the segments: what it
 * replaces is not known, and serving the others could miss records, or give them twice. Changes nothing.
 */
export function refuseNewerSegments(dataDir: string, disk: Disk = realDisk): void {
  for (const { path, number } of listSegments(join(dataDir, 'segments'), disk)) {
    unlessCorrupt(() => withSegmentFile(path, number, checkFileHeader, disk))
  }
}

/**
 * Finds the segments of an earlier process and decides which of them count. Throws SegmentVersionUnknown, as
 * `refuseNewerSegments` does before anything is changed.
 */
export async function openSegments(
  paths: SegmentPaths,
  { index, isNew }: Pick<OpenedIndex, 'index' | 'isNew'>,
  logger: Logger,
  disk: Disk,
): Promise<OpenedSegments> {
  for (const path of listUnfinishedSegments(paths.segments, disk)) disk.removeSync(path)
  const found: FoundSegment[] = []
  let nextNumber = 1
  for (const place of listSegments(paths.segments, disk)) {
    nextNumber = Math.max(nextNumber, place.number + 1)
    const footer = footerOf(place, paths.quarantine, logger, disk)
    if (footer !== undefined) found.push({ place, footer })
  }
  const days = new Set(found.map(({ place }) => dirname(place.path)))
  // A process that was killed may not have lived to sync a name that we see. First that is done; then
  // goes what stands for the same records.
  for (const day of days) await disk.syncDirectory(day)
  const complete = removeIncomplete(found, paths.journal, logger, disk)
  const replaced = new Set(complete.flatMap(({ footer }) => footer.replaces.segments))
  const current = complete.filter(({ place }) => {
    if (!replaced.has(place.number)) return true
    disk.removeSync(place.path)
    return false
  })
  // What was deleted must not come back when its replacement has been replaced in turn.
  for (const day of days) await disk.syncDirectory(day)
  const indexFault = await bringIndexInStep({ index, isNew }, current, logger)
  const segments = new Segments(index)
  segments.swap(
    current.map(({ place, footer }) => liveSegment(place, footer)),
    [],
  )
  hideKnownDamage(segments, current, paths.quarantine, logger, disk)
  const replacedJournals = new Set(complete.flatMap(({ footer }) => footer.replaces.journals))
  return {
    segments,
    replacedJournals,
    nextNumber: [...replaced].reduce(
      (next, number) => Math.max(next, number + 1),
      Math.max(nextNumber, index.retired.nextNumber),
    ),
    nextJournal: [...replacedJournals].reduce((next, file) => Math.max(next, file + 1), 1),
    nextSequence: current
      .flatMap(({ footer }) => footer.blocks)
      .reduce((next, block) => Math.max(next, block.maxSequence + 1), index.retired.nextSequence),
    indexFault,
  }
}

/** The footer, rescued where it is damaged; undefined for a file that gives nothing. */
function footerOf(
  place: SegmentPlace,
  quarantine: string,
  logger: Logger,
  disk: Disk,
): SegmentFooter | undefined {
  const name = `${place.day}/${basename(place.path)}`
  try {
    return readFooter(place.path, place.number, disk)
  } catch (error) {
    if (!(error instanceof SegmentCorrupt)) throw error
    try {
      const { footer, from } = rescueFooter(place.path, place.number, disk)
      const blocks = footer.blocks.length
      logger.warn(
        { segment: name, blocks, from },
        `segment: ${error.what}; its intact blocks are served`,
      )
      return footer
    } catch (hopeless) {
      if (!(hopeless instanceof SegmentCorrupt)) throw hopeless
      disk.makeDirectorySync(quarantine)
      const keptAs = `${place.day}-${basename(place.path)}`
      disk.renameSync(place.path, join(quarantine, keptAs))
      logger.error(
        { segment: name, keptAs: `quarantine/${keptAs}` },
        `segment: ${error.what}; nothing of it can be read, its records are lost`,
      )
      return undefined
    }
  }
}

/**
 * Segments that were sealed together count only together. When one of them is missing and the
 * journal file is still there, sealing was cut short: the others go, and the file is sealed again.
 */
function removeIncomplete(
  found: readonly FoundSegment[],
  journal: string,
  logger: Logger,
  disk: Disk,
): FoundSegment[] {
  const numbers = new Set(found.map(({ place }) => place.number))
  const journals = new Set(disk.listSync(journal).map(name => Number.parseInt(name, 10)))
  return found.filter(({ place, footer }) => {
    const isWhole = footer.group.every(number => numbers.has(number))
    const isSealedAgain = footer.replaces.journals.some(file => journals.has(file))
    if (isWhole || !isSealedAgain) return true
    disk.removeSync(place.path)
    logger.info({ segment: basename(place.path) }, 'sealing was cut short and is done again')
    return false
  })
}

/** Has the index say what the footers say. Returns in what it said something else, if it did. */
async function bringIndexInStep(
  { index, isNew }: Pick<OpenedIndex, 'index' | 'isNew'>,
  current: readonly FoundSegment[],
  logger: Logger,
): Promise<string | undefined> {
  const blocks = new Map(current.map(({ place, footer }) => [place.number, footer.blocks]))
  if (isNew) {
    if (blocks.size === 0) return undefined
    await index.addSegments(blocks)
    crashPoint('rebuild:added')
    logger.info({ segments: blocks.size }, 'segments were added to the index')
    return undefined
  }
  const expected = new Map([...blocks].map(([number, blocks]) => [number, summaryOf(blocks)]))
  const stale = staleSegments(index.summaries(), expected)
  if (stale.length === 0) return undefined
  const fault = `differed from the footers of ${stale.length} segments`
  logger.warn({ segments: stale }, `the index ${fault}; building it anew`)
  await index.rebuild(blocks)
  return fault
}
