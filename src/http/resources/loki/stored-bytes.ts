/**
 * How many bytes records are. The index knows numbers of records and not of bytes, so these are taken in
 * the share of the records: as stored, compressed, on the average of all records. For Loki, too, they
 * are an estimate by which people compare services.
 */

import type { StoreDoor } from '../../dependencies.ts'

/** Of all records, on the average; 0 when there are none. */
export function storedBytesPerRecord(store: Pick<StoreDoor, 'stats'>): number {
  const { journalBytes, journalRecords, segmentBytes, segmentRecords } = store.stats()
  const records = journalRecords + segmentRecords
  return records === 0 ? 0 : (journalBytes + segmentBytes) / records
}
