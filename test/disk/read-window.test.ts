import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { ReadWindow } from '../../src/disk/read-window.ts'
import { forAll } from '../for-all.ts'
import { fileOf } from './memory-file.ts'

const size = 200
const bytes = Buffer.from(Array.from({ length: size }, (_, i) => i))

t.test('what is reached is what is in the file, wherever the window was before', async () => {
  forAll(
    fc.integer({ min: 1, max: 2 * size }),
    fc.integer({ min: 1, max: size }),
    fc.array(fc.tuple(fc.nat({ max: size - 1 }), fc.nat({ max: 2 * size }))),
    (windowBytes, bytesPerRead, places) => {
      const window = new ReadWindow(windowBytes).open(fileOf(bytes, bytesPerRead))
      for (const [offset, length] of places) {
        const at = window.reach(offset, length)
        assert.equal(window.offset + at, offset)
        const found = window.bytes.subarray(at, at + length)
        assert.deepEqual(found, bytes.subarray(offset, offset + length))
      }
    },
  )
})

t.test('a window is read once, and its memory used again, also for the next file', async t => {
  const window = new ReadWindow(50)
  const counted = { ...fileOf(bytes), reads: 0 }
  const file = {
    ...counted,
    read: (...args: Parameters<typeof counted.read>) => {
      counted.reads++
      return counted.read(...args)
    },
  }
  window.open(file)
  for (let offset = 0; offset + 10 <= size; offset += 10) window.reach(offset, 10)
  t.equal(counted.reads, size / 50)
  const memory = window.bytes.buffer
  const other = Buffer.alloc(size, 7)
  window.open(fileOf(other))
  const at = window.reach(180, 10)
  t.same(window.bytes.subarray(at, at + 10), other.subarray(180, 190))
  t.equal(window.bytes.buffer, memory)
})

t.test(
  'what is larger than the window is reached whole, and later reads are small again',
  async t => {
    const window = new ReadWindow(16).open(fileOf(bytes))
    t.equal(window.reach(20, 100), 0)
    t.same(window.bytes, bytes.subarray(20, 120))
    window.reach(150, 4)
    t.same(window.bytes, bytes.subarray(150, 166))
  },
)
