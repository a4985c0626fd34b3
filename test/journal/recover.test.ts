import fs from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { fileHeaderBytes, journalPath } from '../../src/journal/files.ts'
import { recoverFile } from '../../src/journal/recover.ts'
import { journalBytes } from '../segment/sealed.ts'
import { plainRecords } from './records.ts'

const file = 3

function recover(t: Test, bytes: Buffer, number = file, from = 0) {
  const path = journalPath(t.testdir(), number)
  fs.writeFileSync(path, bytes)
  const counts: number[] = []
  const result = recoverFile(path, number, from, frame => counts.push(frame.header.recordCount))
  return { ...result, counts }
}

/** Frames with 1, 2, 3 and 4 records. */
const lists = [1, 2, 3, 4].map(n => plainRecords(Array(n).fill(`LSFR frame ${n}`)))
const { bytes, boundaries: starts } = journalBytes(file, lists)

t.test('a whole file gives every frame and loses nothing', async t => {
  t.match(recover(t, bytes), { counts: [1, 2, 3, 4], lost: [], headerFault: undefined })
})

t.test('recovery can go on from a known offset', async t => {
  t.match(recover(t, bytes, file, starts[2]), { counts: [3, 4], lost: [] })
})

t.test('a flipped bit anywhere costs its own frame and no other', async t => {
  const path = join(t.testdir(), 'flipped.log')
  const ends = starts.slice(1)
  for (let at = fileHeaderBytes; at < bytes.length; at++) {
    const flipped = Buffer.from(bytes)
    flipped[at]! ^= 1 << (at % 8)
    fs.writeFileSync(path, flipped)
    const counts: number[] = []
    const { lost } = recoverFile(path, file, 0, frame => counts.push(frame.header.recordCount))
    const hit = ends.findIndex(end => at < end)
    t.same(
      counts,
      [1, 2, 3, 4].filter((_, i) => i !== hit),
      `flipped at ${at}`,
    )
    t.match(lost, [{ offset: starts[hit], bytes: ends[hit]! - starts[hit]! }])
  }
})

t.test('zeros or old bytes behind the last frame are cut off', async t => {
  const behind = (tail: Buffer) => {
    const { counts, lost } = recover(t, Buffer.concat([bytes, tail]))
    t.same(counts, [1, 2, 3, 4])
    t.match(lost, [{ offset: bytes.length, bytes: tail.length, kind: 'torn' }])
  }
  behind(Buffer.alloc(10_000))
  behind(Buffer.from('garbage LSFR LSFR LSFR and more of it'))
  behind(bytes.subarray(starts[0], starts[2])) // Frames of ours, but at another place.
})

t.test('a file under the name of another gives no record, and says why', async t => {
  const { counts, headerFault } = recover(t, bytes, 9)
  t.same(counts, [])
  t.match(headerFault, /number 3 under the name of 9/)
})

t.test('a damaged file header is reported, and the frames are served', async t => {
  const damaged = Buffer.from(bytes)
  damaged[2]! ^= 1
  t.match(recover(t, damaged), { counts: [1, 2, 3, 4], headerFault: /not a journal file/ })
})

t.test('an empty file, a foreign file and a header alone are no trouble', async t => {
  t.match(recover(t, Buffer.alloc(0)), { counts: [], lost: [], headerFault: /ends inside/ })
  t.match(recover(t, bytes.subarray(0, fileHeaderBytes)), { counts: [], lost: [] })
  const foreign = Buffer.from('this is a letter to my grandmother\n'.repeat(9))
  t.match(recover(t, foreign), { counts: [], headerFault: /not a journal file/ })
})
