import fc from 'fast-check'
import t from 'tap'
import { StateRows } from '../../src/columns/state-rows.ts'
import { statesMax } from '../../src/match/state-table.ts'
import { forAll } from '../for-all.ts'

t.test('rows give back what they were given, of any state, and nothing else', async () => {
  const step = fc.record({
    rows: fc.oneof(fc.nat(10), fc.constantFrom(511, 512, 513, 2_000)),
    row: fc.nat(),
    state: fc.oneof(fc.nat(70), fc.nat(statesMax - 1)),
    value: fc.integer({ min: -1, max: statesMax - 1 }),
  })
  forAll(fc.array(step, { maxLength: 60 }), steps => {
    const rows = new StateRows()
    const model = new Map<string, number>()
    const made: number[] = []
    for (const { rows: more, row: any, state, value } of steps) {
      const first = rows.add(more)
      for (let i = 0; i < more; i++) made.push(first + i)
      if (made.length === 0) continue
      const row = made[any % made.length]!
      if (rows.get(row, state) !== model.get(`${row} ${state}`)) return false
      rows.set(row, state, value)
      model.set(`${row} ${state}`, value)
    }
    if (new Set(made).size !== made.length) return false
    for (const row of made) {
      for (const state of [0, 1, 63, 64, 65, statesMax - 1]) {
        if (rows.get(row, state) !== model.get(`${row} ${state}`)) return false
      }
    }
    return true
  })
})
