import fc from 'fast-check'
import t from 'tap'
import { StateRows } from '../../src/columns/state-rows.ts'
import { statesMax } from '../../src/match/state-table.ts'
import { forAll } from '../for-all.ts'

t.test('rows give back what they were given, of any state, and nothing else', async () => {
  const step = fc.record({
    rows: fc.nat(100),
    row: fc.nat(),
    state: fc.oneof(fc.nat(70), fc.nat(statesMax - 1)),
    value: fc.integer({ min: -1, max: statesMax - 1 }),
  })
  forAll(fc.array(step, { maxLength: 60 }), steps => {
    const rows = new StateRows()
    const model = new Map<string, number>()
    let rowCount = 0
    for (const { rows: more, row: any, state, value } of steps) {
      if (rows.add(more) !== rowCount) return false
      rowCount += more
      if (rowCount === 0) continue
      const row = any % rowCount
      if (rows.get(row, state) !== model.get(`${row} ${state}`)) return false
      rows.set(row, state, value)
      model.set(`${row} ${state}`, value)
    }
    for (let row = 0; row < rowCount; row += 7) {
      for (let state = 0; state < statesMax; state++) {
        if (rows.get(row, state) !== model.get(`${row} ${state}`)) return false
      }
    }
    return true
  })
})
