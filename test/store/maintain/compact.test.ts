import assert from 'node:assert/strict'
import fs from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { TextColumn } from '../../../src/columns/column.ts'
import { offsetsFrom } from '../../../src/columns/plain.ts'
import { journalPath } from '../../../src/journal/files.ts'
import type { Sequence } from '../../../src/record.ts'
import { BlockBuilder, type RowSource } from '../../../src/segment/block-builder.ts'
import { BlockColumns } from '../../../src/segment/block-columns.ts'
import { openBlock } from '../../../src/segment/block-reader.ts'
import { segmentPath } from '../../../src/segment/files.ts'
import { readFooter } from '../../../src/segment/footer.ts'
import { withSegmentFile } from '../../../src/segment/segment-file.ts'
import { SegmentWriter } from '../../../src/segment/segment-writer.ts'
import { verifySegment } from '../../../src/segment/verify.ts'
import { compactSegments } from '../../../src/store/maintain/compact.ts'
import { sealJournal, type WrittenSegment } from '../../../src/store/maintain/seal.ts'
import { forAll } from '../../for-all.ts'
import { checkout, search } from '../../journal/records.ts'
import { longRuns } from '../../long-runs.ts'
import { type StreamRecord, writeJournal } from '../../segment/sealed.ts'
import { arbitraryFrames, arrived, blocksOf, filesIn, recordsOf } from './sealed-records.ts'

const day = '1970-01-01'

/** Seals records, whose times must be of the first day of 1970, into one segment. */
function sealAs(
  directory: string,
  number: number,
  records: readonly StreamRecord[],
  firstSequence: Sequence = 1,
): WrittenSegment {
  const path = journalPath(directory, number)
  writeJournal(path, number, [records], firstSequence)
  const task = {
    journal: { path, file: number },
    ...{ directory, receiptsDirectory: directory },
    ...{ firstNumber: number, createdAt: 1 },
  }
  const [written, ...more] = sealJournal(task)
  assert.equal(more.length, 0)
  return written!
}

function compact(
  directory: string,
  number: number,
  segments: readonly WrittenSegment[],
): WrittenSegment {
  const places = segments.map(({ path, footer }) => ({ path, number: footer.number }))
  return compactSegments({ segments: places, day, directory, number, createdAt: 55 })
}

/** A list of lists of records, all of one day; each list becomes a segment. */
const arbitrarySegments = fc
  .tuple(arbitraryFrames, arbitraryFrames)
  .map(([some, more]) =>
    [...some, ...more].map(records =>
      records.map(record => ({ ...record, timestamp: Math.abs(record.timestamp) % 100 })),
    ),
  )

t.test('compacted segments hold the same records, however often that is done', async t => {
  const root = t.testdir()
  let run = 0
  forAll(longRuns(30), arbitrarySegments, fc.integer({ min: 2, max: 4 }), (lists, together) => {
    const directory = join(root, `${run++}`)
    let sequence = 1
    let segments = lists.map((records, i) => {
      const segment = sealAs(directory, i + 1, records, sequence)
      sequence += records.length
      return segment
    })
    let number = segments.length + 1
    while (segments.length > 1) {
      const [chosen, rest] = [segments.slice(0, together), segments.slice(together)]
      segments = [...rest, compact(directory, number++, chosen)]
      assert.deepEqual(recordsOf(segments), arrived(lists))
    }
    const { path, footer } = segments[0]!
    assert.deepEqual(readFooter(path), footer)
    assert.deepEqual(verifySegment(path), [])
    const streams = new Set(lists.flat().map(({ stream }) => stream.service))
    assert.equal(footer.blocks.length, streams.size, 'one block a stream')
    for (const block of blocksOf(segments[0]!)) {
      const places = block.map(({ record, sequence }) => ({ ...(record as object), sequence }))
      assert.deepEqual(places, places.toSorted(byTimeAndArrival as never), 'in order')
    }
  })
})

function byTimeAndArrival(
  a: { timestamp: number; sequence: number },
  b: { timestamp: number; sequence: number },
): number {
  return a.timestamp - b.timestamp || a.sequence - b.sequence
}

const one: StreamRecord = {
  timestamp: 5,
  level: 'info',
  message: 'm',
  attributes: [],
  stream: checkout,
}

t.test('a compacted segment names what it replaces and counts alone', async t => {
  const directory = t.testdir()
  const segments = [3, 5, 8].map((number, i) => sealAs(directory, number, [one], i))
  const { path, footer } = compact(directory, 21, segments)
  t.equal(path, segmentPath(directory, day, 21))
  t.same(footer.replaces.segments, [3, 5, 8])
  t.same(footer.group, [21])
  t.equal(footer.number, 21)
  t.equal(footer.createdAt, 55)
  for (const { path } of segments) t.ok(fs.existsSync(path), 'what is replaced stays for now')
})

t.test('every byte is kept, also those that are not UTF-8', async t => {
  const directory = t.testdir()
  const rows = [[0xff, 0xfe], [], [0xc3], [0x61, 0x80, 0x62], [0xed, 0xa0, 0x80]]
  const texts: TextColumn = {
    offsets: offsetsFrom(rows.map(({ length }) => length)),
    bytes: Buffer.from(rows.flat()),
  }
  const source: RowSource = {
    timestamp: row => row,
    sequence: row => row,
    level: () => 'info',
    message: texts,
    attributeNames: ['raw'],
    attribute: () => ({ texts, rows: undefined }),
  }
  const segments = [1, 2].map(number => {
    const path = segmentPath(directory, day, number)
    const writer = new SegmentWriter(path, number)
    const builder = new BlockBuilder(checkout)
    builder.add(source, [...rows.keys()])
    for (const block of builder.blocks()) writer.addBlock(block)
    const replaces = { journals: [], segments: [] }
    return { path, day, footer: writer.finish({ createdAt: 0, replaces, group: [number] }) }
  })
  const { path, footer } = compact(directory, 3, segments)
  withSegmentFile(path, 3, file => {
    const reader = openBlock(file, footer.blocks[0]!.directory)
    const block = new BlockColumns(reader.directory, () => reader)
    const twice = rows.flatMap(row => [row, row])
    for (const column of [block.message, block.attribute('raw')!.column]) {
      const { offsets, bytes } = column.toTextColumn()
      const kept = twice.map((_, i) => [...bytes.subarray(offsets[i]!, offsets[i + 1]!)])
      t.same(kept, twice)
    }
  })
})

t.test('an attribute that only some segments have stays with its records', async t => {
  const directory = t.testdir()
  const lists = [
    [one, { ...one, attributes: ['a', '1'] }],
    [one, one],
    [
      { ...one, attributes: ['a', '2', '__proto__', ''] },
      { ...one, stream: search },
    ],
  ]
  const segments = lists.map((records, i) => sealAs(directory, i + 1, records, 2 * i + 1))
  t.same(recordsOf([compact(directory, 9, segments)]), arrived(lists))
})

t.test(
  'damage is not copied over: with a block that cannot be read, nothing is written',
  async t => {
    const directory = t.testdir()
    const records = Array.from({ length: 40 }, (_, i) => ({ ...one, message: `${i} of forty` }))
    const segments = [1, 2].map(number => sealAs(directory, number, records))
    const bytes = fs.readFileSync(segments[1]!.path)
    bytes[30]! ^= 4 // In the first chunk of the first block.
    fs.writeFileSync(segments[1]!.path, bytes)
    const before = filesIn(directory)
    t.throws(() => compact(directory, 3, segments), { name: 'SegmentCorrupt' })
    t.same(filesIn(directory), before)
  },
)
