/**
 * Rewrites segments of older formats in the current one, one after the other, as compaction
 * does it with several: the new file, which names the old one as replaced, is on disk before that goes. So
 * it may be cut anywhere; the next start, or the next upgrade, continues from there.
 *
 * For a directory that no service has, and whose lock the caller holds.
 */
import type { Logger } from 'pino'
import type { Disk } from '../../disk/disk.ts'
import type { BlockIndex } from '../../index/block-index.ts'
import { journalPath, listJournalFiles } from '../../journal/files.ts'
import { checkFileHeader, formatVersion } from '../../segment/file-header.ts'
import { readFooter } from '../../segment/footer.ts'
import { rescueFooterOf } from '../../segment/rescue.ts'
import { unlessCorrupt } from '../../segment/segment-error.ts'
import { type SegmentFile, withSegmentFile } from '../../segment/segment-file.ts'
import { crashPoint } from '../crash-point.ts'
import { realGround, type StoreGround } from '../ground.ts'
import { makeStoreDirectories } from '../store-directories.ts'
import { type LiveSegment, openSegments } from '../view/segments.ts'
import type { WrittenSegment } from './seal.ts'

export interface UpgradeOptions {
  readonly dataDir: string
  /** What the directory's recovery has to say. */
  readonly logger: Logger
  /** Told before each segment. */
  readonly onProgress: (progress: UpgradeProgress) => void
  /** Ends it after the segment under way. */
  readonly signal: AbortSignal
  /** Other things to stand on, for tests. */
  readonly ground?: Pick<StoreGround, 'disk' | 'openIndex' | 'newSealThread'>
}

export interface UpgradeProgress {
  /** Segments of older formats, and their bytes. */
  readonly total: number
  readonly totalBytes: number
  /** Those among them that are done with, upgraded or not. */
  readonly done: number
  readonly doneBytes: number
}

export interface UpgradeReport {
  /** Segments of whatever format. */
  readonly segments: number
  /** Those of older formats. */
  readonly found: number
  readonly upgraded: number
  /** Of the upgraded ones, before and after. */
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** Those that could not be read, or rewritten, and stay as they are. */
  readonly left: readonly LeftSegment[]
  /** There was no space for the last of them, and the rest was not tried. */
  readonly isDiskFull: boolean
}

export interface LeftSegment {
  readonly path: string
  readonly reason: string
}

/** Throws SegmentVersionUnknown for a segment of a newer format, and what the file system throws. */
export async function upgradeSegments(options: UpgradeOptions): Promise<UpgradeReport> {
  const { dataDir, logger, signal, onProgress, ground = realGround } = options
  const { disk } = ground
  const paths = await makeStoreDirectories(dataDir, disk)
  const openedIndex = await ground.openIndex(dataDir, logger)
  const { index } = openedIndex
  const thread = ground.newSealThread()
  try {
    const { segments, replacedJournals, nextNumber } = await openSegments(
      paths,
      openedIndex,
      logger,
      disk,
    )
    await removeReplaced(paths.journal, replacedJournals, disk)
    const all = [...segments.all].sort((a, b) => a.number - b.number)
    const old = all.filter(segment => isOld(segment, disk))
    const bytesOf = (list: readonly LiveSegment[]) =>
      list.reduce((sum, { bytes }) => sum + bytes, 0)
    const totals = { total: old.length, totalBytes: bytesOf(old) }
    const upgraded = { before: [] as LiveSegment[], bytesAfter: 0 }
    const left: LeftSegment[] = []
    let isDiskFull = false
    for (const [done, segment] of old.entries()) {
      if (signal.aborted || isDiskFull) break
      onProgress({ ...totals, done, doneBytes: bytesOf(old.slice(0, done)) })
      const { path, number, day, madeAt: createdAt } = segment
      if (segments.damaged.has(number)) {
        left.push({ path, reason: 'a block of it is known to be damaged' })
        continue
      }
      const written = await thread.compact({
        segments: [{ path, number }],
        day,
        directory: paths.segments,
        number: nextNumber + done,
        // When its records were first sealed: the machine's clock may be any by now.
        createdAt,
      })
      if ('failure' in written) {
        left.push({ path, reason: written.reason })
        isDiskFull = written.failure === 'disk-full'
        continue
      }
      crashPoint('upgrade:written')
      await replace(segment, written[0]!, index, disk)
      crashPoint('upgrade:removed')
      upgraded.before.push(segment)
      upgraded.bytesAfter += written[0]!.footer.fileBytes
    }
    return {
      segments: all.length,
      found: old.length,
      upgraded: upgraded.before.length,
      bytesBefore: bytesOf(upgraded.before),
      bytesAfter: upgraded.bytesAfter,
      left,
      isDiskFull,
    }
  } finally {
    await thread.close()
    await index.close()
  }
}

/**
 * Removes journal files whose records are in segments, as each start does. Segments that were sealed
 * together from one count only together while it is there, and an upgrade takes them apart.
 */
async function removeReplaced(
  directory: string,
  replaced: ReadonlySet<number>,
  disk: Disk,
): Promise<void> {
  for (const file of listJournalFiles(directory, disk)) {
    if (replaced.has(file)) disk.removeSync(journalPath(directory, file))
  }
  await disk.syncDirectory(directory)
}

function isOld({ path, number }: LiveSegment, disk: Disk): boolean {
  const look = (file: SegmentFile) => {
    const format = unlessCorrupt(() => checkFileHeader(file))
    if (format !== undefined) return format < formatVersion
    return rescueFooterOf(file).footer.runs.length === 0
  }
  return withSegmentFile(path, number, look, disk)
}

/** Puts a segment that is on disk into the index, and takes the one out that it replaces, with its file. */
async function replace(
  { path, number }: LiveSegment,
  { path: newPath, footer }: WrittenSegment,
  index: BlockIndex,
  disk: Disk,
): Promise<void> {
  const { blocks } = readFooter(path, number, disk)
  try {
    await index.addSegment(footer.number, footer.blocks)
  } catch (error) {
    disk.removeSync(newPath) // As if it had not been tried.
    throw error
  }
  crashPoint('upgrade:indexed')
  await index.removeSegments(new Map([[number, blocks]]))
  await disk.removeDurably(path)
}
