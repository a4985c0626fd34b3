/** Chunks of a segment in memory that is lent, and in memory of their own. */
import fs from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checksumAt } from '../../src/segment/checksum.ts'
import { packChunk, readChunk } from '../../src/segment/chunk.ts'
import { SegmentFile } from '../../src/segment/segment-file.ts'

const number = 7

/** A file of these chunks, and where they lie. */
function fileOf(t: Test, raws: readonly Buffer[]) {
  const path = join(t.testdir(), 'chunks')
  let offset = 0
  const pieces: Buffer[] = []
  const references = raws.map(raw => {
    const { stored, compression } = packChunk(raw)
    const crc = checksumAt(number, offset, stored)
    const reference = { offset, storedBytes: stored.length, rawBytes: raw.length, crc, compression }
    pieces.push(stored)
    offset += stored.length
    return reference
  })
  fs.writeFileSync(path, Buffer.concat(pieces))
  const file = new SegmentFile(path, number)
  t.teardown(() => file.close())
  return { file, references }
}

/** Some that zstd makes smaller, and some that it does not. */
const raws = [
  Buffer.alloc(9_000, 'abc'),
  Buffer.from('short'),
  Buffer.alloc(30_000, 'other words '),
  Buffer.alloc(0),
  Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 2_654_435_761) >>> 13)),
  Buffer.alloc(300_000, 'more than is lent '),
]

t.test('what is lent is the same, and uses its memory again', t => {
  const { file, references } = fileOf(t, raws)
  t.same(new Set(references.map(({ compression }) => compression)), new Set(['none', 'zstd']))
  const memories = new Set<ArrayBufferLike>()
  for (let round = 0; round < 3; round++) {
    for (const [i, reference] of references.entries()) {
      const own = readChunk(file, reference)
      const lent = readChunk(file, reference, 0)
      t.ok(own.equals(raws[i]!) && lent.equals(raws[i]!))
      t.not(own.buffer, lent.buffer)
      if (round > 0 && lent.length < 256 * 1024) memories.add(lent.buffer)
    }
  }
  t.equal(memories.size, 1)
  t.end()
})

t.test('whatever memory is empty, its checksum is the same', t => {
  const empty = Buffer.allocUnsafeSlow(0).subarray(0, 0)
  t.equal(checksumAt(number, 42, empty), checksumAt(number, 42, Buffer.alloc(0)))
  t.equal(checksumAt(number, 42, empty), checksumAt(number, 42))
  t.end()
})

t.test('chunks of different numbers do not share memory, of which there is not much', t => {
  const { file, references } = fileOf(t, raws)
  const [reference] = references
  const lent = Array.from({ length: 12 }, (_, i) => readChunk(file, reference!, i))
  t.equal(new Set(lent.map(({ buffer }) => buffer)).size, 12)
  const again = lent.map((_, i) => readChunk(file, reference!, i))
  const kept = again.filter(({ buffer }, i) => buffer === lent[i]!.buffer)
  t.equal(kept.length, 8)
  t.end()
})

t.test('what is damaged is refused, lent or not', t => {
  const { file, references } = fileOf(t, raws)
  for (const reference of references.filter(({ rawBytes }) => rawBytes > 0)) {
    for (const lent of [undefined, 0]) {
      const wrong = { ...reference, crc: reference.crc ^ 1 }
      t.throws(() => readChunk(file, wrong, lent), /checksum of a chunk/)
      for (const rawBytes of [0, reference.rawBytes - 1, reference.rawBytes + 1, 2 ** 40]) {
        t.throws(() => readChunk(file, { ...reference, rawBytes }, lent), /chunk/, `${rawBytes}`)
      }
    }
    t.ok(readChunk(file, reference, 0).equals(readChunk(file, reference)))
  }
  t.end()
})
