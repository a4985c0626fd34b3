/**
 * Finds what is left of a segment whose end or beginning is damaged or cut off.
 *
 * The footer appears twice, so mostly the other one is whole. Where neither is, the directories of the
 * blocks are looked for all over the file: each tells by its checksum that it is one, and where it
 * belongs.
 */
import type { Disk } from '../disk/disk.ts'
import { realDisk } from '../disk/real-disk.ts'
import {
  blockOffset,
  claimedDirectory,
  directoryHeaderBytes,
  directoryMagic,
  readDirectory,
} from './block-directory.ts'
import { checkFileHeader, fileHeaderBytes } from './file-header.ts'
import { type BlockSummary, readFooterBefore, type SegmentFooter, trailerMagic } from './footer.ts'
import { SegmentCorrupt, unlessCorrupt } from './segment-error.ts'
import { type SegmentFile, withSegmentFile } from './segment-file.ts'

/** Bytes read at a time in search of a mark. */
const searchBytes = 1024 * 1024

export interface RescuedFooter {
  readonly footer: SegmentFooter
  /**
   * `footer`: one of the two footers was whole, and is given as it was written. `directories`:
   * neither was; the footer is made up from the blocks that were found, and says nothing of what the
   * segment replaces, of its group, and of when it was made.
   */
  readonly from: 'footer' | 'directories'
}

/**
 * The footer of a damaged segment, for its intact blocks to be served. The number is as for
 * SegmentFile. Throws SegmentCorrupt when nothing of the segment is found, and SegmentVersionUnknown.
 */
export function rescueFooter(path: string, number?: number, disk: Disk = realDisk): RescuedFooter {
  return withSegmentFile(path, number, rescueFooterOf, disk)
}

export function rescueFooterOf(file: SegmentFile): RescuedFooter {
  try {
    checkFileHeader(file)
  } catch (error) {
    // A damaged header says nothing about the rest; another version says that all of it is another.
    if (!(error instanceof SegmentCorrupt)) throw error
  }
  const footer = lastFooter(file)
  if (footer !== undefined) return { footer, from: 'footer' }
  const blocks = [...intactBlocks(file)]
  if (blocks.length === 0) throw new SegmentCorrupt(file.path, 0, 'nothing of a segment was found')
  const { number, fileBytes } = file
  const replaces = { journals: [], segments: [] }
  const madeUp = { number, fileBytes, createdAt: 0, replaces, group: [number], blocks, runs: [] }
  return { footer: madeUp, from: 'directories' }
}

/** The last intact footer of a file, if any. */
function lastFooter(file: SegmentFile): SegmentFooter | undefined {
  let windowEnd = file.fileBytes
  while (windowEnd > fileHeaderBytes) {
    const windowStart = Math.max(fileHeaderBytes, windowEnd - searchBytes)
    const window = file.read(windowStart, windowEnd - windowStart)
    let at = window.lastIndexOf(trailerMagic)
    while (at !== -1) {
      const end = windowStart + at + trailerMagic.length
      const footer = unlessCorrupt(() => readFooterBefore(file, end))
      if (footer !== undefined) return footer
      at = at === 0 ? -1 : window.lastIndexOf(trailerMagic, at - 1)
    }
    if (windowStart === fileHeaderBytes) return undefined
    // The window's first bytes may be the end of a mark.
    windowEnd = windowStart + trailerMagic.length - 1
  }
  return undefined
}

/** All blocks whose directory is whole, in the order of the file. */
function* intactBlocks(file: SegmentFile): Generator<BlockSummary> {
  let position = fileHeaderBytes
  while (position < file.fileBytes) {
    const window = file.read(position, Math.min(searchBytes, file.fileBytes - position))
    let behind = window.length - directoryMagic.length + 1
    let at = window.indexOf(directoryMagic)
    while (at !== -1) {
      const block = unlessCorrupt(() => blockAt(file, position + at))
      if (block !== undefined) {
        yield block
        behind = at + block.directory.bytes
        break
      }
      at = window.indexOf(directoryMagic, at + 1)
    }
    position += Math.max(behind, 1)
  }
}

/** The block whose directory begins at `offset`. Throws SegmentCorrupt. */
function blockAt(file: SegmentFile, offset: number): BlockSummary | undefined {
  const reference = claimedDirectory(file.read(offset, directoryHeaderBytes), offset)
  if (reference === undefined) return undefined
  const directory = readDirectory(file, reference)
  const { columns: _, ...facts } = directory
  const blockBytes = offset + reference.bytes - blockOffset(directory, reference)
  return { ...facts, directory: reference, blockBytes, skip: undefined }
}
