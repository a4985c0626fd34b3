import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { blockRecordsMax } from '../../../src/segment/block-builder.ts'
import { segmentsToCompact } from '../../../src/store/maintain/compaction-choice.ts'
import type { LiveSegment } from '../../../src/store/view/segments.ts'
import { forAll } from '../../for-all.ts'
import { liveSegment, numbersOf } from '../live-segments.ts'

function several(count: number, more: Partial<LiveSegment> = {}, first = 1): LiveSegment[] {
  return Array.from({ length: count }, (_, i) => liveSegment(first + i, more))
}

t.test('segments of one day and of about the same size are merged', async t => {
  const merges = (segments: LiveSegment[], expected: number[]) =>
    t.same(numbersOf(segmentsToCompact(segments)), expected)

  merges(several(4), [1, 2, 3, 4])
  merges(several(6), [1, 2, 3, 4, 5, 6])
  merges(several(4).reverse(), [1, 2, 3, 4])
  merges([...several(3, { day: '2026-11-19' }), ...several(4, {}, 11)], [11, 12, 13, 14])
  merges([...several(3, { recordCount: 900 }), ...several(4, {}, 11)], [11, 12, 13, 14])
  merges(
    [16, 20, 40, 63].map((recordCount, i) => liveSegment(i + 1, { recordCount })),
    [1, 2, 3, 4],
  )
  // All but full blocks, and several small ones.
  merges(several(4, { recordCount: 0.75 * blockRecordsMax - 1 }), [1, 2, 3, 4])
  merges(several(4, { recordCount: blockRecordsMax, blockCount: 2 }), [1, 2, 3, 4])
})

t.test('segments that gain nothing, or are too few or too large, are left alone', async t => {
  const leaves = (...segments: LiveSegment[]) => t.same(segmentsToCompact(segments), [])

  leaves()
  leaves(...several(3))
  leaves(...[1, 2, 3, 4].map(day => liveSegment(day, { day: `2026-11-0${day}` })))
  leaves(...[1, 4, 16, 64].map((recordCount, i) => liveSegment(i, { recordCount })))
  leaves(...several(9, { recordCount: 0.75 * blockRecordsMax }))
  leaves(...several(9, { recordCount: 2 * blockRecordsMax, blockCount: 2 }))
  leaves(...several(9, { recordCount: 1_200_000, blockCount: 100 }))
  leaves(...several(9, { recordCount: 0, blockCount: 0 }))
})

t.test('one merge has four million records at most; the others wait for the next', async t => {
  const segments = several(6, { recordCount: 900_000, blockCount: 100 })
  t.same(numbersOf(segmentsToCompact(segments)), [1, 2, 3, 4])
})

t.test(
  'merging comes to an end, and writes no record again more often than its segment grows',
  async () => {
    forAll(fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 40 }), counts => {
      let segments: LiveSegment[] = []
      let number = 0
      let rewritten = 0
      for (const recordCount of counts) {
        segments.push(liveSegment(++number, { recordCount }))
        for (let chosen = segmentsToCompact(segments); chosen.length > 0; ) {
          const sum = chosen.reduce((sum, segment) => sum + segment.recordCount, 0)
          rewritten += sum
          const merged = liveSegment(++number, { recordCount: sum })
          segments = [...segments.filter(segment => !chosen.includes(segment)), merged]
          chosen = segmentsToCompact(segments)
        }
      }
      const total = counts.reduce((sum, count) => sum + count, 0)
      assert.equal(
        segments.reduce((sum, segment) => sum + segment.recordCount, 0),
        total,
      )
      const timesMax = Math.ceil(Math.log(total + 1) / Math.log(4))
      assert.ok(rewritten <= total * timesMax, `${rewritten} written for ${total}`)
      assert.ok(segments.length <= 3 * (timesMax + 1), `${segments.length} are left`)
    })
  },
)
