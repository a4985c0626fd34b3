/** When parts of large requests are due. */
import * as fc from 'fast-check'
import t from 'tap'
import { PartPace } from '../../src/journal/part-pace.ts'

t.test('without others there is no rest', async t => {
  let now = 1000
  const pace = new PartPace(() => now)
  for (let i = 0; i < 5; i++) {
    t.equal(pace.takesPart(false, true), true)
    now += 30
    pace.partTook(30)
    t.equal(pace.restMs, 0)
  }
})

t.test('others that were here a while ago are no others', async t => {
  let now = 1000
  const pace = new PartPace(() => now)
  t.equal(pace.takesPart(true, true), false, 'they go first')
  t.equal(pace.takesPart(false, true), true)
  now += 30
  pace.partTook(30)
  t.equal(pace.restMs, 30)
  now += 300
  t.equal(pace.takesPart(false, true), true)
  now += 30
  pace.partTook(30)
  t.equal(pace.restMs, 0)
})

t.test('beside others parts have half of the time, and let small ones pass once', t => {
  const drawn = fc.array(fc.record({ hasSmall: fc.boolean(), ms: fc.integer({ min: 1, max: 50 }) }))
  fc.assert(
    fc.property(drawn, commits => {
      let now = 1000
      const pace = new PartPace(() => now)
      pace.takesPart(true, false) // Others are here, and come again before it is forgotten.
      let [dueAt, smallAt, hasPassed] = [0, now, false]
      for (const { hasSmall, ms } of commits) {
        if (hasSmall) smallAt = now
        const isDue = now >= dueAt
        const isTaken = isDue && (!hasSmall || hasPassed)
        if (isDue) hasPassed = !isTaken
        if (pace.takesPart(hasSmall, true) !== isTaken) return false
        now += ms
        if (!isTaken) continue
        pace.partTook(ms)
        dueAt = now - smallAt < 250 ? now + ms : 0
        if (pace.restMs !== Math.max(0, dueAt - now)) return false
      }
      return true
    }),
  )
  t.end()
})
