/** What a scrub thread is asked to do: to read what is at rest, and say what of it is damaged. */
import type { Disk } from '../../disk/disk.ts'
import { readAt } from '../../disk/read.ts'
import { IndexFormatUnknown, readIndexFile } from '../../index/index-file.ts'
import type { SegmentSummary } from '../../index/segment-summary.ts'
import type { BlockRef } from '../../index/source.ts'
import { type FrameSpan, findMagic, frameHeaderBytes, readFrame } from '../../journal/frame.ts'
import { LmdbDamaged } from '../../lmdb/tree.ts'
import { SegmentCorrupt } from '../../segment/segment-error.ts'
import { withSegmentFile } from '../../segment/segment-file.ts'
import { faultsOfEnds, verifyBlock } from '../../segment/verify.ts'

/** The file cannot be read: the name of the error. (Its class does not survive the way between threads.) */
export interface Unreadable {
  readonly unreadable: string
}

/** What the index says of each segment; or why it cannot be relied on. */
export type IndexReport = ReadonlyMap<number, SegmentSummary> | { readonly fault: string }

export interface SegmentPart {
  readonly path: string
  readonly segment: number
  /** Blocks that begin before are left aside; from 0 on header and footers are looked at too. */
  readonly from: number
  /** The part ends with the block that reaches it. */
  readonly bytesMax: number
}

export interface SegmentReport {
  readonly bytes: number
  /** Where to continue; undefined at the end of the segment. */
  readonly next: number | undefined
  readonly damagedBlocks: readonly { readonly source: BlockRef; readonly reason: string }[]
  /** What is wrong with the file's ends, where each thing appears twice: nothing is lost by it. */
  readonly fault: string | undefined
}

export interface JournalPart extends FrameSpan {
  readonly path: string
}

/** Bytes that hold no intact frame, and held one when they were written. */
export interface DamagedPart {
  readonly offset: number
  readonly bytes: number
}

export interface JournalReport {
  readonly damaged: readonly DamagedPart[]
}

/** Throws what the file system throws. */
export function scrubIndex(path: string): IndexReport {
  try {
    return readIndexFile(path).segments
  } catch (error) {
    if (!(error instanceof LmdbDamaged || error instanceof IndexFormatUnknown)) throw error
    return { fault: error.message }
  }
}

/** Reads a part of a segment. */
export function scrubSegment(part: SegmentPart, disk: Disk): SegmentReport | Unreadable {
  return orUnreadable(() => readSegment(part, disk))
}

/** Reads frames that follow each other. */
export function scrubJournal(part: JournalPart, disk: Disk): JournalReport | Unreadable {
  return orUnreadable(() => readJournal(part, disk))
}

function orUnreadable<Report>(read: () => Report): Report | Unreadable {
  try {
    return read()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === undefined || syscall === undefined) throw error
    return { unreadable: code }
  }
}

/** Throws what the file system throws. */
function readSegment(part: SegmentPart, disk: Disk): SegmentReport {
  const { path, segment, from, bytesMax } = part
  try {
    return withSegmentFile(
      path,
      segment,
      file => {
        const { footer, faults: ends, endBytes } = faultsOfEnds(file)
        const damagedBlocks: { source: BlockRef; reason: string }[] = []
        let bytes = endBytes
        let next: number | undefined
        for (const block of footer.blocks) {
          const { directory, blockBytes, skip } = block
          const start = directory.offset + directory.bytes - blockBytes
          if (start < from) continue
          if (bytes >= bytesMax) {
            next = start
            break
          }
          const [fault] = verifyBlock(file, block)
          bytes += blockBytes
          if (fault === undefined) continue
          const source = { kind: 'block', segment, directory, bytes: blockBytes, skip } as const
          damagedBlocks.push({ source, reason: fault.what })
        }
        const fault = from === 0 ? ends[0]?.what : undefined
        return { bytes, next, damagedBlocks, fault }
      },
      disk,
    )
  } catch (error) {
    if (!(error instanceof SegmentCorrupt)) throw error
    return { bytes: 0, next: undefined, damagedBlocks: [], fault: error.what }
  }
}

/** Throws what the file system throws. */
function readJournal({ path, file, offset, bytes }: JournalPart, disk: Disk): JournalReport {
  const input = disk.openSync(path)
  try {
    const content = readAt(input, offset, bytes)
    const damaged: DamagedPart[] = []
    let at = 0
    while (at < content.length) {
      const frame = readFrame(content, at, file, offset)
      if (typeof frame === 'object') {
        at += frameHeaderBytes + frame.payload.length
        continue
      }
      const end = nextFrame(content, at + 1, file, offset)
      damaged.push({ offset: offset + at, bytes: end - at })
      at = end
    }
    if (content.length < bytes) {
      damaged.push({ offset: offset + content.length, bytes: bytes - content.length })
    }
    return { damaged }
  } finally {
    input.close()
  }
}

/** Where the next intact frame begins, or the content ends. */
function nextFrame(content: Buffer, from: number, file: number, offset: number): number {
  for (let at = findMagic(content, from); at !== -1; at = findMagic(content, at + 1)) {
    if (typeof readFrame(content, at, file, offset) === 'object') return at
  }
  return content.length
}
