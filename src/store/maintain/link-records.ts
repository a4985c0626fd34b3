/** Links the files of all records that were acknowledged so far into a directory laid out as ours. */
import { basename, join } from 'node:path'
import { journalPath } from '../../journal/files.ts'
import type { Journal } from '../../journal/journal.ts'
import { listReceiptFiles, receiptPath } from '../receipts/receipt-file.ts'
import type { SharedParts } from '../store-parts.ts'
import type { Segments } from '../view/segments.ts'
import { linkOrCopy } from './link-file.ts'

export interface LinkedParts extends Pick<SharedParts, 'disk' | 'ranges' | 'queries'> {
  readonly paths: { readonly journal: string; readonly receipts: string }
  readonly segments: Segments
  readonly journal: Pick<Journal, 'rotate'>
}

/** `directory` has `journal/` and `segments/` already. Rejects when the disk failed or is full. */
export async function linkRecords(parts: LinkedParts, directory: string): Promise<void> {
  const { disk, paths, segments, ranges, queries, journal } = parts
  const closedBelow = await journal.rotate()
  // From here to the end of the lists in one turn of the event loop: what is sealed leaves the one and
  // enters the other at the same moment. Files in sight stay until `leave`, as for any query.
  const leave = queries.enter()
  try {
    const journals = [...ranges.files].filter(file => file < closedBelow)
    const sealed = [...segments.all]
    const withReceipts = listReceiptFiles(paths.receipts, disk)
    for (const file of journals) {
      const path = journalPath(paths.journal, file)
      await linkOrCopy(path, join(directory, 'journal', basename(path)), disk)
    }
    for (const { path, day } of sealed) {
      const folder = join(directory, 'segments', day)
      disk.makeDirectorySync(folder)
      await linkOrCopy(path, join(folder, basename(path)), disk)
    }
    await linkReceipts(parts, withReceipts, join(directory, 'receipts'))
  } finally {
    leave()
  }
}

/** Receipts of sealed journal files; those that are forgotten meanwhile may be missing. */
export async function linkReceipts(
  { disk, paths }: Pick<LinkedParts, 'disk' | 'paths'>,
  journals: readonly number[],
  directory: string,
): Promise<void> {
  if (journals.length > 0) disk.makeDirectorySync(directory)
  for (const journal of journals) {
    const path = receiptPath(paths.receipts, journal)
    try {
      await linkOrCopy(path, join(directory, basename(path)), disk)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}
