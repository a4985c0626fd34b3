/** Journal files and segments made of records, as the service makes them. */
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { Batch } from '../../src/journal/batch-reader.ts'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import { FileColumns } from '../../src/journal/file-columns.ts'
import { encodeFileHeader, fileHeaderBytes } from '../../src/journal/files.ts'
import { encodeFrameHeader, type Frame, frameHeaderBytes } from '../../src/journal/frame.ts'
import type { LogRecord, Stream } from '../../src/record.ts'
import { BlockBuilder } from '../../src/segment/block-builder.ts'
import { BlockColumns } from '../../src/segment/block-columns.ts'
import { openBlock } from '../../src/segment/block-reader.ts'
import type { FooterInfo, SegmentFooter } from '../../src/segment/footer.ts'
import { SegmentFile } from '../../src/segment/segment-file.ts'
import { SegmentWriter } from '../../src/segment/segment-writer.ts'
import { rowsOfFile } from '../../src/store/view/row-sources.ts'

export interface StreamRecord extends LogRecord {
  readonly stream: Stream
}

/** A journal file with one frame for each list of records: where each begins, and the last one ends. */
export function journalBytes(
  file: number,
  lists: readonly (readonly StreamRecord[])[],
  firstSequence = 0,
): { bytes: Buffer; boundaries: number[] } {
  const parts = [encodeFileHeader(file)]
  const boundaries = [fileHeaderBytes]
  let sequence = firstSequence
  for (const records of lists) {
    const offset = boundaries.at(-1)!
    const { header, payload } = frameOf(records, sequence)
    parts.push(encodeFrameHeader(header, payload, { file, offset }), payload)
    boundaries.push(offset + frameHeaderBytes + payload.length)
    sequence += records.length
  }
  return { bytes: Buffer.concat(parts), boundaries }
}

/** Writes a journal file with one frame for each list of records. Returns where the frames begin. */
export function writeJournal(
  path: string,
  file: number,
  lists: readonly (readonly StreamRecord[])[],
  firstSequence = 1,
): number[] {
  const { bytes, boundaries } = journalBytes(file, lists, firstSequence)
  fs.mkdirSync(dirname(path), { recursive: true })
  fs.writeFileSync(path, bytes)
  return boundaries.slice(0, -1)
}

/** Writes a segment with one block for each list of records, which are of one stream. */
export function sealRecords(
  path: string,
  number: number,
  lists: readonly (readonly StreamRecord[])[],
  info: FooterInfo = { createdAt: 0, replaces: { journals: [], segments: [] }, group: [number] },
): SegmentFooter {
  const writer = new SegmentWriter(path, number)
  let firstSequence = 1
  for (const records of lists) {
    const columns = new FileColumns()
    columns.add(new Batch(frameOf(records, firstSequence)))
    firstSequence += records.length
    const builder = new BlockBuilder(records[0]!.stream)
    builder.add(rowsOfFile(columns, columns.attributeNamesByStream()[0]!), [...records.keys()])
    for (const block of builder.blocks()) writer.addBlock(block)
  }
  return writer.finish(info)
}

/** Writes such a segment into a directory and opens its blocks; the file is open until the process ends. */
export function sealedBlocks(
  directory: string,
  lists: readonly (readonly StreamRecord[])[],
  number = 1,
) {
  const path = join(directory, `${number}.seg`)
  const { blocks } = sealRecords(path, number, lists)
  const file = new SegmentFile(path, number)
  const readers = blocks.map(block => openBlock(file, block.directory))
  const columns = readers.map(reader => new BlockColumns(reader.directory, () => reader))
  return { path, blocks, readers, columns }
}

function frameOf(
  records: readonly StreamRecord[],
  firstSequence: number,
): Pick<Frame, 'header' | 'payload'> {
  const writer = new BatchWriter()
  const streams = new Map<string, Stream>()
  for (const { stream, ...record } of records) {
    const key = `${stream.service}\0${stream.environment}`
    if (!streams.has(key)) streams.set(key, stream)
    writer.add(record, streams.get(key)!)
  }
  const { payload, recordCount, minTimestamp, maxTimestamp } = writer.encode()
  const payloadBytes = payload.length
  return {
    header: { payloadBytes, recordCount, firstSequence, minTimestamp, maxTimestamp },
    payload,
  }
}
