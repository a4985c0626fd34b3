/**
 * The segments that queries see, and what happens to them at the start: files that were not finished
 * go, those that others replace go, damaged ones are rescued as far as they can be, and the index is
 * brought in step.
 */
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Logger } from 'pino'
import type { Disk } from '../disk/disk.ts'
import type { BlockIndex } from '../index/block-index.ts'
import type { EntryFilter, IndexEntry } from '../index/entry.ts'
import type { Sequence, Timestamp } from '../record.ts'
import { listSegments, listUnfinishedSegments, type SegmentPlace } from '../segment/files.ts'
import { readFooter, type SegmentFooter } from '../segment/footer.ts'
import { rescueFooter } from '../segment/rescue.ts'
import { SegmentCorrupt, SegmentVersionUnknown } from '../segment/segment-error.ts'
import { crashPoint } from './crash-point.ts'

/** A segment that queries see. */
export interface LiveSegment extends SegmentPlace {
  readonly bytes: number
  readonly recordCount: number
  readonly blockCount: number
  readonly minTimestamp: Timestamp
  readonly maxTimestamp: Timestamp
  /** When it was written, by the machine's clock. */
  readonly madeAt: Timestamp
  /** Of the record that arrived last. */
  readonly maxSequence: Sequence
}

export interface SegmentPaths {
  readonly segments: string
  readonly journal: string
  readonly quarantine: string
}

export class Segments {
  readonly #index: BlockIndex
  readonly #live = new Map<number, LiveSegment>()

  constructor(index: BlockIndex) {
    this.#index = index
  }

  /** In no particular order. */
  get all(): Iterable<LiveSegment> {
    return this.#live.values()
  }

  pathOf(number: number): string {
    return this.#live.get(number)!.path
  }

  has(number: number): boolean {
    return this.#live.has(number)
  }

  /** Shows segments, whose blocks are in the index already, and hides those that they replace. */
  swap(shown: readonly LiveSegment[], hidden: readonly number[]): void {
    for (const number of hidden) this.#live.delete(number)
    for (const segment of shown) this.#live.set(segment.number, segment)
  }

  entries(filter: EntryFilter): Generator<IndexEntry> {
    const { arrivedAfter = -1 } = filter
    return this.#index.entries(filter, number => {
      const segment = this.#live.get(number)
      return segment !== undefined && segment.maxSequence > arrivedAfter
    })
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
  }
}

/** Tells a segment's content from that of any other, by the checksums of its directories. */
export function checksumOf({ blocks }: SegmentFooter): number {
  return blocks.reduce((crc, block) => crc32(`${block.directory.crc};`, crc), 0)
}

export interface OpenedSegments {
  readonly segments: Segments
  /** Journal files whose records are in segments: to be deleted, not to be read. */
  readonly replacedJournals: ReadonlySet<number>
  /** Numbers from which on no segment, journal file or record has ever been. */
  readonly nextNumber: number
  readonly nextJournal: number
  readonly nextSequence: Sequence
}

interface FoundSegment {
  readonly place: SegmentPlace
  readonly footer: SegmentFooter
}

/** Finds the segments of an earlier process and decides which of them count. */
export async function openSegments(
  paths: SegmentPaths,
  index: BlockIndex,
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
  await bringIndexInStep(index, current, logger)
  const segments = new Segments(index)
  segments.swap(
    current.map(({ place, footer }) => liveSegment(place, footer)),
    [],
  )
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
    if (error instanceof SegmentVersionUnknown) {
      logger.error({ segment: name }, `${error.message}; its records are not served`)
      return undefined
    }
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

async function bringIndexInStep(
  index: BlockIndex,
  current: readonly FoundSegment[],
  logger: Logger,
): Promise<void> {
  let indexed = index.segments()
  const isStale = current.some(({ place, footer }) => {
    const known = indexed.get(place.number)
    return known !== undefined && known !== checksumOf(footer)
  })
  const live = new Set(current.map(({ place }) => place.number))
  const hasUnknown = [...indexed.keys()].some(number => !live.has(number))
  if (isStale || hasUnknown) {
    logger.warn('the index is not that of these segments; building it anew')
    index.clear()
    indexed = new Map()
  }
  let added = 0
  for (const { place, footer } of current) {
    if (indexed.has(place.number)) continue
    await index.addSegment(place.number, checksumOf(footer), footer.blocks)
    crashPoint('rebuild:one-added')
    added++
    if (added % 100 === 0) logger.info({ added, of: current.length }, 'building the index')
  }
  if (added > 0) logger.info({ segments: added }, 'segments were added to the index')
}
