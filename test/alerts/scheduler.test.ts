import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { Scheduler } from '../../src/alerts/scheduler.ts'
import { limits } from '../../src/limits.ts'

t.test('so many run at once, the longest overdue first', async t => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const runningMax = limits.alertEvaluationsMax
  const scheduler = new Scheduler({
    now: () => 1_000,
    runningMax,
    async run(id) {
      begun.push(id)
      await new Promise<void>(resolve => ends.set(id, resolve))
      return undefined
    },
  })
  scheduler.set('later', 5_000)
  scheduler.set('first', 10)
  scheduler.set('third', 300)
  scheduler.set('second', 20)
  scheduler.set('fourth', 900)
  t.equal(runningMax, 2)
  t.same(begun, ['first', 'third'], 'what is due when it is set begins at once')
  ends.get('third')!()
  await nextTurn()
  t.same(begun, ['first', 'third', 'second'])
  scheduler.set('fourth', undefined)
  ends.get('first')!()
  await nextTurn()
  t.same(begun, ['first', 'third', 'second'], 'what was taken off is not run')
  ends.get('second')!()
  await scheduler.stop()
})

t.test('what is set while it runs is run again, once', async t => {
  let runs = 0
  const scheduler = new Scheduler({
    now: () => 0,
    runningMax: 1,
    async run() {
      runs++
      if (runs === 1) scheduler.set('a', 0)
      return undefined
    },
  })
  scheduler.set('a', 0)
  for (let i = 0; i < 5; i++) await nextTurn()
  t.equal(runs, 2)
  await scheduler.stop()
})

t.test('a timer waits for what is due', async t => {
  const ran: number[] = []
  const done = Promise.withResolvers<void>()
  const scheduler = new Scheduler({
    now: Date.now,
    runningMax: 1,
    async run() {
      ran.push(Date.now())
      if (ran.length === 3) done.resolve()
      return Date.now() + 10
    },
  })
  scheduler.set('a', Date.now() + 10)
  const alive = setInterval(() => {}, 1_000)
  await done.promise
  clearInterval(alive)
  await scheduler.stop()
  const count = ran.length
  await new Promise(resolve => setTimeout(resolve, 30))
  t.equal(ran.length, count, 'nothing runs after the end')
})
