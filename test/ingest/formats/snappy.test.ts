import fc from 'fast-check'
import { compress } from 'snappyjs'
import t from 'tap'
import { snappyLength, undoSnappy } from '../../../src/ingest/formats/snappy.ts'
import { ProblemError } from '../../../src/problems.ts'
import { forAll } from '../../for-all.ts'

t.test('what was compressed comes back', async () => {
  const repeated = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 400 }))
    .map(([part, times]) => Buffer.concat(Array.from({ length: times }, () => part)))
  forAll({ numRuns: 60 }, fc.oneof(repeated, fc.uint8Array({ maxLength: 100_000 })), bytes => {
    const compressed = Buffer.from(compress(Buffer.from(bytes)))
    return (
      snappyLength(compressed) === bytes.length && undoSnappy(compressed).equals(Buffer.from(bytes))
    )
  })
})

t.test('what is not whole, or not snappy, is refused and never goes on for ever', async t => {
  const refuses = (bytes: readonly number[] | Buffer) =>
    t.throws(() => undoSnappy(Buffer.from(bytes)), { code: 'encoding_broken' })

  refuses([])
  refuses([0x80])
  refuses([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
  refuses([3, 0x08, 0x61, 0x62]) // A literal cut off.
  refuses([4, 0x08, 0x61, 0x62, 0x63]) // Shorter than it says.
  refuses([2, 0x08, 0x61, 0x62, 0x63]) // Longer than it says.
  refuses([9, 0xfc, 0xf0, 0xff, 0xff, 0xff, 0x61]) // The literal on which snappyjs goes on for ever.
  refuses([129, 1, 0x00, 0x61, 0xfe, 1, 0]) // It cannot become 129 bytes, however often it copies 64.
  t.throws(() => snappyLength(Buffer.from([0xff, 0xff, 0x7f, 0x00, 0x61])), 'nor has it room')
  refuses([8, 0x00, 0x61, 0x01, 0x00]) // A copy from nowhere.
  refuses([8, 0x00, 0x61, 0x01, 0x05]) // A copy from before the beginning.
  refuses([8, 0x00, 0x61, 0x01]) // A copy without its offset.

  const whole = Buffer.from(compress(Buffer.from('one two '.repeat(50))))
  forAll(fc.nat(whole.length - 1), fc.nat(255), (at, value) => {
    const torn = Buffer.from(whole)
    torn[at] = value
    try {
      return undoSnappy(torn).length === snappyLength(torn)
    } catch (error) {
      return error instanceof ProblemError && error.code === 'encoding_broken'
    }
  })
})
