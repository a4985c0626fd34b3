/**
 * Checks a segment from its first byte to its last: every byte must belong to exactly one piece, every
 * piece must hold its checksum, and what is said twice must be the same.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Disk } from '../disk/disk.ts'
import { type BlockReader, openBlock } from './block-reader.ts'
import { type ChunkReference, readChunk } from './chunk.ts'
import { checkFileHeader, fileHeaderBytes } from './file-header.ts'
import { filterPageBytes } from './filter-pages.ts'
import { type BlockSummary, readFooterBefore, type SegmentFooter } from './footer.ts'
import { type RescuedFooter, rescueFooterOf } from './rescue.ts'
import { SegmentCorrupt } from './segment-error.ts'
import { type SegmentFile, withSegmentFile } from './segment-file.ts'
import { SkipIndex } from './skip/skip-index.ts'

export interface SegmentFault {
  /** Where in the file the fault begins. */
  readonly offset: number
  readonly what: string
}

/**
 * Everything that is wrong with a segment, in the order of the file; nothing when it is whole. The
 * number is as for SegmentFile. Throws SegmentVersionUnknown, and what the file system throws.
 */
export function verifySegment(path: string, number?: number): SegmentFault[] {
  const faults: SegmentFault[] = []
  collect(faults, () => withSegmentFile(path, number, file => verifyFile(file, faults)))
  return faults.sort((a, b) => a.offset - b.offset)
}

/** What is wrong with a block's bytes first; undefined when they are whole. The number is as for
 *  SegmentFile. Throws what the file system throws. */
export function damageOfBlock(
  path: string,
  number: number,
  block: BlockSummary,
  disk: Disk,
): string | undefined {
  const faults: SegmentFault[] = []
  const verify = (file: SegmentFile) => faults.push(...verifyBlock(file, block))
  collect(faults, () => withSegmentFile(path, number, verify, disk))
  return faults[0]?.what
}

/**
 * What is wrong with header and footers, each of which can be done without; with the footer to go by, and
 * the bytes that were looked at. Throws SegmentCorrupt when nothing of the segment is found.
 */
export function faultsOfEnds(file: SegmentFile): {
  footer: SegmentFooter
  faults: SegmentFault[]
  endBytes: number
} {
  const faults: SegmentFault[] = []
  collect(faults, () => checkFileHeader(file))
  const rescued = rescueFooterOf(file)
  const { blocks } = rescued.footer
  const last = blocks.at(-1)?.directory
  const blocksEnd = last === undefined ? fileHeaderBytes : last.offset + last.bytes
  verifyEnd(file, rescued, verifyRuns(file, rescued.footer, blocksEnd, faults), faults)
  const endBytes = fileHeaderBytes + file.fileBytes - blocksEnd
  return { footer: rescued.footer, faults, endBytes }
}

function verifyFile(file: SegmentFile, faults: SegmentFault[]): void {
  const { footer, faults: ofEnds } = faultsOfEnds(file)
  faults.push(...ofEnds)
  let position = fileHeaderBytes
  for (const block of footer.blocks) {
    const end = block.directory.offset + block.directory.bytes
    noteGap(faults, position, end - block.blockBytes)
    faults.push(...verifyBlock(file, block))
    position = end
  }
}

/** Everything that is wrong with a block, in the order of the file. */
export function verifyBlock(file: SegmentFile, summary: BlockSummary): SegmentFault[] {
  const faults: SegmentFault[] = []
  collect(faults, () => {
    const block = openBlock(file, summary.directory)
    const { columns: _, ...facts } = block.directory
    const { directory, blockBytes, skip: _skip, ...expected } = summary
    if (!isDeepStrictEqual(facts, expected)) {
      faults.push({ offset: directory.offset, what: 'directory and footer differ' })
    }
    let position = directory.offset + directory.bytes - blockBytes
    for (const piece of piecesOf(block, file)) {
      noteGap(faults, position, piece.offset)
      collect(faults, piece.check)
      position = piece.offset + piece.bytes
    }
    noteGap(faults, position, directory.offset)
  })
  return faults
}

/** A part of the file with a checksum of its own. */
interface Piece {
  readonly offset: number
  readonly bytes: number
  /** Throws SegmentCorrupt. */
  readonly check: () => void
}

/** All pieces of a block but its directory, in the order of the file. */
function piecesOf(block: BlockReader, file: SegmentFile): Piece[] {
  const pieces: Piece[] = []
  const { columns, filter } = block.directory
  for (const column of columns) {
    if (column.presence !== undefined) {
      pieces.push(pieceOf(column.presence, () => block.presence(column)))
    }
    for (const chunk of column.chunks) pieces.push(pieceOf(chunk, () => readChunk(file, chunk)))
  }
  const pages = block.filter()
  if (filter !== undefined && pages !== undefined) {
    const bytes = filterPageBytes
    for (let index = 0; index < filter.pageCount; index++) {
      const check = () => pages.readPage(index)
      pieces.push({ offset: filter.offset + index * bytes, bytes, check })
    }
  }
  return pieces.sort((a, b) => a.offset - b.offset || a.bytes - b.bytes)
}

function pieceOf({ offset, storedBytes }: ChunkReference, check: () => void): Piece {
  return { offset, bytes: storedBytes, check }
}

/** Checks the skip indexes after the last block; returns where they end. */
function verifyRuns(
  file: SegmentFile,
  { runs }: SegmentFooter,
  blocksEnd: number,
  faults: SegmentFault[],
): number {
  let position = blocksEnd
  for (const { index, laterBytes, blockCount } of runs) {
    noteGap(faults, position, index.offset)
    collect(faults, () => {
      const skip = new SkipIndex(file, index)
      if (skip.blockCount !== blockCount || skip.laterBytes !== laterBytes) {
        throw new SegmentCorrupt(file.path, index.offset, 'skip index and footer differ')
      }
      skip.templates(() => file)
      skip.values(() => file)
      skip.toldPatterns(0, () => file)
      skip.digits(0, () => file)
    })
    position = index.offset + index.bytes + laterBytes
  }
  return position
}

/** Checks that both footers follow the last skip index, and nothing follows them. */
function verifyEnd(
  file: SegmentFile,
  { footer, from }: RescuedFooter,
  runsEnd: number,
  faults: SegmentFault[],
): void {
  if (from === 'directories') {
    faults.push({ offset: runsEnd, what: 'no footer is whole; blocks may be missing' })
    return
  }
  // Both have the same length.
  const footerBytes = Math.floor((footer.fileBytes - runsEnd) / 2)
  for (const end of [runsEnd + footerBytes, footer.fileBytes]) {
    collect(faults, () => {
      const found = readFooterBefore(file, end)
      if (!isDeepStrictEqual(found, footer)) {
        throw new SegmentCorrupt(file.path, end - footerBytes, 'the two footers differ')
      }
    })
  }
  if (file.fileBytes !== footer.fileBytes) {
    const what = `the file has ${file.fileBytes} bytes, expected ${footer.fileBytes}`
    faults.push({ offset: Math.min(file.fileBytes, footer.fileBytes), what })
  }
}

function noteGap(faults: SegmentFault[], end: number, start: number): void {
  if (start > end) faults.push({ offset: end, what: `${start - end} bytes belong to nothing` })
  if (start < end) faults.push({ offset: start, what: `${end - start} bytes belong to two pieces` })
}

/** Runs a check; what it finds corrupt becomes a fault. */
function collect(faults: SegmentFault[], check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof SegmentCorrupt)) throw error
    faults.push({ offset: error.offset, what: error.what })
  }
}
