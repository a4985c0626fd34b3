/**
 * A segment's blocks summed up in a few numbers, which show whether the index says of a segment
 * what its footer says, without holding both.
 */
import { crc32 } from 'node:zlib'
import type { RecordTimes } from '../record.ts'
import type { SkipPlace } from '../segment/skip/skip-index.ts'

/** All that a query learns of a block from the index, or from a footer. */
export interface BlockSummary extends RecordTimes {
  readonly stream: { readonly service: string; readonly environment: string }
  /** Level and count in turn. */
  readonly levelCounts: readonly (string | number)[]
  readonly directory: { readonly offset: number; readonly bytes: number; readonly crc: number }
  readonly blockBytes: number
  readonly skip: SkipPlace | undefined
}

export interface SegmentSummary {
  readonly blockCount: number
  readonly recordCount: number
  /** Over everything that is recorded of its blocks, in any order. */
  readonly checksum: number
}

export const emptySummary: SegmentSummary = { blockCount: 0, recordCount: 0, checksum: 0 }

/** The summary with one block more. */
export function withBlock(summary: SegmentSummary, block: BlockSummary): SegmentSummary {
  return {
    blockCount: summary.blockCount + 1,
    recordCount: summary.recordCount + block.recordCount,
    // A sum, because the index has its entries in another order than a footer.
    checksum: (summary.checksum + checksumOf(block)) % 2 ** 32,
  }
}

/** Whether two summaries are of the same blocks, as far as sums of CRC-32 tell. */
export function isSameSummary(one: SegmentSummary, other: SegmentSummary): boolean {
  return (
    one.blockCount === other.blockCount &&
    one.recordCount === other.recordCount &&
    one.checksum === other.checksum
  )
}

function checksumOf(block: BlockSummary): number {
  const { stream, minTimestamp, maxTimestamp, recordCount, levelCounts, directory, skip } = block
  const { offset, bytes, crc } = directory
  const times = `${minTimestamp},${maxTimestamp}`
  const { index } = skip ?? {}
  const ofSkip = `${index?.offset},${index?.bytes},${index?.crc},${skip?.block}`
  const place = `${offset},${bytes},${crc},${block.blockBytes},${ofSkip}`
  const names = `${stream.service}\0${stream.environment}`
  return crc32(`${names}\0${times},${place},${recordCount},${levelCounts.join()}`)
}
