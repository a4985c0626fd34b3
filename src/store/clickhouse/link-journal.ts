/** What a backup has of this store: the journal that ClickHouse has not, and under which name that goes. */
import { basename, join } from 'node:path'
import { journalPath } from '../../journal/files.ts'
import { linkOrCopy } from '../maintain/link-file.ts'
import { type LinkedParts, linkReceipts } from '../maintain/link-records.ts'
import { listReceiptFiles } from '../receipts/receipt-file.ts'
import { writePosition } from './position-file.ts'
import type { Shipper } from './shipper.ts'

interface JournalParts extends Omit<LinkedParts, 'segments'> {
  readonly shipper: Pick<Shipper, 'position'>
}

/** `directory` has `journal/` already. Rejects when the disk failed or is full. */
export async function linkJournal(parts: JournalParts, directory: string): Promise<void> {
  const { disk, paths, ranges, queries, journal, shipper } = parts
  const closedBelow = await journal.rotate()
  // From here on files in sight stay until `leave`, as for any query.
  const leave = queries.enter()
  try {
    const journals = [...ranges.files].filter(file => file < closedBelow)
    const position = { ...shipper.position, isCopy: true } as const
    const withReceipts = listReceiptFiles(paths.receipts, disk)
    for (const file of journals) {
      const path = journalPath(paths.journal, file)
      await linkOrCopy(path, join(directory, 'journal', basename(path)), disk)
    }
    await linkReceipts(parts, withReceipts, join(directory, 'receipts'))
    await writePosition(directory, position, disk)
  } finally {
    leave()
  }
}
