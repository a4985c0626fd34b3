/** What a data directory takes on the disk, and how to say it. */
import { readdirSync, statSync } from 'node:fs'
import type { StoreMetrics } from './store-metrics.ts'
import { whole } from './table.ts'

/** As the file system counts it, in blocks of 512 bytes (stat(2)): LMDB's files have holes. */
const statBlockBytes = 512

export function diskBytes(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .reduce(
      (sum, file) => sum + statSync(`${file.parentPath}/${file.name}`).blocks * statBlockBytes,
      0,
    )
}

/** One line: where the records are and what they take. */
export function describeStore(figures: StoreMetrics, directory: string): string {
  const { segmentRecords, segmentFiles, segmentBlocks, segmentBytes, journalRecords } = figures
  const records = segmentRecords + journalRecords
  const perRecord = (bytes: number) => (bytes / records).toFixed(1)
  return (
    `${whole(segmentRecords)} of ${whole(records)} records are in ${whole(segmentFiles)} segments ` +
    `with ${whole(segmentBlocks)} blocks: ${perRecord(segmentBytes)} bytes per record ` +
    `(to reach: 45), ${perRecord(diskBytes(directory))} with the index and all else`
  )
}
