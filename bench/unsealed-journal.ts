/** Makes journal files as a service leaves them that was killed before it could seal any. */

import { realDisk } from '../src/disk/real-disk.ts'
import { parseEvent } from '../src/ingest/json.ts'
import { normalise } from '../src/ingest/normalise.ts'
import { BatchWriter, type EncodedBatch } from '../src/journal/batch-writer.ts'
import { Journal } from '../src/journal/journal.ts'
import { makeRecords } from './records.ts'
import { streams } from './streams.ts'

/** Different records made; they are written over and over. */
const madeRecords = 50_000
/** Written at a time. */
const groupBytes = 4_000_000
const fileBytes = 32 * 1024 * 1024

export interface UnsealedJournal {
  readonly bytes: number
  readonly records: number
  readonly frames: number
}

/** Fills `directory`, which has no journal files, with `bytes` bytes in frames of so many records. */
export async function writeUnsealedJournal(
  directory: string,
  bytes: number,
  recordsPerFrame: number,
  seed: number,
): Promise<UnsealedJournal> {
  const batches = encodeBatches(recordsPerFrame, seed)
  const journal = new Journal({
    directory,
    disk: realDisk,
    config: {
      durability: 'written',
      journalFileBytes: fileBytes,
      journalFileRecords: 2 ** 19,
      journalFileAgeMs: Number.MAX_SAFE_INTEGER,
      pendingBytesMax: Number.MAX_SAFE_INTEGER,
    },
    now: Date.now,
    freeBytes: async () => Number.POSITIVE_INFINITY,
    nextFile: 1,
    nextSequence: 0,
    onCommit: () => undefined,
    onFileClosed: () => undefined,
    onFatal: error => {
      throw error
    },
  })
  let records = 0
  let frames = 0
  while (journal.stats().writtenBytes < bytes) {
    const group: EncodedBatch[] = []
    for (let size = 0; size < groupBytes; frames++) {
      const batch = batches[frames % batches.length]!
      group.push(batch)
      size += batch.payload.length
      records += batch.recordCount
    }
    await journal.appendBatches(group)
  }
  const { writtenBytes } = journal.stats()
  await journal.close()
  return { bytes: writtenBytes, records, frames }
}

function encodeBatches(recordsPerFrame: number, seed: number): EncodedBatch[] {
  const batches: EncodedBatch[] = []
  const identities = streams.map(({ service, environment }) => ({ service, environment }))
  let writer = new BatchWriter()
  for (const { json, stream } of makeRecords({ seed, count: madeRecords })) {
    const context = { receivedAt: 0, timestampField: 'ts' }
    writer.add(normalise(parseEvent(Buffer.from(json)), context), identities[stream]!)
    if (writer.recordCount < recordsPerFrame) continue
    batches.push(writer.encode())
    writer = new BatchWriter()
  }
  return batches
}
