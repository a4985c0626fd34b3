import fs from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { segmentPath } from '../../src/segment/files.ts'
import { type BlockSummary, readFooter, type SegmentFooter } from '../../src/segment/footer.ts'
import { rescueFooter } from '../../src/segment/rescue.ts'
import { unlessCorrupt } from '../../src/segment/segment-error.ts'
import { verifySegment } from '../../src/segment/verify.ts'
import { longRow } from '../long-runs.ts'
import { claimFormat, toFormat1 } from './other-formats.ts'
import { expectedBack, type ReadBack, readBack, smallBlock, writeSegment } from './segments.ts'

const day = '2026-11-20'
const blocks = [smallBlock('first'), smallBlock('other')]
const expected = blocks.map(expectedBack)

const readAll = (path: string, footer: SegmentFooter) =>
  readBack(path, footer, (read: () => ReadBack) => unlessCorrupt(read))

/** Writes the blocks as segment 7 of a format. */
function writeAs(format: number, path: string): SegmentFooter {
  const footer = writeSegment(path, 7, blocks)
  if (format === 2) return footer
  toFormat1(path)
  return readFooter(path)
}

for (const format of [1, 2]) {
  t.test(
    `every flipped bit is found, never misread, and costs a block at most: format ${format}`,
    async t => {
      const path = segmentPath(t.testdir(), day, 7)
      const footer = writeAs(format, path)
      const bytes = fs.readFileSync(path)
      // Of format 1, which is read by what reads format 3, each place of a byte in turn.
      const step = format === 1 ? 7 : 1
      const bits = longRow(
        Array.from({ length: Math.ceil((bytes.length * 8) / step) }, (_, i) => i * step),
      )
      const wrong: string[] = []
      const claim = (holds: boolean, bit: number, what: string) => {
        if (!holds) wrong.push(`bit ${bit & 7} of byte ${bit >> 3}: ${what}`)
      }
      for (const bit of bits) {
        bytes[bit >> 3]! ^= 1 << (bit & 7)
        fs.writeFileSync(path, bytes)
        claim(verifySegment(path).length > 0, bit, 'verified as whole')
        const read = unlessCorrupt(() => readFooter(path))
        claim(read === undefined || isDeepStrictEqual(read, footer), bit, 'the footer is another')
        const rescued = unlessCorrupt(() => rescueFooter(path))?.footer
        claim(isDeepStrictEqual(rescued, footer), bit, 'the footer was not rescued')
        const back = readAll(path, footer)
        const lost = back.filter(block => block === undefined).length
        claim(lost <= 1, bit, `${lost} blocks are lost`)
        const isRight = back.every(
          (block, i) => block === undefined || isDeepStrictEqual(block, expected[i]),
        )
        claim(isRight, bit, 'a block was misread')
        bytes[bit >> 3]! ^= 1 << (bit & 7)
      }
      t.same(wrong, [], `${bits.length} bits`)
    },
  )
}

/** All that is found when no footer is left. */
const withoutSkip = (block: BlockSummary): BlockSummary => ({ ...block, skip: undefined })

for (const format of [1, 2]) {
  t.test(
    `every truncation is refused, and the blocks before the cut are rescued: format ${format}`,
    async t => {
      const path = segmentPath(t.testdir(), day, 7)
      const footer = writeAs(format, path)
      const bytes = fs.readFileSync(path)
      const ends = footer.blocks.map(({ directory }) => directory.offset + directory.bytes)
      for (let length = 0; length < bytes.length; length++) {
        fs.writeFileSync(path, bytes.subarray(0, length))
        const isRefused = unlessCorrupt(() => readFooter(path)) === undefined
        const faults = verifySegment(path)
        const rescued = unlessCorrupt(() => rescueFooter(path))?.footer.blocks ?? []
        const whole = footer.blocks.slice(0, ends.filter(end => end <= length).length)
        const isRescued = isDeepStrictEqual(rescued.map(withoutSkip), whole.map(withoutSkip))
        if (!isRefused || faults.length === 0 || !isRescued) t.fail(`cut at ${length}`)
      }
      t.pass(`${bytes.length} lengths`)
    },
  )
}

t.test('bytes behind the end are refused', async t => {
  const path = segmentPath(t.testdir(), day, 7)
  const footer = writeSegment(path, 7, blocks)
  const behind = (tail: Buffer) => {
    const whole = fs.readFileSync(path).subarray(0, footer.fileBytes)
    fs.writeFileSync(path, Buffer.concat([whole, tail]))
    t.throws(() => readFooter(path), { name: 'SegmentCorrupt' })
    t.match(verifySegment(path), [{ offset: footer.fileBytes }])
    t.same(readAll(path, rescueFooter(path).footer), expected)
  }
  behind(Buffer.alloc(1))
  behind(Buffer.alloc(100_000))
  behind(fs.readFileSync(path).subarray(-300))
})

t.test('the very same content at another place is refused', async t => {
  const path = segmentPath(t.testdir(), day, 7)
  // The first one only moves the others to where all their offsets take the same room.
  const twins = [smallBlock('first'), smallBlock('twin'), smallBlock('twin')]
  const footer = writeSegment(path, 7, twins)
  const whole = fs.readFileSync(path)
  const [, a, b] = footer.blocks as [BlockSummary, BlockSummary, BlockSummary]
  t.equal(a.blockBytes, b.blockBytes, 'each could stand in the other’s place')
  const refuses = (what: string, atA: number, atB: number, bytes: number) => {
    const swapped = Buffer.from(whole)
    whole.copy(swapped, atA, atB, atB + bytes)
    whole.copy(swapped, atB, atA, atA + bytes)
    fs.writeFileSync(path, swapped)
    t.same(readAll(path, footer).slice(1), [undefined, undefined], what)
  }
  const start = ({ directory, blockBytes }: BlockSummary) =>
    directory.offset + directory.bytes - blockBytes
  refuses('blocks', start(a), start(b), a.blockBytes)
  refuses('directories', a.directory.offset, b.directory.offset, a.directory.bytes)
  refuses('pages of token filters', a.filter!.offset, b.filter!.offset, 64)
})

t.test('another chunk of the same length in a chunk’s place is refused', async t => {
  const path = segmentPath(t.testdir(), day, 7)
  const footer = writeSegment(path, 7, blocks)
  const bytes = fs.readFileSync(path)
  const place = (name: string) => bytes.indexOf(name, 60)
  t.ok(place('first') > 0 && place('other') > 0)
  bytes.write('other', place('first'))
  fs.writeFileSync(path, bytes)
  t.same(readAll(path, footer), [undefined, expected[1]])
})

t.test('a segment under the number of another is refused', async t => {
  const directory = t.testdir()
  const path = segmentPath(directory, day, 7)
  const footer = writeSegment(path, 7, blocks)
  const other = segmentPath(directory, day, 8)
  fs.copyFileSync(path, other)
  t.throws(() => readFooter(other), {
    name: 'SegmentCorrupt',
    what: /number 7 under the name of 8/,
  })
  t.throws(() => rescueFooter(other), { name: 'SegmentCorrupt' })
  t.not(verifySegment(other).length, 0)
  t.same(readAll(other, { ...footer, number: 8 }), [undefined, undefined])
})

t.test('another segment under the same name gives none of its blocks to an old index', async t => {
  const directory = t.testdir()
  const path = segmentPath(directory, day, 7)
  const footer = writeSegment(path, 7, blocks)
  writeSegment(path, 7, [smallBlock('third'), smallBlock('fourt')])
  t.same(readAll(path, footer), [undefined, undefined])
})

t.test('a file that is no segment is refused', async t => {
  const path = segmentPath(t.testdir(), day, 7)
  fs.mkdirSync(dirname(path), { recursive: true })
  const refuses = (content: Buffer) => {
    fs.writeFileSync(path, content)
    t.throws(() => readFooter(path), { name: 'SegmentCorrupt' })
    t.throws(() => rescueFooter(path), { name: 'SegmentCorrupt' })
    t.not(verifySegment(path).length, 0)
  }
  refuses(Buffer.alloc(0))
  refuses(Buffer.alloc(100_000))
  refuses(Buffer.from('LSSEGMNT, LSBD and LSSEGEND are our marks. '.repeat(100)))
  t.throws(() => readFooter(`${path}.missing`), { code: 'ENOENT' })
})

t.test('a newer format is not taken for a damaged file', async t => {
  const path = segmentPath(t.testdir(), day, 7)
  writeSegment(path, 7, blocks)
  claimFormat(path, 4)
  const unknown = { name: 'SegmentVersionUnknown', version: 4 }
  t.throws(() => readFooter(path), unknown)
  t.throws(() => rescueFooter(path), unknown)
  t.throws(() => verifySegment(path), unknown)
})
