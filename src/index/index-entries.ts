/**
 * How the index stands in LMDB: the names of its databases, their keys and values, and which values are
 * right. (`block-index.ts` draws what is in them.)
 */
import { crc32 } from 'node:zlib'
import type { Sequence, Timestamp } from '../record.ts'
import type { BlockFigures } from './segment-figures.ts'

export const formatVersion = 3

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

/** A block as its entry says it is. */
export function blockOfEntry(
  stream: { readonly service: string; readonly environment: string },
  [, minTimestamp, , offset]: BlockKey,
  [maxTimestamp, bytes, crc, blockBytes, recordCount, ...levelCounts]: BlockValue,
): BlockFigures {
  const directory = { offset, bytes, crc }
  const times = { minTimestamp, maxTimestamp }
  return { stream, ...times, recordCount, levelCounts, directory, blockBytes }
}
