import fc from 'fast-check'
import t from 'tap'
import { RetryTimes } from '../../../src/http/body/retry-times.ts'

t.test('those that are refused at once come again one after the other', async t => {
  const times = new RetryTimes()
  const told = Array.from({ length: 60 }, () => times.next(5_000))
  t.same(told.slice(0, 4), [1, 2, 3, 4], 'a turn is taken for a second at first')
  t.ok(Math.max(...told) <= 30)
  const perSecond = Map.groupBy(told, seconds => seconds)
  t.ok(
    [...perSecond.values()].every(({ length }) => length <= 3),
    `not all in one second: ${told}`,
  )
})

t.test('the quicker the turns, the sooner one may come again', async t => {
  const quick = new RetryTimes()
  for (let turn = 0; turn < 40; turn++) quick.noteTurn(turn * 50, true)
  t.same(
    Array.from({ length: 19 }, () => quick.next(2_000)),
    Array.from({ length: 19 }, () => 1),
    'within a second of 50 ms each',
  )
  const slow = new RetryTimes()
  for (let turn = 0; turn < 40; turn++) slow.noteTurn(turn * 5_000, true)
  t.equal(slow.next(200_000), 5)
  t.equal(slow.next(200_000), 10)
})

t.test('a pause in which nobody waited is no turn', async t => {
  const times = new RetryTimes()
  times.noteTurn(0, true)
  times.noteTurn(1_000, false)
  times.noteTurn(3_600_000, true)
  t.equal(times.next(3_600_000), 1)
})

t.test('whatever came before, whole seconds from 1 to 30 are told', async () => {
  const steps = fc.array(fc.tuple(fc.nat(100_000), fc.boolean(), fc.boolean()))
  fc.assert(
    fc.property(steps, all => {
      const times = new RetryTimes()
      let now = 0
      return all.every(([ms, isTurn, othersWait]) => {
        now += ms
        if (isTurn) times.noteTurn(now, othersWait)
        const seconds = times.next(now)
        return Number.isInteger(seconds) && seconds >= 1 && seconds <= 30
      })
    }),
  )
})
