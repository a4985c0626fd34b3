import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { encodeFrameHeader, frameHeaderBytes, readFrame } from '../../src/journal/frame.ts'
import { forAll } from '../for-all.ts'

const payload = Buffer.from('some packed columns')
const header = {
  payloadBytes: payload.length,
  recordCount: 3,
  firstSequence: 2 ** 40 + 1,
  minTimestamp: -5,
  maxTimestamp: 1_700_000_000_000,
}
const position = { file: 7, offset: 100 }
const frame = Buffer.concat([encodeFrameHeader(header, payload, position), payload])

t.test('a frame is read back with its header', async t => {
  const read = readFrame(Buffer.concat([Buffer.alloc(5), frame]), 5, 7, 95)
  t.match(read, { header, offset: 100 })
  t.ok(typeof read === 'object' && read.payload.equals(payload))
})

t.test('every flipped bit of a frame is found', async t => {
  for (let bit = 0; bit < frame.length * 8; bit++) {
    const flipped = Buffer.from(frame)
    flipped[bit >> 3]! ^= 1 << (bit & 7)
    const read = readFrame(flipped, 0, 7, 100)
    if (typeof read === 'object') t.fail(`bit ${bit} went unnoticed`)
  }
  t.pass(`${frame.length * 8} bits`)
})

t.test('every truncation of a frame is refused', async t => {
  for (let length = 0; length < frame.length; length++) {
    t.equal(readFrame(frame.subarray(0, length), 0, 7, 100), 'cut')
  }
})

t.test('a frame at another place than it was written for is refused', async t => {
  t.equal(readFrame(frame, 0, 8, 100), 'damaged', 'in another file')
  t.equal(readFrame(frame, 0, 7, 101), 'damaged', 'at another offset')
})

t.test('arbitrary bytes are never a frame', async () => {
  forAll(fc.uint8Array({ maxLength: 3 * frameHeaderBytes }), bytes => {
    assert.equal(typeof readFrame(Buffer.from(bytes), 0, 1, 0), 'string')
  })
})
