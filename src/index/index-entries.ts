/**
 * The layout of the index in LMDB: the names of its databases, their keys and values, and which values are
 * right. (`block-index.ts` draws what is in them.)
 */
import { crc32 } from 'node:zlib'
import type { Sequence, Timestamp } from '../record.ts'
import type { BlockSummary } from './segment-summary.ts'

export const formatVersion = 4

/** In the root. */
export const rootKeys = { format: 'format', retired: 'retired' } as const

export const databaseNames = {
  streams: 'streams',
  blocks: 'blocks',
  segments: 'segments',
  journals: 'journals',
} as const

export type BlockKey = [
  stream: number,
  minTimestamp: Timestamp,
  segment: number,
  directoryOffset: number,
]

export type BlockValue = [
  maxTimestamp: Timestamp,
  directoryBytes: number,
  directoryChecksum: number,
  blockBytes: number,
  recordCount: number,
  /** Zeros where no skip index describes the block. */
  skipOffset: number,
  skipBytes: number,
  skipChecksum: number,
  skipBlock: number,
  ...levelCounts: (string | number)[],
]

export type StreamKey = [service: string, environment: string]
export type StreamValue = [id: number, spanMsMax: number]

/** What deleted segments and records were numbered below; what no footer says any more, so checked. */
export interface Retired {
  readonly nextNumber: number
  readonly nextSequence: Sequence
}

export type RetiredValue = [nextNumber: number, nextSequence: Sequence, checksum: number]

/** As the index stores which numbers are never used again, with a checksum. */
export function retiredValue({ nextNumber, nextSequence }: Retired): RetiredValue {
  return [nextNumber, nextSequence, crc32(`retired ${nextNumber} ${nextSequence}`)]
}

/** Undefined when the value is damaged. */
export function retiredOf(value: unknown): Retired | undefined {
  const [nextNumber, nextSequence, checksum] = Array.isArray(value) ? value : []
  const retired = { nextNumber, nextSequence } as Retired
  return checksum === retiredValue(retired)[2] ? retired : undefined
}

/** The value of a journal file's number. */
export function journalChecksum(file: number): number {
  return crc32(`journal ${file}`)
}

/** The value of a block's entry. */
export function blockValue(
  block: Omit<BlockSummary, 'stream' | 'levelCounts'> & {
    readonly levelCounts: readonly (readonly [level: string, count: number])[]
  },
): BlockValue {
  const { maxTimestamp, directory, blockBytes, recordCount, skip, levelCounts } = block
  const { offset = 0, bytes = 0, crc = 0 } = skip?.index ?? {}
  const ofSkip = [offset, bytes, crc, skip?.block ?? 0] as const
  const { bytes: directoryBytes, crc: directoryCrc } = directory
  const own = [maxTimestamp, directoryBytes, directoryCrc, blockBytes, recordCount] as const
  return [...own, ...ofSkip, ...levelCounts.flat()]
}

/** A block as its entry says it is. */
export function blockOfEntry<Stream extends BlockSummary['stream']>(
  stream: Stream,
  [, minTimestamp, , offset]: BlockKey,
  value: BlockValue,
): BlockSummary & { readonly stream: Stream } {
  const [maxTimestamp, bytes, crc, blockBytes, recordCount, ...others] = value
  const [skipOffset, skipBytes, skipCrc, block, ...levelCounts] = others
  const index = { offset: skipOffset, bytes: skipBytes, crc: skipCrc }
  const directory = { offset, bytes, crc }
  const skip = skipBytes === 0 ? undefined : { index, block }
  const times = { minTimestamp, maxTimestamp }
  return { stream, ...times, recordCount, levelCounts, directory, blockBytes, skip }
}
