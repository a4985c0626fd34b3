/** A journal whose files all have records of the same days. */

import type { Test } from 'tap'
import { realDisk } from '../../src/disk/real-disk.ts'
import { listJournalFiles } from '../../src/journal/files.ts'
import { Journal } from '../../src/journal/journal.ts'
import { dayMs } from '../../src/time-units.ts'

/** When the first records were. */
export const firstDay = 1_700_000_000_000
export const [fileCount, recordsOfFile, days] = [12, 60, 3]

/** Closed files of a journal, each with records of several days. */
export async function writeJournal(t: Test, directory: string): Promise<readonly number[]> {
  const journal = new Journal({
    directory,
    disk: realDisk,
    config: {
      durability: 'disk',
      journalFileBytes: 1 << 20,
      journalFileRecords: recordsOfFile,
      journalFileAgeMs: 60_000,
      pendingBytesMax: 1 << 20,
    },
    now: () => 0,
    freeBytes: async () => Number.POSITIVE_INFINITY,
    nextFile: 1,
    nextSequence: 0,
    onCommit() {},
    onFileClosed() {},
    onFatal: error => t.error(error),
  })
  for (let file = 0; file < fileCount; file++) {
    await journal.appendWith(writer => {
      for (let i = 0; i < recordsOfFile; i++) {
        const timestamp = firstDay + (i % days) * dayMs
        const attributes = ['place', `${file}/${i}`]
        const level = i % 4 === 0 ? 'error' : 'info'
        const stream = { service: 'checkout', environment: 'test' }
        writer.add({ timestamp, level, message: `m${i} of ${file}`, attributes }, stream)
      }
    })
  }
  await journal.close()
  return listJournalFiles(directory)
}
