/**
 * How a scan thread reads: ranges of the journal through one buffer, blocks of segments through a cache
 * of what was decoded, within a budget. Answers never depend on the cache.
 */

import type { RecordColumns } from '../columns/record-columns.ts'
import type { Disk } from '../disk/disk.ts'
import { realDisk } from '../disk/real-disk.ts'
import { getOrInsertComputed } from '../get-or-insert.ts'
import { sourceKey } from '../index/source.ts'
import { Batch } from '../journal/batch-reader.ts'
import { type FrameHeader, findMagic, frameHeaderBytes, readFrame } from '../journal/frame.ts'
import { filterRoomBytes, readAheadBytes } from '../memory-policy.js'
import type { Times } from '../record.ts'
import { BlockColumns } from '../segment/block-columns.ts'
import { readDirectory } from '../segment/block-directory.ts'
import { BlockReader } from '../segment/block-reader.ts'
import { FilterRoom } from '../segment/filter-pages.ts'
import { SegmentCorrupt, unlessCorrupt } from '../segment/segment-error.ts'
import { SegmentFile } from '../segment/segment-file.ts'
import { matchingKinds } from '../segment/skip/matching-kinds.ts'
import { type PlainBlockFilters, readRunFilters } from '../segment/skip/run-filters.ts'
import { SkipIndex, type SkipReference } from '../segment/skip/skip-index.ts'
import { type SkipVerdict, verdictOf, type WantedConditions } from '../segment/skip/verdict.ts'
import { UncountedGarbage } from '../threads/uncounted-memory.ts'
import type { ToldBlock } from './collect/collector.ts'
import { type LevelEnd, levelEndsOf } from './level-ends.ts'
import type { Predicate } from './predicate.ts'
import { unmetNeed, verdictOnAll } from './prune.ts'
import type { ScanSource } from './scan-task.ts'
import { WeighedKept } from './weighed-kept.ts'

export interface FramePlace {
  readonly offset: number
  readonly bytes: number
}

export interface ReadFrame {
  readonly columns: RecordColumns
  readonly place: FramePlace
}

interface KeptSkipIndex {
  /** `damaged` for one that is not to be read again. */
  readonly index: SkipIndex | 'damaged'
  /** When they were last counted. */
  heldBytes: number
}

interface KeptBlock {
  readonly segment: number
  readonly columns: BlockColumns
  /** When they were last counted. */
  heldBytes: number
}

/** Beyond the budget by so much, a task releases blocks before its end. */
const excessShareMax = 1 / 4

/** Of the budget, what stays free when something was released: what is worth the least is sought among all
 *  that is kept, which takes longer than many a task. */
const slackShare = 1 / 16

/** Segments that one task has open, at most: it may be about thousands of them, a process may not. */
const filesInTaskMax = 512

/** A block that need not be opened for its matches, and its times. */
export interface SkippedBlock extends Times {
  readonly verdict: Exclude<SkipVerdict, undefined>
}

export class SourceReader {
  readonly #cacheBytesMax: number
  readonly #disk: Disk
  /** By source. */
  readonly #blocks = new Map<string, KeptBlock>()
  /** Blocks that only those have asked for who read each block once. */
  readonly #passing = new Set<string>()
  /** By segment, and by place in it. */
  readonly #skips = new Map<number, Map<number, KeptSkipIndex>>()
  readonly #filterRoom: FilterRoom
  /** The blocks of the current task. */
  readonly #used = new Set<string>()
  /** Of all blocks and skip indexes, as they were last counted. */
  #heldBytes = 0
  /** Of skip indexes alone. */
  #skipBytes = 0
  /** Of filters that another thread was given: their memory counts as this one's until that thread lets go of
   *  them, of which nothing is heard here. Garbage is then seen by so much later. */
  #givenBytes = 0
  readonly #garbage = new UncountedGarbage()
  readonly #skipBytesMax: number
  /** By path. */
  readonly #files = new Map<string, SegmentFile>()
  readonly #filesMax: number
  readonly #filesInTaskMax: number
  /** Reused from range to range: a fresh buffer of megabytes would cost more than the read. */
  #buffer = Buffer.alloc(0)

  /**
   * `filesMax`: segments that stay open from task to task. Whoever lets some stay open must tell of those
   * that are deleted (`forgetSegments`): an open file keeps its space on the disk. `inTaskMax`: so many are
   * open in the midst of a task.
   */
  constructor(
    cacheBytesMax: number,
    disk: Disk = realDisk,
    filesMax = 0,
    inTaskMax = filesInTaskMax,
  ) {
    this.#cacheBytesMax = cacheBytesMax
    this.#filterRoom = new FilterRoom(filterRoomBytes(cacheBytesMax))
    this.#skipBytesMax = readAheadBytes(cacheBytesMax)
    this.#disk = disk
    this.#filesMax = filesMax
    this.#filesInTaskMax = inTaskMax
  }

  /**
   * The frames of a journal range that are of interest, decoded; `damaged` in the place of each that
   * is not intact. What a frame gives is valid until the next range is read.
   */
  *frames(
    source: ScanSource,
    isOfInterest: (header: FrameHeader) => boolean,
  ): Generator<ReadFrame | 'damaged'> {
    if (source.source.kind !== 'journal') throw new TypeError('a block has no frames')
    const { file, offset: rangeOffset, bytes: rangeBytes } = source.source
    const bytes = this.#read(source.path, rangeOffset, rangeBytes)
    let at = 0
    while (at < bytes.length) {
      const frame = readFrame(bytes, at, file, rangeOffset)
      if (typeof frame !== 'object') {
        yield 'damaged'
        const next = findMagic(bytes, at + 1)
        if (next === -1) return
        at = next
        continue
      }
      const place = { offset: frame.offset, bytes: frameHeaderBytes + frame.payload.length }
      at += place.bytes
      if (isOfInterest(frame.header)) yield { columns: new Batch(frame), place }
    }
  }

  /** One frame of a journal file, or undefined when it is not intact. */
  frame(source: ScanSource, place: FramePlace): RecordColumns | undefined {
    if (source.source.kind !== 'journal') throw new TypeError('a block has no frames')
    const bytes = this.#read(source.path, place.offset, place.bytes)
    const frame = readFrame(bytes, 0, source.source.file, place.offset)
    return typeof frame === 'object' ? new Batch(frame) : undefined
  }

  /**
   * A block of a segment, for a reader who will ask for it `again` or only in `passing`. Throws
   * SegmentCorrupt, now or when a column of it is read.
   */
  block({ source, path }: ScanSource, use: 'again' | 'passing' = 'again'): BlockColumns {
    if (source.kind !== 'block') throw new TypeError('a journal range has no blocks')
    const key = sourceKey(source)
    this.#used.add(key)
    if (use === 'again') this.#passing.delete(key)
    const kept = this.#blocks.get(key)
    if (kept !== undefined) return kept.columns
    if (use === 'passing') this.#passing.add(key)
    const { directory: reference, segment } = source
    const directory = readDirectory(this.#file(path, segment), reference)
    const columns = new BlockColumns(
      directory,
      () => new BlockReader(this.#file(path, segment), reference, directory),
      () => this.told({ source, path }),
    )
    this.#blocks.set(key, { segment, columns, heldBytes: 0 })
    return columns
  }

  /**
   * What is known of a block without opening it; undefined: it must be opened. `alternatives`: it is
   * enough that one of them holds; and all `needs`.
   */
  skip(
    { source, path }: ScanSource,
    { alternatives, needs }: Pick<Predicate, 'alternatives' | 'needs'>,
  ): SkippedBlock | undefined {
    if (source.kind !== 'block' || source.skip === undefined) return undefined
    const { segment, skip } = source
    const file = () => this.#file(path, segment)
    try {
      const kept = this.#skipIndex(segment, skip.index, file)
      const { index } = kept
      if (index === 'damaged') return undefined
      const verdict = verdictOfSkip(index, skip.block, { alternatives, needs }, file)
      this.#countSkipIndex(kept)
      if (verdict === undefined) return undefined
      const minTimestamp = index.minTimestamp(skip.block)
      return { verdict, minTimestamp, maxTimestamp: index.maxTimestamp(skip.block) }
    } catch (error) {
      if (!(error instanceof SegmentCorrupt)) throw error
      return undefined // The block says it all, too; the scrub finds out.
    }
  }

  /** What the skip index tells of a block; undefined when there is none. */
  told({ source, path }: Pick<ScanSource, 'source' | 'path'>): ToldBlock | undefined {
    if (source.kind !== 'block' || source.skip === undefined) return undefined
    const { segment, skip } = source
    const file = () => this.#file(path, segment)
    const kept = this.#skipIndex(segment, skip.index, file)
    const { index } = kept
    if (index === 'damaged') return undefined
    return {
      recordCount: index.recordCount(skip.block),
      minTimestamp: index.minTimestamp(skip.block),
      maxTimestamp: index.maxTimestamp(skip.block),
      toldValues: name => {
        // The block says it all, too; the scrub finds out.
        const values = unlessCorrupt(() => index.toldValues(skip.block, name, file))
        this.#countSkipIndex(kept)
        return values
      },
      toldPatterns: () => {
        const patterns = unlessCorrupt(() => index.toldPatterns(skip.block, file))
        this.#countSkipIndex(kept)
        return patterns
      },
      matchingKinds: wanted => {
        const kinds = unlessCorrupt(() => matchingKinds(index, skip.block, wanted, file))
        this.#countSkipIndex(kept)
        return kinds
      },
    }
  }

  /**
   * What is told of the levels of blocks, for a reader who asks once; and reads the rest of their skip
   * indexes, for those who ask next, as far as there is room.
   */
  levelEnds(sources: readonly ScanSource[]): (LevelEnd[] | undefined)[] {
    const ends = sources.map(source => {
      const block = this.told(source)
      return block && levelEndsOf(block)
    })
    for (const { source, path } of sources) {
      if (source.kind !== 'block' || source.skip === undefined) continue
      const { segment, skip } = source
      const kept = this.#skips.get(segment)?.get(skip.index.offset)
      if (kept === undefined || kept.index === 'damaged') continue
      kept.index.releasePatterns()
      if (this.#skipBytes < this.#skipBytesMax)
        kept.index.readAhead(() => this.#file(path, segment))
      this.#countSkipIndex(kept)
    }
    return ends
  }

  /** The filters of all blocks of the run of a block; undefined where they cannot be read. */
  runFilters({ source, path }: ScanSource): PlainBlockFilters[] | undefined {
    if (source.kind !== 'block' || source.skip === undefined) return undefined
    const { segment, skip } = source
    const file = () => this.#file(path, segment)
    const { index } = this.#skipIndex(segment, skip.index, file)
    if (index === 'damaged') return undefined
    const filters = unlessCorrupt(() => readRunFilters(index, file()))
    for (const { letters, words } of filters ?? []) {
      this.#givenBytes += letters.length + (words?.length ?? 0)
    }
    return filters
  }

  #skipIndex(segment: number, reference: SkipReference, file: () => SegmentFile): KeptSkipIndex {
    const ofSegment = getOrInsertComputed(this.#skips, segment, () => new Map())
    return getOrInsertComputed(ofSegment, reference.offset, () => {
      const read = () => new SkipIndex(file(), reference, this.#filterRoom)
      return { index: unlessCorrupt(read) ?? 'damaged', heldBytes: 0 }
    })
  }

  #countSkipIndex(kept: KeptSkipIndex): void {
    if (kept.index === 'damaged') return
    const { heldBytes } = kept.index
    this.#heldBytes += heldBytes - kept.heldBytes
    this.#skipBytes += heldBytes - kept.heldBytes
    kept.heldBytes = heldBytes
  }

  /**
   * Releases a block that whoever reads in order will not need again: of all of it when nobody else
   * has asked for it, or else of what is large in it.
   */
  shed({ source }: ScanSource): void {
    const key = sourceKey(source)
    if (this.#passing.has(key)) this.#forget(key)
    else this.#blocks.get(key)?.columns.shed()
  }

  /** Releases the blocks of segments that are gone: nobody will ask for them again. */
  forgetSegments(segments: ReadonlySet<number>): void {
    for (const [key, { segment }] of this.#blocks) {
      if (segments.has(segment)) this.#forget(key)
    }
    for (const segment of segments) this.#forgetSkipIndexes(segment)
    for (const [path, { number }] of this.#files) {
      if (segments.has(number)) this.#close(path)
    }
  }

  /** To be called after each source of a task that has many: releases others when too much is held or
   *  open. */
  taken({ source }: ScanSource): void {
    if (source.kind !== 'block') return
    if (this.#files.size > this.#filesInTaskMax) this.closeFiles(this.#filesMax)
    // Most blocks of a question are not opened, and of the others' nothing has changed.
    if (this.#used.size > 0) {
      const key = sourceKey(source)
      if (this.#used.has(key)) this.#count(key)
    }
    if (this.#heldBytes > this.#cacheBytesMax * (1 + excessShareMax)) this.#forgetWhatDoesNotFit()
    this.#garbage.collect(this.#heldBytes, this.#givenBytes)
  }

  /** To be called after each task: closes files, and forgets what is decoded until the rest fits. */
  trim(): void {
    this.closeFiles(this.#filesMax)
    for (const key of this.#used) this.#count(key)
    this.#forgetWhatDoesNotFit()
    this.#used.clear()
    this.#garbage.collect(this.#heldBytes, this.#givenBytes)
  }

  /** Closes all files but so many, those that were opened first. */
  closeFiles(keptMax = 0): void {
    for (const path of this.#files.keys()) {
      if (this.#files.size <= keptMax) return
      this.#close(path)
    }
  }

  #close(path: string): void {
    this.#files.get(path)?.close()
    this.#files.delete(path)
  }

  #forgetWhatDoesNotFit(): void {
    if (this.#heldBytes <= this.#cacheBytesMax) return
    const bytesLeft = this.#cacheBytesMax * (1 - slackShare)
    const weighed = new WeighedKept()
    for (const [key, { columns }] of this.#blocks) {
      const isInUse = this.#used.has(key)
      columns.forEachKept(kept => weighed.add(kept, key, isInUse))
    }
    const isEnough = weighed.release(key => {
      this.#count(key)
      return this.#heldBytes <= bytesLeft
    })
    if (isEnough) return
    for (const key of shuffled([...this.#blocks.keys()])) {
      this.#forget(key)
      if (this.#heldBytes <= bytesLeft) return
    }
    // Last of all, because they save the most for their size.
    for (const segment of this.#skips.keys()) this.#forgetSkipIndexes(segment)
  }

  /** Asking all blocks after each task would take longer than many a task. */
  #count(key: string): void {
    const kept = this.#blocks.get(key)
    if (kept === undefined) return
    const { heldBytes } = kept.columns
    this.#heldBytes += heldBytes - kept.heldBytes
    kept.heldBytes = heldBytes
  }

  #forget(key: string): void {
    this.#heldBytes -= this.#blocks.get(key)?.heldBytes ?? 0
    this.#blocks.delete(key)
    this.#passing.delete(key)
  }

  #forgetSkipIndexes(segment: number): void {
    for (const { index, heldBytes } of this.#skips.get(segment)?.values() ?? []) {
      this.#heldBytes -= heldBytes
      this.#skipBytes -= heldBytes
      if (index !== 'damaged') index.releaseFilters()
    }
    this.#skips.delete(segment)
  }

  #file(path: string, segment: number): SegmentFile {
    return getOrInsertComputed(this.#files, path, () => new SegmentFile(path, segment, this.#disk))
  }

  /** Reads a part of a journal file. Valid until the next call. */
  #read(path: string, offset: number, bytes: number): Buffer {
    if (this.#buffer.length < bytes) this.#buffer = Buffer.allocUnsafeSlow(bytes)
    const input = this.#disk.openSync(path)
    try {
      return this.#buffer.subarray(0, input.read(this.#buffer, 0, bytes, offset))
    } finally {
      input.close()
    }
  }
}

function verdictOfSkip(
  index: SkipIndex,
  block: number,
  { alternatives, needs }: Pick<Predicate, 'alternatives' | 'needs'>,
  file: () => SegmentFile,
): SkipVerdict {
  const verdictOn = (wanted: WantedConditions) => verdictOf(index, block, wanted, file)
  const verdict = verdictOnAll(alternatives.map(verdictOn))
  if (typeof verdict === 'string') return verdict
  const names = () => index.attributes(block).map(([name]) => name)
  return unmetNeed(needs, names, verdictOn) ?? verdict
}

/** The same in an order of chance (Fisher and Yates). */
function shuffled(keys: string[]): string[] {
  for (let i = keys.length - 1; i > 0; i--) {
    const other = Math.floor(Math.random() * (i + 1))
    ;[keys[i], keys[other]] = [keys[other]!, keys[i]!]
  }
  return keys
}
