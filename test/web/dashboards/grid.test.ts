import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  arranged,
  atRank,
  bottomOf,
  columnCount,
  freePlace,
  onGrid,
  overlap,
  type Place,
  readingOrder,
  settled,
} from '../../../src/web/dashboards/model/grid.ts'

const place = fc
  .record({
    x: fc.integer({ min: -3, max: 14 }),
    y: fc.integer({ min: -2, max: 12 }),
    w: fc.integer({ min: 0, max: 14 }),
    h: fc.integer({ min: 0, max: 6 }),
  })
  .map(onGrid)
const places = fc.array(place, { minLength: 1, maxLength: 12 })

function assertNoOverlap(all: readonly Place[]): void {
  for (const [at, one] of all.entries()) {
    for (const other of all.slice(at + 1)) assert.ok(!overlap(one, other))
  }
}

t.test('any values become a place on the grid', async () => {
  const value = fc.double({ noNaN: true, min: -1e9, max: 1e9 })
  fc.assert(
    fc.property(fc.record({ x: value, y: value, w: value, h: value }), any => {
      const { x, y, w, h } = onGrid(any)
      assert.ok([x, y, w, h].every(Number.isInteger))
      assert.ok(x >= 0 && y >= 0 && w >= 1 && h >= 1 && x + w <= columnCount)
    }),
  )
})

t.test('widgets that overlap go down, and nothing else moves', async () => {
  fc.assert(
    fc.property(places, fc.nat(), (before, seed) => {
      const held = seed % before.length
      const after = settled(before, held)
      assertNoOverlap(after)
      assert.deepEqual(after[held], before[held], 'the one that is held stays')
      for (const [at, { x, y, w, h }] of after.entries()) {
        assert.deepEqual({ x, w, h }, { x: before[at]!.x, w: before[at]!.w, h: before[at]!.h })
        assert.ok(y >= before[at]!.y, 'never up')
      }
      assert.deepEqual(settled(after, held), after, 'and then they stay')
    }),
  )
})

t.test('places that do not overlap are left as they are', async () => {
  fc.assert(
    fc.property(places, all => {
      const apart = settled(all)
      assert.deepEqual(settled(apart), apart)
      const heights = apart.map(({ h }) => h)
      assert.deepEqual(arranged(apart, heights), apart)
    }),
  )
})

t.test('a widget can stand at any rank in reading order, and the others keep theirs', async () => {
  fc.assert(
    fc.property(places, fc.nat(), fc.nat(), (all, one, other) => {
      const [index, rank] = [one % all.length, other % all.length]
      const after = atRank(all, index, rank)
      assertNoOverlap(after)
      const before = readingOrder(settled(all)).filter(at => at !== index)
      assert.deepEqual(readingOrder(after), before.toSpliced(rank, 0, index))
      for (const [at, { w, h }] of after.entries()) {
        assert.deepEqual({ w, h }, { w: all[at]!.w, h: all[at]!.h })
      }
      const own = readingOrder(settled(all)).indexOf(index)
      assert.deepEqual(atRank(all, index, own), settled(all), 'its own rank changes nothing')
    }),
  )
})

t.test('widgets of one size change places, and leave no gap', async t => {
  const row = [0, 3, 6, 9].map(x => ({ x, y: 0, w: 3, h: 2 }))
  t.same(
    atRank(row, 0, 2).map(({ x }) => x),
    [6, 0, 3, 9],
  )
  const [stat, chart, list] = [
    { x: 0, y: 0, w: 3, h: 2 },
    { x: 3, y: 0, w: 9, h: 4 },
    { x: 0, y: 4, w: 12, h: 5 },
  ]
  t.same(atRank([stat, chart, list], 2, 0), [
    { ...stat, y: 5 },
    { ...chart, y: 5 },
    { ...list, y: 0 },
  ])
})

t.test('a free place overlaps nothing, and is the first that does', async () => {
  fc.assert(
    fc.property(places, place, (all, { w, h }) => {
      const taken = settled(all)
      const free = freePlace(taken, { w, h })
      assert.ok(taken.every(one => !overlap(one, free)))
      assert.ok(free.y <= bottomOf(taken) && free.x + free.w <= columnCount)
    }),
  )
})

t.test('what lies below a group moves with its height', async t => {
  const group = { x: 0, y: 0, w: 12, h: 4 }
  const below = { x: 0, y: 4, w: 6, h: 2 }
  t.same(arranged([group, below], [1, 2]), [
    { ...group, h: 1 },
    { ...below, y: 1 },
  ])
  t.same(arranged([group, below], [9, 2]), [
    { ...group, h: 9 },
    { ...below, y: 9 },
  ])
  fc.assert(
    fc.property(places, fc.array(fc.integer({ min: 1, max: 9 })), (all, heights) => {
      assertNoOverlap(
        arranged(
          all,
          all.map(({ h }, at) => heights[at] ?? h),
        ),
      )
    }),
  )
})

t.test('reading goes from the top down and from left to right', async t => {
  const at = (x: number, y: number) => ({ x, y, w: 1, h: 1 })
  t.same(readingOrder([at(4, 2), at(0, 2), at(8, 0), at(0, 3)]), [2, 1, 0, 3])
})
