import assert from 'node:assert/strict'
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { segmentPath } from '../../src/segment/files.ts'
import { readFooter } from '../../src/segment/footer.ts'
import { SegmentWriter } from '../../src/segment/segment-writer.ts'
import { verifySegment } from '../../src/segment/verify.ts'
import { forAll } from '../for-all.ts'
import {
  arbitraryBlock,
  expectedBack,
  info,
  noise,
  readBack,
  smallBlock,
  writeSegment,
} from './segments.ts'

const day = '2026-11-20'

t.test('whatever blocks are written, they are read back and verified', async t => {
  const path = segmentPath(t.testdir(), day, 7)
  forAll({ numRuns: 200 }, fc.array(arbitraryBlock, { maxLength: 3 }), blocks => {
    const footer = writeSegment(path, 7, blocks)
    assert.deepEqual(readFooter(path), footer)
    assert.equal(footer.fileBytes, fs.statSync(path).size)
    assert.deepEqual(readBack(path, footer), blocks.map(expectedBack))
    assert.deepEqual(verifySegment(path), [])
  })
})

t.test('the footer has all that the index and recovery need', async t => {
  const path = segmentPath(t.testdir(), day, 7)
  writeSegment(path, 7, [smallBlock('one'), smallBlock('two'), smallBlock('one')])
  const footer = readFooter(path)
  t.match(footer, { ...info, number: 7 })
  t.same(
    footer.blocks.map(({ stream }) => stream.service),
    ['one', 'two', 'one'],
  )
  const { columns: _, filter: __, letters: ___, templates: ____, ...others } = smallBlock('two')
  const { digits: _____, patterns: ______, ...facts } = others
  t.match(footer.blocks[1], { ...facts, filter: { pageCount: 1 } })
  const bytes = footer.blocks.reduce((sum, { blockBytes }) => sum + blockBytes, 0)
  t.ok(bytes < footer.fileBytes && bytes > footer.fileBytes / 4)
})

t.test(
  'a chunk is compressed when that saves at least a tenth, and never when it is small',
  async t => {
    const path = segmentPath(t.testdir(), day, 7)
    const chunks = [
      Buffer.alloc(128, 1),
      Buffer.alloc(129, 1),
      noise(1_000),
      Buffer.alloc(0),
      Buffer.alloc(3_000_000, 'words and words '),
    ]
    const block = smallBlock('one')
    const column = { ...block.columns[0]!, column: { encoding: 'text' as const, meta: 1, chunks } }
    const footer = writeSegment(path, 7, [{ ...block, columns: [column] }])
    t.same(readBack(path, footer), [expectedBack({ ...block, columns: [column] })])
    t.ok(footer.fileBytes < 4_000, 'what compresses well takes little')
  },
)

t.test('a segment without blocks is whole', async t => {
  const path = segmentPath(t.testdir(), day, 7)
  writeSegment(path, 7, [])
  t.same(readFooter(path).blocks, [])
  t.same(verifySegment(path), [])
})

t.test('a file under a name that has no number is read by the number in its header', async t => {
  const path = join(t.testdir(), 'a sample.seg')
  const footer = writeSegment(path, 9, [smallBlock('one')])
  t.same(readFooter(path), footer)
  t.same(verifySegment(path), [])
})

t.test(
  'until it is finished, a segment has another name; abandoned, it leaves nothing',
  async t => {
    const path = segmentPath(t.testdir(), day, 7)
    const names = () => fs.readdirSync(dirname(path))
    const writer = new SegmentWriter(path, 7)
    writer.addBlock(smallBlock('one'))
    t.same(names(), ['00000007.seg.tmp'])
    writer.abandon()
    t.same(names(), [])
  },
)

t.test('what a crash left of a segment is overwritten', async t => {
  const path = segmentPath(t.testdir(), day, 7)
  fs.mkdirSync(dirname(path))
  fs.writeFileSync(`${path}.tmp`, Buffer.alloc(100_000, 'old'))
  writeSegment(path, 7, [smallBlock('one')])
  t.same(verifySegment(path), [])
  t.same(fs.readdirSync(dirname(path)), ['00000007.seg'])
})

t.test('a block that contradicts itself is refused before it is written', async t => {
  const path = segmentPath(t.testdir(), day, 7)
  const block = smallBlock('one')
  const [column] = block.columns
  const refuses = (change: object) => {
    const writer = new SegmentWriter(path, 7)
    t.throws(() => writer.addBlock({ ...block, ...change }), { code: 'ERR_ASSERTION' })
    writer.abandon()
  }
  refuses({ recordCount: 0, levelCounts: [], columns: [] })
  refuses({ minTimestamp: block.maxTimestamp + 1 })
  refuses({ levelCounts: [['info', 9]] })
  refuses({ columns: [{ ...column, valueCount: 9 }] })
  refuses({ columns: [{ ...column, presence: Uint8Array.of(255, 1) }] })
  refuses({ columns: [{ ...column, presence: Uint8Array.of(255, 7), valueCount: 11 }] })
  refuses({ filter: Buffer.alloc(63) })
})
