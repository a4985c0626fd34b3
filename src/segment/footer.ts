/**
 * A segment's footer: what each block holds and where its directory lies, what the segment replaces
 * and which segments it belongs to. It is at the end of the file, each time followed by a trailer
 * of fixed size that finds it, and twice, so that no single damaged spot loses it.
 */
import type { Disk } from '../disk/disk.ts'
import { realDisk } from '../disk/real-disk.ts'
import type { Timestamp } from '../record.ts'
import {
  type BlockFacts,
  type DirectoryReference,
  packFacts,
  unpackFacts,
} from './block-directory.ts'
import { checksumAt } from './checksum.ts'
import { checkFileHeader, fileHeaderBytes } from './file-header.ts'
import { type Fields, packFields, unpackFields } from './packed-fields.ts'
import { SegmentCorrupt } from './segment-error.ts'
import { type SegmentFile, withSegmentFile } from './segment-file.ts'
import type { RunSummary, SkipPlace } from './skip/skip-index.ts'

/** A block as the footer, and with it the index, knows it. */
export interface BlockSummary extends BlockFacts {
  readonly directory: DirectoryReference
  /** All of the block: chunks, token filter and directory, which is the last of it. */
  readonly blockBytes: number
  /** Undefined in a segment of format 1, and where no footer was whole. */
  readonly skip: SkipPlace | undefined
}

export interface FooterInfo {
  readonly createdAt: Timestamp
  /** Files whose records this segment (with its group) holds, and which are to be ignored. */
  readonly replaces: { readonly journals: readonly number[]; readonly segments: readonly number[] }
  /** Numbers of all segments that were written together and count only together; with its own. */
  readonly group: readonly number[]
}

export interface SegmentFooter extends FooterInfo {
  readonly number: number
  readonly fileBytes: number
  readonly blocks: readonly BlockSummary[]
  /** Of all blocks, in their order; none in a segment of format 1. */
  readonly runs: readonly RunSummary[]
}

export const trailerMagic = Buffer.from('LSSEGEND', 'latin1')
export const trailerBytes = 32

/**
 * Both footers, each with its trailer, to be at `offset` of segment `number` and to end it.
 */
export function encodeFooters(
  info: FooterInfo,
  { blocks, runs }: Pick<SegmentFooter, 'blocks' | 'runs'>,
  number: number,
  offset: number,
): Buffer {
  const packed = packFooter(info, blocks, runs)
  const secondOffset = offset + packed.length + trailerBytes
  const fileBytes = secondOffset + packed.length + trailerBytes
  return Buffer.concat([
    packed,
    encodeTrailer(packed, fileBytes, number, offset),
    packed,
    encodeTrailer(packed, fileBytes, number, secondOffset),
  ])
}

function encodeTrailer(
  packed: Buffer,
  fileBytes: number,
  number: number,
  footerOffset: number,
): Buffer {
  const trailer = Buffer.alloc(trailerBytes)
  trailer.writeDoubleLE(footerOffset, 0)
  trailer.writeDoubleLE(fileBytes, 8)
  trailer.writeUInt32LE(packed.length, 16)
  trailer.writeUInt32LE(checksumAt(number, footerOffset, packed, trailer.subarray(0, 20)), 20)
  trailerMagic.copy(trailer, 24)
  return trailer
}

/**
 * Reads the footer of a segment by its trailer: three small reads. The number is as for SegmentFile.
 * Throws SegmentCorrupt, or SegmentVersionUnknown; `rescueFooter` knows what to do about the former.
 */
export function readFooter(path: string, number?: number, disk: Disk = realDisk): SegmentFooter {
  const read = (file: SegmentFile) => {
    checkFileHeader(file)
    const footer = readFooterBefore(file, file.fileBytes)
    if (footer.fileBytes === file.fileBytes) return footer
    const what = `the file has ${file.fileBytes} bytes, expected ${footer.fileBytes}`
    throw new SegmentCorrupt(path, file.fileBytes, what)
  }
  return withSegmentFile(path, number, read, disk)
}

/**
 * Reads the footer whose trailer ends at `end`. Its `fileBytes` is what the file had when it was
 * written. Throws SegmentCorrupt.
 */
export function readFooterBefore(file: SegmentFile, end: number): SegmentFooter {
  const trailerOffset = end - trailerBytes
  const fail = (what: string) => new SegmentCorrupt(file.path, Math.max(trailerOffset, 0), what)
  if (trailerOffset < fileHeaderBytes) throw fail('the file is too short for a segment')
  const trailer = file.read(trailerOffset, trailerBytes)
  if (!trailer.subarray(24).equals(trailerMagic)) throw fail('the file does not end as a segment')
  const offset = trailer.readDoubleLE(0)
  const bytes = trailer.readUInt32LE(16)
  const isAdjacent = offset >= fileHeaderBytes && offset === trailerOffset - bytes
  if (!isAdjacent) throw fail('the trailer is damaged')
  const packed = file.read(offset, bytes)
  const crc = checksumAt(file.number, offset, packed, trailer.subarray(0, 20))
  if (crc !== trailer.readUInt32LE(20)) throw fail('the footer is damaged')
  const { number, path } = file
  const fileBytes = trailer.readDoubleLE(8)
  return unpackFields(packed, { path, offset, what: 'the footer' }, fields => {
    return { number, fileBytes, ...unpackFooter(fields, offset) }
  })
}

function packFooter(
  info: FooterInfo,
  blocks: readonly BlockSummary[],
  runs: readonly RunSummary[],
): Buffer {
  const streamCodes = new Map<string, number>()
  const streams: string[] = []
  const packedBlocks = blocks.map(block => {
    const { service, environment } = block.stream
    const key = JSON.stringify([service, environment])
    let code = streamCodes.get(key)
    if (code === undefined) {
      code = streamCodes.size
      streamCodes.set(key, code)
      streams.push(service, environment)
    }
    const { offset, bytes, crc } = block.directory
    return [...packFacts(block), code, offset, bytes, crc, block.blockBytes]
  })
  const { journals, segments } = info.replaces
  const packedRuns = runs.flatMap(({ index, laterBytes, blockCount }) => {
    return [index.offset, index.bytes, index.crc, laterBytes, blockCount]
  })
  const { createdAt, group } = info
  return packFields([createdAt, journals, segments, group, streams, packedBlocks, packedRuns])
}

function unpackFooter(fields: Fields, footerOffset: number) {
  const createdAt = fields.integer()
  const replaces = { journals: unpackNumbers(fields), segments: unpackNumbers(fields) }
  const group = unpackNumbers(fields)
  const streams = fields.list().rest(pair => ({ service: pair.text(), environment: pair.text() }))
  const found = fields.list().rest(list => {
    const block = list.list()
    const facts = unpackFacts(block)
    const stream = block.oneOf(streams)
    const directory = { offset: block.natural(), bytes: block.natural(), crc: block.natural() }
    const blockBytes = block.natural()
    if (directory.offset + directory.bytes > footerOffset) {
      throw new RangeError('a block lies behind the footer')
    }
    return { ...facts, stream, directory, blockBytes }
  })
  // In format 1 the blocks are the last.
  const runs = fields.isAtEnd ? [] : fields.list().rest(run => unpackRun(run, footerOffset))
  return { createdAt, replaces, group, blocks: withSkipPlaces(found, runs), runs }
}

function unpackRun(fields: Fields, footerOffset: number): RunSummary {
  const index = { offset: fields.natural(), bytes: fields.natural(), crc: fields.natural() }
  const laterBytes = fields.natural()
  if (index.offset + index.bytes + laterBytes > footerOffset) {
    throw new RangeError('a skip index lies behind the footer')
  }
  return { index, laterBytes, blockCount: fields.natural() }
}

/** The blocks, with the places where the skip indexes of the runs tell of them. Throws a RangeError when
 *  there are runs and they are not of all blocks. */
export function withSkipPlaces(
  blocks: readonly Omit<BlockSummary, 'skip'>[],
  runs: readonly RunSummary[],
): BlockSummary[] {
  const places = runs.flatMap(({ index, blockCount }) => {
    if (blockCount > blocks.length) throw new RangeError('a run has more blocks than there are')
    return Array.from({ length: blockCount }, (_, block): SkipPlace => ({ index, block }))
  })
  const isOfAll = places.length === 0 || places.length === blocks.length
  if (!isOfAll) throw new RangeError(`runs of ${places.length} blocks, not ${blocks.length}`)
  return blocks.map((block, i) => ({ ...block, skip: places[i] }))
}

function unpackNumbers(fields: Fields): number[] {
  return fields.list().rest(number => number.natural())
}
