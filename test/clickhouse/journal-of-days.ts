/** A journal whose files all have records of the same days. */

import type { Test } from 'tap'
import { realDisk } from '../../src/disk/real-disk.ts'
import { listJournalFiles } from '../../src/journal/files.ts'
import { Journal } from '../../src/journal/journal.ts'
import { dayMs } from '../../src/time-units.ts'

/** When the first records were. */
export const firstDay = 1_700_000_000_000
export const [fileCount, recordsOfFile, days] = [12, 60, 3]

const stream = { service: 'checkout', environment: 'test' }

/** Closed files of a journal, each with records of several days. */
export async function writeJournal(t: Test, directory: string): Promise<readonly number[]> {
  const journal = openJournal(t, directory, {
    journalFileBytes: 1 << 20,
    journalFileRecords: recordsOfFile,
  })
  for (let file = 0; file < fileCount; file++) {
    await journal.appendWith(writer => {
      for (let i = 0; i < recordsOfFile; i++) {
        const timestamp = firstDay + (i % days) * dayMs
        const attributes = ['place', `${file}/${i}`]
        const level = i % 4 === 0 ? 'error' : 'info'
        writer.add({ timestamp, level, message: `m${i} of ${file}`, attributes }, stream)
      }
    })
  }
  await journal.close()
  return listJournalFiles(directory)
}

/** One file of so many frames that each insert of it is of several blocks, and the file one part. */
export async function writeLargeJournal(t: Test, directory: string): Promise<void> {
  const journal = openJournal(t, directory, {
    journalFileBytes: 64 << 20,
    journalFileRecords: 1_000_000,
  })
  for (let frame = 0; frame < 12; frame++) {
    await journal.appendWith(writer => {
      for (let i = 0; i < 5 * days; i++) {
        const timestamp = firstDay + (i % days) * dayMs
        const message = `${frame}/${i} `.repeat(6_000)
        writer.add({ timestamp, level: 'info', message, attributes: ['place', `${i}`] }, stream)
      }
    })
  }
  await journal.close()
}

interface FileBounds {
  readonly journalFileBytes: number
  readonly journalFileRecords: number
}

function openJournal(t: Test, directory: string, bounds: FileBounds): Journal {
  return new Journal({
    directory,
    disk: realDisk,
    config: {
      durability: 'disk',
      ...bounds,
      journalFileAgeMs: 60_000,
      pendingBytesMax: 4 << 20,
    },
    now: () => 0,
    freeBytes: async () => Number.POSITIVE_INFINITY,
    nextFile: 1,
    nextSequence: 0,
    onCommit() {},
    onFileClosed() {},
    onFatal: error => t.error(error),
  })
}
