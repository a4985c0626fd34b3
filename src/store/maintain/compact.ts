/**
 * Makes one segment out of several of the same day: few large blocks instead of many small ones mean a
 * smaller index and better compression. Runs in a thread of the seal pool.
 */
import type { Disk } from '../../disk/disk.ts'
import { realDisk } from '../../disk/real-disk.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import type { Stream, Timestamp } from '../../record.ts'
import { BlockBuilder } from '../../segment/block-builder.ts'
import { BlockColumns } from '../../segment/block-columns.ts'
import { openBlock } from '../../segment/block-reader.ts'
import { segmentPath } from '../../segment/files.ts'
import { type BlockSummary, readFooter } from '../../segment/footer.ts'
import { SegmentFile } from '../../segment/segment-file.ts'
import { SegmentWriter } from '../../segment/segment-writer.ts'
import { rowsOfBlock } from '../view/row-sources.ts'
import type { WrittenSegment } from './seal.ts'

export interface CompactTask {
  readonly segments: readonly { readonly path: string; readonly number: number }[]
  readonly day: string
  readonly directory: string
  readonly number: number
  readonly createdAt: Timestamp
}

interface StreamBlocks {
  readonly stream: Stream
  readonly blocks: { readonly file: SegmentFile; readonly summary: BlockSummary }[]
}

/**
 * Writes the new segment, which names those that it replaces. When it returns, it is on disk. Throws
 * SegmentCorrupt when a block cannot be read (then nothing is written: damage must not be copied
 * over), and SegmentWriteFailed.
 */
export function compactSegments(task: CompactTask, disk: Disk = realDisk): WrittenSegment {
  const files: SegmentFile[] = []
  try {
    const streams = new Map<string, StreamBlocks>()
    // Journal files that were replaced stay so: one may come back (a backup, a lost deletion).
    const journals = new Set<number>()
    for (const { path, number } of task.segments) {
      const file = new SegmentFile(path, number, disk)
      files.push(file)
      const { blocks, replaces } = readFooter(path, number, disk)
      for (const summary of blocks) addBlock(streams, file, summary)
      for (const journal of replaces.journals) journals.add(journal)
    }
    const path = segmentPath(task.directory, task.day, task.number)
    const writer = new SegmentWriter(path, task.number, disk)
    try {
      for (const { stream, blocks } of streams.values()) writeStream(writer, stream, blocks)
      const numbers = task.segments.map(segment => segment.number)
      const footer = writer.finish({
        createdAt: task.createdAt,
        replaces: { journals: [...journals].sort((a, b) => a - b), segments: numbers },
        group: [task.number],
      })
      return { path, day: task.day, footer }
    } catch (error) {
      writer.abandon()
      throw error
    }
  } finally {
    for (const file of files) file.close()
  }
}

function addBlock(
  streams: Map<string, StreamBlocks>,
  file: SegmentFile,
  summary: BlockSummary,
): void {
  const { stream } = summary
  const key = `${stream.service}\0${stream.environment}`
  const streamBlocks = getOrInsertComputed(streams, key, () => ({ stream, blocks: [] }))
  streamBlocks.blocks.push({ file, summary })
}

/** Memory: the blocks of the stream that a new block takes records from, decoded. */
function writeStream(writer: SegmentWriter, stream: Stream, blocks: StreamBlocks['blocks']): void {
  const builder = new BlockBuilder(stream)
  for (const { file, summary } of blocks) {
    const open = () => {
      const reader = openBlock(file, summary.directory)
      return new BlockColumns(reader.directory, () => reader)
    }
    const rows = Array.from({ length: summary.recordCount }, (_, row) => row)
    builder.add(rowsOfBlock(open), rows)
  }
  for (const block of builder.blocks()) writer.addBlock(block)
}
