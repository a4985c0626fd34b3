/** Batches of rows, for collectors to be filled from. */
import { Batch } from '../../../src/journal/batch-reader.ts'
import { BatchWriter } from '../../../src/journal/batch-writer.ts'
import type { Stored } from './plain.ts'

/** `firstSequence`: of the first row; the others follow it. */
export function batchOf(rows: readonly Stored[], firstSequence = 1): Batch {
  const writer = new BatchWriter()
  for (const { record, stream } of rows) writer.add(record, stream)
  const { payload, recordCount, minTimestamp, maxTimestamp } = writer.encode()
  const header = { payloadBytes: payload.length, recordCount, minTimestamp, maxTimestamp }
  return new Batch({ header: { ...header, firstSequence }, payload })
}
