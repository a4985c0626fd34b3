/**
 * What a segment's blocks come to, in a few numbers: by them it is known whether the index says of a segment
 * what its footer says, without holding both.
 */
import { crc32 } from 'node:zlib'
import type { Timestamp } from '../record.ts'
import type { SkipPlace } from '../segment/skip/skip-index.ts'

/** All that a query learns of a block from the index, or from a footer. */
export interface BlockFigures {
  readonly stream: { readonly service: string; readonly environment: string }
  readonly minTimestamp: Timestamp
  readonly maxTimestamp: Timestamp
  readonly recordCount: number
  /** Level and count in turn. */
  readonly levelCounts: readonly (string | number)[]
  readonly directory: { readonly offset: number; readonly bytes: number; readonly crc: number }
  readonly blockBytes: number
  readonly skip: SkipPlace | undefined
}

export interface SegmentFigures {
  readonly blockCount: number
  readonly recordCount: number
  /** Of everything that is said of its blocks, in whatever order. */
  readonly checksum: number
}

export const noFigures: SegmentFigures = { blockCount: 0, recordCount: 0, checksum: 0 }

/** The figures with one block more. */
export function withBlock(figures: SegmentFigures, block: BlockFigures): SegmentFigures {
  return {
    blockCount: figures.blockCount + 1,
    recordCount: figures.recordCount + block.recordCount,
    // A sum, because the index has its entries in another order than a footer.
    checksum: (figures.checksum + checksumOf(block)) % 2 ** 32,
  }
}

export function sameFigures(one: SegmentFigures, other: SegmentFigures): boolean {
  return (
    one.blockCount === other.blockCount &&
    one.recordCount === other.recordCount &&
    one.checksum === other.checksum
  )
}

function checksumOf(block: BlockFigures): number {
  const { stream, minTimestamp, maxTimestamp, recordCount, levelCounts, directory, skip } = block
  const { offset, bytes, crc } = directory
  const times = `${minTimestamp},${maxTimestamp}`
  const { index } = skip ?? {}
  const ofSkip = `${index?.offset},${index?.bytes},${index?.crc},${skip?.block}`
  const place = `${offset},${bytes},${crc},${block.blockBytes},${ofSkip}`
  const names = `${stream.service}\0${stream.environment}`
  return crc32(`${names}\0${times},${place},${recordCount},${levelCounts.join()}`)
}
