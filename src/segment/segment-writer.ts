/**
 * Writes a segment, block by block, from the first byte to the last. Memory: the pieces of one block,
 * which the caller holds anyway. FORMAT.md describes every byte.
 */
import assert from 'node:assert/strict'
import type { EncodedColumn } from '../columns/column.ts'
import type { Disk } from '../disk/disk.ts'
import { realDisk } from '../disk/real-disk.ts'
import type { Stream } from '../record.ts'
import {
  type BlockDirectory,
  type BlockFacts,
  type ColumnEntry,
  encodeDirectory,
  type FilterReference,
} from './block-directory.ts'
import { checksumAt } from './checksum.ts'
import { type ChunkReference, packChunk } from './chunk.ts'
import { DurableFile } from './durable-file.ts'
import { encodeFileHeader } from './file-header.ts'
import { filterPageBytes, sealFilterPages } from './filter-pages.ts'
import {
  type BlockSummary,
  encodeFooters,
  type FooterInfo,
  type SegmentFooter,
  withSkipPlaces,
} from './footer.ts'
import { isPresence } from './presence.ts'
import {
  type PackedSkipIndex,
  packSkipIndex,
  placeSkipIndex,
  type RunSummary,
  runBlocksMax,
  type SkipBlock,
  textKindOf,
} from './skip/skip-index.ts'

export interface ColumnToWrite extends Pick<ColumnEntry, 'role' | 'name' | 'valueCount'> {
  readonly column: EncodedColumn
  /** The records that have a value, as `presence.ts` says; undefined when all have one. */
  readonly presence: Uint8Array | undefined
}

/** A block: records of one stream, ordered by timestamp, then sequence. */
export interface BlockToWrite
  extends Omit<BlockFacts, 'filter'>,
    Pick<SkipBlock, 'letters' | 'digits' | 'templates' | 'patterns'> {
  readonly columns: readonly ColumnToWrite[]
  /** From `buildTokenFilter`; the writer puts the checksums into it. */
  readonly filter: Buffer | undefined
}

export class SegmentWriter {
  readonly #number: number
  readonly #file: DurableFile
  readonly #blocks: Omit<BlockSummary, 'skip'>[] = []
  /** The blocks of the run under way, all of one stream. */
  #run: SkipBlock[] = []
  #runStream: Stream | undefined
  /** Of the runs before it; packed, because a segment may have thousands of streams. */
  readonly #skipIndexes: PackedSkipIndex[] = []

  /**
   * Begins a segment under a temporary name. Throws SegmentWriteFailed, as all methods do: what there
   * is of the segment is then gone, and the writer of no further use.
   */
  constructor(path: string, number: number, disk: Disk = realDisk) {
    this.#number = number
    this.#file = new DurableFile(path, disk)
    this.#file.append(encodeFileHeader(number))
  }

  /** Bytes of the segment so far. */
  get bytes(): number {
    return this.#file.offset
  }

  /** Appends a block. Its buffers must not change before `finish`. */
  addBlock(block: BlockToWrite): void {
    checkBlock(block)
    const blockOffset = this.#file.offset
    const {
      columns: columnsToWrite,
      filter: filterBytes,
      letters: _,
      digits: __,
      templates: ___,
      patterns: ____,
      ...facts
    } = block
    const columns = columnsToWrite.map(column => this.#appendColumn(column))
    const filter = filterBytes && this.#appendFilter(filterBytes)
    const directory: BlockDirectory = { ...facts, filter, columns }
    const { bytes, reference } = encodeDirectory(directory, this.#number, this.#file.offset)
    this.#file.append(bytes)
    this.#blocks.push({
      ...facts,
      filter,
      directory: reference,
      blockBytes: this.#file.offset - blockOffset,
    })
    this.#addToRun(block.stream, skipBlockOf(block, filter))
  }

  /** Completes the segment. When it returns, the segment is on disk under its name. */
  finish(info: FooterInfo): SegmentFooter {
    this.#endRun()
    const runs = this.#skipIndexes.map(packed => this.#appendSkipIndex(packed))
    const blocks = withSkipPlaces(this.#blocks, runs)
    this.#file.append(encodeFooters(info, { blocks, runs }, this.#number, this.#file.offset))
    const fileBytes = this.#file.offset
    this.#file.commit()
    return { ...info, number: this.#number, fileBytes, blocks, runs }
  }

  /** Gives up a segment that will not be finished, and removes what there is of it. */
  abandon(): void {
    this.#file.abandon()
  }

  #appendColumn(toWrite: ColumnToWrite): ColumnEntry {
    const { role, name, column, valueCount, presence } = toWrite
    const { encoding, meta } = column
    return {
      role,
      name,
      encoding,
      meta,
      valueCount,
      presence: presence && this.#appendChunk(Buffer.from(presence)),
      chunks: column.chunks.map(chunk => this.#appendChunk(chunk)),
    }
  }

  #appendChunk(raw: Buffer): ChunkReference {
    const { offset } = this.#file
    const { stored, compression } = packChunk(raw)
    this.#file.append(stored)
    return {
      offset,
      storedBytes: stored.length,
      rawBytes: raw.length,
      crc: checksumAt(this.#number, offset, stored),
      compression,
    }
  }

  #addToRun(stream: Stream, block: SkipBlock): void {
    const isOfRun = this.#runStream !== undefined && isSameStream(this.#runStream, stream)
    if (!isOfRun || this.#run.length === runBlocksMax) this.#endRun()
    this.#runStream = stream
    this.#run.push(block)
  }

  #endRun(): void {
    if (this.#run.length > 0) {
      this.#skipIndexes.push(packSkipIndex(this.#run, this.#runStream!.service))
    }
    this.#run = []
  }

  #appendSkipIndex(packed: PackedSkipIndex): RunSummary {
    const { bytes, run } = placeSkipIndex(packed, this.#number, this.#file.offset)
    this.#file.append(bytes)
    return run
  }

  #appendFilter(filter: Buffer): FilterReference {
    const { offset } = this.#file
    sealFilterPages(filter, this.#number, offset)
    this.#file.append(filter)
    return { offset, pageCount: filter.length / filterPageBytes }
  }
}

function isSameStream(one: Stream, other: Stream): boolean {
  return one.service === other.service && one.environment === other.environment
}

/** What the skip index repeats of a block. */
function skipBlockOf(block: BlockToWrite, filter: FilterReference | undefined): SkipBlock {
  const { recordCount, minTimestamp, maxTimestamp, letters, digits, templates, patterns } = block
  const { columns } = block
  const message = columns.find(({ role }) => role === 'message')
  const attributes = columns.filter(({ role }) => role === 'attribute')
  return {
    recordCount,
    minTimestamp,
    maxTimestamp,
    filter,
    letters,
    digits,
    templates,
    patterns,
    messageKind: textKindOf(message?.column.encoding, filter),
    attributes: attributes.map(({ name, column }) => ({
      name,
      kind: textKindOf(column.encoding, filter),
      values: column.values,
    })),
  }
}

/** What the format promises to its readers; a failure is a mistake of the block's maker. */
function checkBlock(block: BlockToWrite): void {
  const { recordCount } = block
  assert(recordCount > 0, 'a block has records')
  assert(block.minTimestamp <= block.maxTimestamp)
  assert(block.minSequence <= block.maxSequence)
  const countOfLevels = block.levelCounts.reduce((sum, [, count]) => sum + count, 0)
  assert.equal(countOfLevels, recordCount, 'every record has a level')
  assert((block.filter?.length ?? 0) % filterPageBytes === 0)
  for (const { name, valueCount, presence } of block.columns) {
    const isWhole =
      presence === undefined
        ? valueCount === recordCount
        : isPresence(presence, recordCount, valueCount)
    assert(isWhole, `column ${JSON.stringify(name)} has a value for each record that it says`)
  }
}
