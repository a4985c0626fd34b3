/** Whether a thread has time for what the service does of itself. */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { SpareTime } from '../../src/threads/spare-time.ts'

const nobody = { begunCount: 0, awaitedCount: 0 }

/** A thread that others keep busy for `share` of its time, whose clock goes on when it is told to. */
function threadOf({ share = () => 0, requests = nobody }) {
  let nowMs = 1_000
  const none = { active: 0, idle: 0, utilization: 0 }
  const spareTime = new SpareTime({
    requests,
    now: () => nowMs,
    utilization: since => (since === undefined ? none : { ...none, utilization: share() }),
  })
  /** How long it rests now, ms, with a look every `everyMs`. */
  const rest = (everyMs = 20) => {
    const beganAt = nowMs
    while (spareTime.isScarce() && nowMs < beganAt + 10_000) nowMs += everyMs
    return nowMs - beganAt
  }
  return { spareTime, rest, work: (ms: number) => (nowMs += ms) }
}

t.test('where nobody else has work, it is looked for a moment before each stretch', async t => {
  const { rest, work } = threadOf({})
  t.equal(rest(), 20)
  for (let i = 0; i < 3; i++) {
    work(40)
    t.equal(rest(), 0)
    work(20)
    t.equal(rest(), 20)
  }
})

const others = {
  'others keep it busy': { share: () => 0.9 },
  'somebody waits for an answer of the disk': { requests: { begunCount: 1, awaitedCount: 1 } },
  'somebody asks one thing after the other, and waits for a moment at a time': {
    requests: {
      count: 0,
      get begunCount() {
        return this.count++
      },
      awaitedCount: 0,
    },
  },
}
for (const [what, thread] of Object.entries(others)) {
  t.test(`where ${what}, it has a stretch each four seconds`, async t => {
    const { rest, work } = threadOf(thread)
    for (let i = 0; i < 3; i++) {
      t.equal(rest(), 4_000)
      work(60)
    }
  })
}

t.test('as soon as they are through, it has time', async t => {
  let share = 1
  const { spareTime, rest, work } = threadOf({ share: () => share })
  for (let i = 0; i < 10; i++) {
    t.ok(spareTime.isScarce())
    work(20)
  }
  share = 0.1
  t.ok(rest() <= 20)
})

t.test('a look lasts long enough for a share of its time', async t => {
  let looks = 0
  const share = () => {
    looks++
    return 0
  }
  t.equal(threadOf({ share }).rest(1), 15)
  t.equal(looks, 1)
})

t.test(
  'whatever others do, it rests for four seconds at most, and a moment where they do little',
  async () => {
    const step = fc.record({
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      isAwaited: fc.boolean(),
      ms: fc.nat(200),
    })
    fc.assert(
      fc.property(fc.array(step), steps => {
        let now = { share: 0, isAwaited: false }
        const requests = {
          begunCount: 0,
          get awaitedCount() {
            return now.isAwaited ? 1 : 0
          },
        }
        const { rest, work } = threadOf({ share: () => now.share, requests })
        return steps.every(step => {
          now = step
          work(step.ms)
          const restedMs = rest()
          return restedMs <= (step.isAwaited || step.share > 0.25 ? 4_020 : 20)
        })
      }),
    )
  },
)

t.test('this thread, idle and busy', async t => {
  const restMs = async () => {
    const spareTime = new SpareTime({ requests: nobody })
    const beganAt = performance.now()
    while (spareTime.isScarce()) await pause(20)
    return performance.now() - beganAt
  }
  let isBusy = true
  const busy = (async () => {
    while (isBusy) {
      const until = performance.now() + 5
      while (performance.now() < until);
      await turn()
    }
  })()
  const busyMs = await restMs()
  isBusy = false
  await busy
  t.ok(busyMs >= 3_900, `${busyMs} ms of rest while it was busy`)
  // A neighbour may keep the processor: one of five is enough.
  const idle: number[] = []
  for (let i = 0; i < 5; i++) idle.push(await restMs())
  t.ok(Math.min(...idle) < 200, `${idle} ms while it was idle`)
})
