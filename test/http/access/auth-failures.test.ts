import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { AuthFailures } from '../../../src/http/access/auth-failures.ts'
import { forAll } from '../../for-all.ts'

const windowMs = 60_000

function countFailures(bounds: { failuresMax: number; addressesMax: number }) {
  const clock = { now: 0 }
  const failures = new AuthFailures({ ...bounds, windowMs, now: () => clock.now })
  return { clock, failures }
}

t.test('at the bound a failure is told as it is, one past it is refused', async t => {
  const { failures } = countFailures({ failuresMax: 3, addressesMax: 10 })
  for (let i = 0; i < 3; i++) t.match(failures.note('a'), { kind: 'within' })
  t.match(failures.note('a'), { kind: 'beyond', retryAfterSeconds: 60, isFirst: true })
  t.match(failures.note('a'), { kind: 'beyond', retryAfterSeconds: 60, isFirst: false })
  t.match(failures.note('b'), { kind: 'within' }, 'another address has a count of its own')
})

t.test('a window ends by the clock, and not a millisecond earlier', async t => {
  const { clock, failures } = countFailures({ failuresMax: 1, addressesMax: 10 })
  failures.note('a')
  clock.now = 1
  t.match(failures.note('a'), { kind: 'beyond', retryAfterSeconds: 60 })
  clock.now = windowMs - 1
  t.match(failures.note('a'), { kind: 'beyond', retryAfterSeconds: 1 })
  clock.now = windowMs
  t.match(failures.note('a'), { kind: 'within' })
  t.match(failures.note('a'), { kind: 'beyond', isFirst: true }, 'of the new window')
})

t.test('a flood of addresses takes no more memory than there is for them', async t => {
  const { failures } = countFailures({ failuresMax: 1, addressesMax: 100 })
  for (let i = 0; i < 100_000; i++) {
    failures.note(`address ${i}`)
    if (failures.addressCount > 100) throw new Error(`${failures.addressCount} are remembered`)
  }
  t.equal(failures.addressCount, 100)
  t.match(failures.note('address 99999'), { kind: 'beyond' }, 'the latest is still known')
  t.match(failures.note('address 0'), { kind: 'within' }, 'the oldest is forgotten')
})

t.test('verdicts are those of a plain list of windows', async () => {
  const step = fc.record({ address: fc.integer({ min: 0, max: 3 }), waitMs: fc.nat(windowMs) })
  forAll(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (steps, max) => {
    const { clock, failures } = countFailures({ failuresMax: max, addressesMax: 4 })
    const begun = new Map<number, { at: number; count: number }>()
    for (const { address, waitMs } of steps) {
      clock.now += Math.floor(waitMs / 10)
      const known = begun.get(address)
      const isOver = known === undefined || clock.now - known.at >= windowMs
      const window = isOver ? { at: clock.now, count: 0 } : known
      begun.set(address, window)
      window.count++
      const { kind } = failures.note(String(address))
      assert.equal(kind, window.count <= max ? 'within' : 'beyond')
    }
  })
})
