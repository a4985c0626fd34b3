/**
 * Checks what the checksums cannot: that every column of an intact segment can be decoded, and that
 * the block's own figures are those of its records. Takes as long as decoding everything does.
 */

import { openColumn } from '../columns/open.ts'
import { BlockColumns } from './block-columns.ts'
import { type BlockReader, openBlock } from './block-reader.ts'
import { readFooter } from './footer.ts'
import { withSegmentFile } from './segment-file.ts'
import type { SegmentFault } from './verify.ts'

/** What is wrong with the contents of a segment in which `verifySegment` found no fault. */
export function verifyContents(path: string): SegmentFault[] {
  const { number, blocks } = readFooter(path)
  return withSegmentFile(path, number, file =>
    blocks.flatMap(({ directory }) => {
      const faults = faultsOf(openBlock(file, directory))
      return faults.map(what => ({ offset: directory.offset, what }))
    }),
  )
}

function faultsOf(block: BlockReader): string[] {
  const faults: string[] = []
  const check = (what: string, holds: () => boolean) => {
    try {
      if (!holds()) faults.push(`${what} of a block: not what its directory says`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      faults.push(`${what} of a block: ${reason}`)
    }
  }
  const { directory } = block
  const columns = new BlockColumns(directory, () => block)
  check('the timestamps', () => {
    const timestamps = columns.numbers('timestamp')
    return (
      timestamps.every((timestamp, row) => row === 0 || timestamps[row - 1]! <= timestamp) &&
      timestamps[0] === directory.minTimestamp &&
      timestamps.at(-1) === directory.maxTimestamp
    )
  })
  check('the sequences', () => {
    const { min, max } = rangeOf(columns.numbers('sequence'))
    return min === directory.minSequence && max === directory.maxSequence
  })
  check('the levels', () => {
    const counts = directory.levelCounts.map(() => 0)
    for (const code of columns.levelCodes) counts[code]!++
    return counts.every((count, code) => count === directory.levelCounts[code]![1])
  })
  for (const column of directory.columns) {
    if (column.role !== 'message' && column.role !== 'attribute') continue
    check(`column ${JSON.stringify(column.name)}`, () => {
      const { encoding, meta, valueCount } = column
      const texts = openColumn(encoding, meta, valueCount, block.chunkSource(column)).toTextColumn()
      return texts.offsets.length - 1 === valueCount
    })
  }
  return faults
}

function rangeOf(values: Float64Array): { min: number; max: number } {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const value of values) {
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  return { min, max }
}
