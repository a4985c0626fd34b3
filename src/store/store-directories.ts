/** The directories of the store below a data directory. */
import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { syncAncestors } from '../disk/sync-ancestors.ts'

export interface StorePaths {
  readonly journal: string
  readonly segments: string
  readonly quarantine: string
  /** Made with the first file in it. */
  readonly receipts: string
}

/** Makes the directories that are missing, and the names of all of them durable. */
export async function makeStoreDirectories(dataDir: string, disk: Disk): Promise<StorePaths> {
  const paths = {
    journal: join(dataDir, 'journal'),
    segments: join(dataDir, 'segments'),
    quarantine: join(dataDir, 'quarantine'),
    receipts: join(dataDir, 'receipts'),
  }
  for (const path of [paths.journal, paths.segments]) disk.makeDirectorySync(path)
  // Each time: a process that was killed may have made directories, also for days, and not lived to
  // sync their names. Without them a power cut would take all that is in them.
  await syncAncestors(disk, dataDir)
  for (const path of [dataDir, paths.segments]) await disk.syncDirectory(path)
  return paths
}
