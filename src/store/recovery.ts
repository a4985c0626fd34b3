/**
 * What happens to the journal before the service takes events: files that an earlier process left are
 * read, so that queries see their records, and what cannot be read is reported and kept for a person.
 */
import fs from 'node:fs'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import { journalPath, listJournalFiles } from '../journal/files.ts'
import { type LostPart, recoverFile } from '../journal/recover.ts'
import type { Sequence } from '../record.ts'
import type { JournalRanges } from './journal-ranges.ts'

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

/** Files whose records are in segments already are deleted; the others come into sight. */
export function recoverJournal(
  paths: RecoveryPaths,
  replaced: ReadonlySet<number>,
  ranges: JournalRanges,
  logger: Logger,
): RecoveredJournal {
  const files: number[] = []
  let nextFile = 1
  let nextSequence: Sequence = 0
  const found = listJournalFiles(paths.journal)
  for (const [i, file] of found.entries()) {
    nextFile = file + 1
    const path = journalPath(paths.journal, file)
    if (replaced.has(file)) {
      fs.rmSync(path)
      continue
    }
    let recordCount = 0
    const { fileBytes, lost, headerFault } = recoverFile(path, file, 0, frame => {
      ranges.add([frame])
      recordCount += frame.header.recordCount
      nextSequence = Math.max(nextSequence, frame.header.firstSequence + frame.header.recordCount)
    })
    const name = basename(path)
    if (headerFault !== undefined) logger.warn({ file: name }, `journal file: ${headerFault}`)
    for (const part of lost) keepLostPart(paths.quarantine, path, part, logger)
    const figures = { file: name, of: found.length, number: i + 1, recordCount, bytes: fileBytes }
    logger.info({ ...figures, lostParts: lost.length }, 'journal file recovered')
    files.push(file)
  }
  return { files, nextFile, nextSequence }
}

/** Copies bytes that hold no intact frame to the quarantine, and says so. */
function keepLostPart(quarantine: string, path: string, part: LostPart, logger: Logger): void {
  const name = basename(path)
  const copy = join(quarantine, `${name}.${part.offset}`)
  fs.mkdirSync(quarantine, { recursive: true, mode: 0o700 })
  copyPart(path, copy, part)
  const what =
    part.kind === 'torn'
      ? 'the end of a journal file was cut off while it was written, or is damaged'
      : 'a part of a journal file is damaged and its records are lost'
  const { offset, bytes } = part
  logger.warn({ file: name, offset, bytes, keptAs: `quarantine/${basename(copy)}` }, what)
}

const copyBytes = 1024 * 1024

/** Copies a part of a file into a file of its own, overwriting what was there. */
export function copyPart(from: string, to: string, part: { offset: number; bytes: number }): void {
  const source = fs.openSync(from, 'r')
  const target = fs.openSync(to, 'w', 0o600)
  try {
    const buffer = Buffer.allocUnsafe(Math.min(copyBytes, part.bytes))
    for (let done = 0; done < part.bytes; ) {
      const wanted = Math.min(buffer.length, part.bytes - done)
      const read = fs.readSync(source, buffer, 0, wanted, part.offset + done)
      if (read === 0) break
      fs.writeSync(target, buffer, 0, read)
      done += read
    }
  } finally {
    fs.closeSync(source)
    fs.closeSync(target)
  }
}
