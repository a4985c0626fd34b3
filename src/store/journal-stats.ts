/** What a store says of its journal. */
import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import type { Journal } from '../journal/journal.ts'
import type { StoreStats } from './store.ts'
import type { JournalRanges } from './view/journal-ranges.ts'

interface JournalParts {
  readonly disk: Disk
  readonly paths: { readonly journal: string }
  readonly journal: Pick<Journal, 'stats'>
  readonly ranges: JournalRanges
}

type JournalStats = Pick<
  StoreStats,
  | 'journalRecords'
  | 'journalFiles'
  | 'journalBytes'
  | 'pendingBytes'
  | 'commitCount'
  | 'lastCommitMs'
>

export function journalStats({ disk, paths, journal, ranges }: JournalParts): JournalStats {
  const { pendingBytes, commitCount, lastCommitMs } = journal.stats()
  // A file may be deleted between being listed and being looked at.
  const sizes = disk.listSync(paths.journal).map(name => disk.sizeSync(join(paths.journal, name)))
  return {
    journalRecords: ranges.recordCount,
    journalFiles: sizes.length,
    journalBytes: sizes.reduce<number>((total, size) => total + (size ?? 0), 0),
    pendingBytes,
    commitCount,
    lastCommitMs,
  }
}
