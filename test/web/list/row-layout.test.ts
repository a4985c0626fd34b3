import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { RowLayout } from '../../../src/web/list/row-layout.ts'

t.test('rows lie where adding up all heights puts them', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 50 }),
      fc.array(fc.tuple(fc.nat(60), fc.nat(300))),
      (rowHeight, count, opened) => {
        const extras = new Map(opened)
        const layout = new RowLayout(rowHeight, count, extras)
        let offset = 0
        for (let row = 0; row < count; row++) {
          const height = rowHeight + (extras.get(row) ?? 0)
          assert.equal(layout.offsetOf(row), offset)
          assert.equal(layout.rowAt(offset), row)
          assert.equal(layout.rowAt(offset + height - 1), row)
          offset += height
        }
        assert.equal(layout.height, offset)
        assert.equal(layout.rowAt(offset + 1_000), Math.max(0, count - 1))
      },
    ),
  )
})

t.test('an empty list has a first row and no height', async t => {
  const layout = new RowLayout(24, 0)
  t.equal(layout.height, 0)
  t.equal(layout.rowAt(100), 0)
})
