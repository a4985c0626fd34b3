/**
 * What of a data directory is its content, and what is not: a backup holds the first and nothing else.
 *
 * Content are catalog, key, of whom the catalog is a copy, journal, receipts and segments, and how far the
 * journal was sent. Not content are `LOCK`, the index (a cache), files that nobody finished, and
 * `quarantine/`: bytes that no start would read again.
 */
import assert from 'node:assert/strict'
import { join, relative } from 'node:path'
import type { Disk } from '../../disk/disk.ts'
import { realDisk } from '../../disk/real-disk.ts'
import { journalPath, listJournalFiles } from '../../journal/files.ts'
import { listSegments } from '../../segment/files.ts'
import { listReceiptFiles, receiptPath } from '../receipts/receipt-file.ts'

/** Rewritten for a copy; links to them could change behind its back. */
const catalogFiles = [
  ...['catalog.lmdb', 'secret.key', 'primary.json'],
  ...['clickhouse.json', 'moving.json'],
] as const

export interface DataFile {
  /** Below the data directory, with `/` on every system. */
  readonly path: string
  readonly bytes: number
  /** Whether it will never be written again, so that a hard link is as good as a copy. */
  readonly isFinal: boolean
}

/**
 * All content of a data directory, in order of paths. While a service runs on it, only of a snapshot:
 * otherwise files may come and go.
 */
export function listDataFiles(dataDir: string, disk: Disk = realDisk): DataFile[] {
  const catalog = catalogFiles
    .map(name => join(dataDir, name))
    .filter(path => disk.sizeSync(path) !== undefined)
  const journal = join(dataDir, 'journal')
  const journals =
    disk.sizeSync(journal) !== undefined
      ? listJournalFiles(journal, disk).map(file => journalPath(journal, file))
      : []
  const segments = listSegments(join(dataDir, 'segments'), disk).map(({ path }) => path)
  const receipts = join(dataDir, 'receipts')
  const ofReceipts = listReceiptFiles(receipts, disk).map(one => receiptPath(receipts, one))
  const describe = (isFinal: boolean) => (path: string) => ({
    path: relative(dataDir, path).replaceAll('\\', '/'),
    bytes: sizeOf(disk, path),
    isFinal,
  })
  return [
    ...catalog.map(describe(false)),
    ...[...journals, ...ofReceipts, ...segments].map(describe(true)),
  ]
}

function sizeOf(disk: Disk, path: string): number {
  const bytes = disk.sizeSync(path)
  assert(bytes !== undefined, 'a file that was listed is there')
  return bytes
}
