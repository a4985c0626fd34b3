/** Segments read back record by record, for the tests of what writes them. */

import fs from 'node:fs'
import fc from 'fast-check'
import type { Sequence, Stream } from '../../../src/record.ts'
import { BlockColumns } from '../../../src/segment/block-columns.ts'
import { openBlock } from '../../../src/segment/block-reader.ts'
import { withSegmentFile } from '../../../src/segment/segment-file.ts'
import type { WrittenSegment } from '../../../src/store/maintain/seal.ts'
import { dayMs } from '../../../src/time-units.ts'
import { arbitraryRecord, checkout, comparable, search } from '../../journal/records.ts'
import type { StreamRecord } from '../../segment/sealed.ts'

/** A record as it stands in a block; its attributes in order of name. */
export interface SealedRecord {
  readonly stream: Stream
  readonly sequence: Sequence
  readonly record: unknown
}

/** The records of each block of a segment, in the order in which they stand. */
export function blocksOf({ path, footer }: WrittenSegment): SealedRecord[][] {
  return withSegmentFile(path, footer.number, file =>
    footer.blocks.map(({ directory, recordCount }) => {
      const reader = openBlock(file, directory)
      const block = new BlockColumns(reader.directory, () => reader)
      const stream = block.streams[0]!
      return Array.from({ length: recordCount }, (_, row) => ({
        stream,
        sequence: block.sequence(row),
        record: comparable(block.record(row)),
      }))
    }),
  )
}

/** All records of some segments, in order of arrival. */
export function recordsOf(segments: readonly WrittenSegment[]): SealedRecord[] {
  return segments
    .flatMap(segment => blocksOf(segment).flat())
    .sort((a, b) => a.sequence - b.sequence)
}

/** What `recordsOf` must give for what `writeJournal` wrote: it counts arrivals from 1. */
export function arrived(lists: readonly (readonly StreamRecord[])[]): SealedRecord[] {
  return lists.flat().map(({ stream, ...record }, i) => ({
    stream,
    sequence: i + 1,
    record: comparable(record),
  }))
}

const timestamp = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -2 * dayMs, max: 2 * dayMs }) },
  { weight: 2, arbitrary: fc.constantFrom(-1, 0, dayMs - 1, dayMs) },
  { weight: 1, arbitrary: fc.integer({ min: -8.64e15, max: 8.64e15 }) },
)

const arbitraryStreamRecord: fc.Arbitrary<StreamRecord> = fc
  .tuple(arbitraryRecord, timestamp, fc.constantFrom(checkout, search))
  .map(([record, timestamp, stream]) => ({ ...record, timestamp, stream }))

/** Up to 30 records of two streams, mostly of a few days, in no order of time. */
export const arbitraryFrames: fc.Arbitrary<StreamRecord[][]> = fc.array(
  fc.array(arbitraryStreamRecord, { minLength: 1, maxLength: 10 }),
  { minLength: 1, maxLength: 3 },
)

/** Names of the files below a directory. */
export function filesIn(directory: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(seg|tmp|log)$/.test(name))
    .sort()
}
