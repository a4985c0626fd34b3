/**
 * What happens to the journal before the service takes events: files that an earlier process left are
 * read, so that queries see their records, and what cannot be read is reported and kept for a person.
 */
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import type { Disk } from '../disk/disk.ts'
import { readAt } from '../disk/read.ts'
import { ReadWindow } from '../disk/read-window.ts'
import type { BlockIndex } from '../index/block-index.ts'
import { journalPath, listJournalFiles } from '../journal/files.ts'
import { receiptsOfBatch } from '../journal/receipts.ts'
import { type LostPart, type RecoveredFrame, recoverFile } from '../journal/recover.ts'
import { RecoveredRanges } from '../journal/recovered-ranges.ts'
import type { Sequence } from '../record.ts'
import type { Receipts } from './receipts/receipts.ts'
import type { JournalRanges } from './view/journal-ranges.ts'

export interface RecoveryPaths {
  readonly journal: string
  readonly quarantine: string
}

export interface RecoveredJournal {
  /** Files with records, oldest first: to be sealed. */
  readonly files: readonly number[]
  readonly nextFile: number
  readonly nextSequence: Sequence
}

/** Files whose records are in segments already are deleted; the others come into sight, and `receipts` is
 *  given theirs. */
export function recoverJournal(
  paths: RecoveryPaths,
  replaced: ReadonlySet<number>,
  ranges: JournalRanges,
  logger: Logger,
  disk: Disk,
  receipts: Pick<Receipts, 'note'>,
): RecoveredJournal {
  const files: number[] = []
  let nextFile = 1
  let nextSequence: Sequence = 0
  const found = listJournalFiles(paths.journal, disk)
  const window = new ReadWindow()
  const recovered = new RecoveredRanges(range => ranges.addWhole(range))
  for (const [i, file] of found.entries()) {
    nextFile = file + 1
    const path = journalPath(paths.journal, file)
    if (replaced.has(file)) {
      disk.removeSync(path)
      continue
    }
    let recordCount = 0
    const note = (frame: RecoveredFrame) => {
      recovered.add(frame)
      const ofFrame = receiptsOfBatch(frame.payload)
      if (ofFrame !== undefined) receipts.note(ofFrame)
      recordCount += frame.header.recordCount
      nextSequence = Math.max(nextSequence, frame.header.firstSequence + frame.header.recordCount)
    }
    const { fileBytes, lost, headerFault } = recoverFile(path, file, 0, note, disk, window)
    recovered.end()
    const name = basename(path)
    if (headerFault !== undefined) logger.warn({ file: name }, `journal file: ${headerFault}`)
    for (const part of lost) keepLostPart(paths.quarantine, path, part, logger, disk)
    const details = { file: name, of: found.length, number: i + 1, recordCount, bytes: fileBytes }
    logger.info({ ...details, lostParts: lost.length }, 'journal file recovered')
    files.push(file)
  }
  return { files, nextFile, nextSequence }
}

/** Says which journal files are gone that no segment has replaced: their records are lost. */
export async function noticeMissingJournals(
  index: Pick<BlockIndex, 'journals' | 'noteJournal'>,
  files: readonly number[],
  replaced: ReadonlySet<number>,
  logger: Logger,
): Promise<void> {
  for (const file of index.journals()) {
    if (files.includes(file)) continue
    if (!replaced.has(file)) {
      const name = journalPath('', file)
      logger.error({ file: name }, `journal file ${name} is missing and its records are gone`)
    }
    await index.noteJournal(file, false)
  }
}

/** Copies bytes that hold no intact frame to the quarantine, and says so. */
export function keepLostPart(
  quarantine: string,
  path: string,
  part: LostPart,
  logger: Logger,
  disk: Disk,
): void {
  const name = basename(path)
  const copy = join(quarantine, `${name}.${part.offset}`)
  disk.makeDirectorySync(quarantine)
  copyPart(path, copy, part, disk)
  const what =
    part.kind === 'torn'
      ? 'the end of a journal file was cut off while it was written, or is damaged'
      : 'a part of a journal file is damaged and its records are lost'
  const { offset, bytes } = part
  logger.warn({ file: name, offset, bytes, keptAs: `quarantine/${basename(copy)}` }, what)
}

const copyBytes = 1024 * 1024

/** Copies a part of a file into a file of its own, overwriting what was there. */
export function copyPart(
  from: string,
  to: string,
  part: { readonly offset: number; readonly bytes: number },
  disk: Disk,
): void {
  const source = disk.openSync(from)
  try {
    const target = disk.createSync(to)
    try {
      for (let done = 0; done < part.bytes; ) {
        const wanted = Math.min(copyBytes, part.bytes - done)
        const bytes = readAt(source, part.offset + done, wanted)
        if (bytes.length === 0) break
        target.write(bytes)
        done += bytes.length
      }
    } finally {
      target.close()
    }
  } finally {
    source.close()
  }
}
