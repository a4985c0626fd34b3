/** `logstrata inspect` of a segment: what is in it, and what is wrong with it. */
import { BlockColumns } from '../../segment/block-columns.ts'
import type { ColumnEntry } from '../../segment/block-directory.ts'
import { openBlock } from '../../segment/block-reader.ts'
import { checkFileHeader } from '../../segment/file-header.ts'
import { filterPageBytes } from '../../segment/filter-pages.ts'
import { type BlockSummary, readFooter, type SegmentFooter } from '../../segment/footer.ts'
import { rescueFooter } from '../../segment/rescue.ts'
import { SegmentCorrupt, unlessCorrupt } from '../../segment/segment-error.ts'
import { SegmentFile, withSegmentFile } from '../../segment/segment-file.ts'
import type { RunSummary } from '../../segment/skip/skip-index.ts'
import { verifySegment } from '../../segment/verify.ts'
import { verifyContents } from '../../segment/verify-contents.ts'
import { type Fault, type FileDescription, iso, type PartDescription } from './file.ts'

interface ColumnDescription {
  readonly name: string
  readonly role: string
  readonly encoding: string
  readonly valueCount: number
  readonly chunkCount: number
  /** With the bitmap of records that have a value. */
  readonly storedBytes: number
  readonly rawBytes: number
}

interface BlockDescription extends PartDescription {
  readonly service: string
  readonly environment: string
  readonly minSequence: number
  readonly maxSequence: number
  readonly levels: Readonly<Record<string, number>>
  readonly directoryBytes: number
  /** Null: there is no token filter. */
  readonly filterBytes: number | null
  /** Empty when the directory cannot be read. */
  readonly columns: readonly ColumnDescription[]
}

/** Of a run of blocks. */
interface SkipIndexDescription {
  readonly offset: number
  /** With its templates. */
  readonly bytes: number
  readonly laterBytes: number
  readonly blockCount: number
}

export interface SegmentDescription extends FileDescription {
  readonly kind: 'segment'
  /** Null: the header is damaged. */
  readonly format: number | null
  readonly createdAt: string
  readonly replaces: SegmentFooter['replaces']
  readonly group: readonly number[]
  readonly blocks: readonly BlockDescription[]
  /** None in a segment of format 1. */
  readonly skipIndexes: readonly SkipIndexDescription[]
}

/** Reads footer and directories. Throws SegmentCorrupt when there is neither. */
export function describeSegment(path: string): SegmentDescription {
  const faults: Fault[] = []
  const footer = footerOf(path, faults)
  const { format, blocks } = withSegmentFile(path, footer.number, file => ({
    format: unlessCorrupt(() => checkFileHeader(file)) ?? null,
    blocks: footer.blocks.map(block => describeBlock(file, block, faults)),
  }))
  return {
    kind: 'segment',
    path,
    number: footer.number,
    format,
    bytes: footer.fileBytes,
    recordCount: footer.blocks.reduce((sum, { recordCount }) => sum + recordCount, 0),
    createdAt: iso(footer.createdAt),
    replaces: footer.replaces,
    group: footer.group,
    blocks,
    skipIndexes: footer.runs.map(describeSkipIndex),
    faults,
  }
}

/** Everything that is wrong with a segment: its bytes and, when these are whole, its contents. */
export function faultsOfSegment(path: string): Fault[] {
  const faults = verifySegment(path)
  return faults.length > 0 ? faults : verifyContents(path)
}

/** The blocks of a segment whose directories are whole; what else there is of them may not be. */
export function* blocksOfSegment(path: string, faults: Fault[]): Generator<BlockColumns> {
  const { number, blocks } = footerOf(path, faults)
  const file = new SegmentFile(path, number)
  try {
    for (const { directory } of blocks) {
      const block = noting(faults, () => openBlock(file, directory))
      if (block !== undefined) yield new BlockColumns(block.directory, () => block)
    }
  } finally {
    file.close()
  }
}

/** The footer, rescued if need be. Notes what is wrong. */
function footerOf(path: string, faults: Fault[]): SegmentFooter {
  return noting(faults, () => readFooter(path)) ?? rescueFooter(path).footer
}

function describeBlock(file: SegmentFile, block: BlockSummary, faults: Fault[]): BlockDescription {
  const { directory, blockBytes, filter, stream } = block
  const columns = noting(faults, () => openBlock(file, directory).directory.columns) ?? []
  return {
    offset: directory.offset + directory.bytes - blockBytes,
    bytes: blockBytes,
    service: stream.service,
    environment: stream.environment,
    recordCount: block.recordCount,
    minTimestamp: iso(block.minTimestamp),
    maxTimestamp: iso(block.maxTimestamp),
    minSequence: block.minSequence,
    maxSequence: block.maxSequence,
    levels: Object.fromEntries(block.levelCounts),
    directoryBytes: directory.bytes,
    filterBytes: filter === undefined ? null : filter.pageCount * filterPageBytes,
    columns: columns.map(describeColumn),
  }
}

function describeSkipIndex({ index, laterBytes, blockCount }: RunSummary): SkipIndexDescription {
  const { offset, bytes } = index
  return { offset, bytes: bytes + laterBytes, laterBytes, blockCount }
}

function describeColumn(column: ColumnEntry): ColumnDescription {
  const { name, role, encoding, valueCount, presence, chunks } = column
  const pieces = presence === undefined ? [...chunks] : [presence, ...chunks]
  return {
    name,
    role,
    encoding,
    valueCount,
    chunkCount: pieces.length,
    storedBytes: pieces.reduce((sum, { storedBytes }) => sum + storedBytes, 0),
    rawBytes: pieces.reduce((sum, { rawBytes }) => sum + rawBytes, 0),
  }
}

/** The value, or undefined when the bytes are corrupt, which is noted. */
function noting<T>(faults: Fault[], read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SegmentCorrupt)) throw error
    faults.push({ offset: error.offset, what: error.what })
    return undefined
  }
}
