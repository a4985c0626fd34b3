import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { LocalStore } from '../../../src/store/local-store.ts'
import { type KnownClock, RetentionClock } from '../../../src/store/maintain/retention-clock.ts'
import { dayMs, hourMs } from '../../../src/time-units.ts'
import { messagesIn, openStoreIn } from '../store-in.ts'

const yearMs = 365 * dayMs
const start = 1_000 * dayMs

/** A retention clock over a clock and a passing of time that the test sets. */
function clockAt(clock: number, known?: KnownClock) {
  const given = { clock, passed: 0 }
  const doubts: (readonly [number, number])[] = []
  const beliefs: number[] = []
  const retentionClock = new RetentionClock({
    now: () => given.clock,
    monotonic: () => given.passed,
    known,
    onDoubt: (...times) => doubts.push(times),
    onBelief: time => beliefs.push(time),
  })
  return {
    doubts,
    beliefs,
    known: () => retentionClock.known,
    /** Time passes; the clock moves by as much, or by `moves`. */
    after(ms: number, moves = ms): number {
      given.passed += ms
      given.clock += moves
      return retentionClock.time()
    },
  }
}

t.test('a clock that goes as time does, or is set by a day at most, is believed', async t => {
  const { after, doubts } = clockAt(start)
  t.equal(after(0), start)
  t.equal(after(10), start + 10)
  t.equal(after(3 * dayMs), start + 3 * dayMs + 10, 'a long time between two looks')
  t.equal(after(0, dayMs), start + 4 * dayMs + 10, 'a day ahead')
  t.equal(after(0, -dayMs), start + 3 * dayMs + 10, 'a day back')
  t.same(doubts, [])
})

t.test('a clock that jumps ahead is not believed for a day, then it is', async t => {
  const { after, doubts, beliefs } = clockAt(start)
  after(0)
  t.equal(after(1, dayMs + 2), start + 1)
  t.same(doubts, [[start + dayMs + 2, start + 1]])
  t.equal(after(dayMs - 1), start + dayMs, 'time passes meanwhile')
  t.equal(doubts.length, 1, 'it is told once')
  t.same(beliefs, [])
  t.equal(after(1), start + 2 * dayMs + 2)
  t.same(beliefs, [start + 2 * dayMs + 2])
  t.equal(after(5), start + 2 * dayMs + 7)
  t.equal(after(1, yearMs), start + 2 * dayMs + 8, 'the next jump is doubted, too')
  t.equal(doubts.length, 2)
})

t.test('a clock that is set right is believed at once, and doubted anew', async t => {
  const { after, doubts, beliefs } = clockAt(start)
  after(0)
  after(hourMs, hourMs + yearMs)
  t.equal(after(hourMs, hourMs - yearMs), start + 2 * hourMs)
  t.same(beliefs, [start + 2 * hourMs])
  t.equal(after(23 * hourMs, 23 * hourMs + yearMs), start + 25 * hourMs)
  t.equal(after(hourMs), start + 26 * hourMs, 'the day of doubt counts from the second jump')
  t.equal(doubts.length, 2)
})

t.test('a clock that jumps again while it is in doubt begins its day anew', async t => {
  const { after, doubts } = clockAt(start)
  after(0)
  after(0, yearMs)
  after(23 * hourMs)
  after(0, yearMs)
  t.equal(after(23 * hourMs), start + 46 * hourMs)
  t.equal(doubts.length, 2)
  t.equal(after(hourMs), start + 47 * hourMs + 2 * yearMs)
})

t.test('a clock that goes back deletes less at once, and its way home is no jump', async t => {
  const { after, doubts } = clockAt(start)
  after(0)
  t.equal(after(1, -yearMs), start - yearMs)
  t.equal(doubts.length, 1)
  t.equal(after(hourMs), start - yearMs + hourMs)
  t.equal(after(0, yearMs), start + hourMs, 'home')
  t.equal(doubts.length, 1)

  after(0, -yearMs)
  t.equal(after(dayMs), start + hourMs + dayMs - yearMs, 'after a day it is believed')
  t.equal(after(1, yearMs), start + hourMs + dayMs - yearMs + 1, 'and going ahead is a jump')
})

t.test('what is known is taken over from the process before', async t => {
  const gives = (known: KnownClock | undefined, expected: number, doubtCount: number) => {
    const { after, doubts } = clockAt(start, known)
    t.equal(after(0), expected)
    t.equal(doubts.length, doubtCount)
  }
  gives(undefined, start, 0)
  gives({ time: start - dayMs }, start, 0)
  gives({ time: start - dayMs - 1 }, start - dayMs - 1, 1)
  gives({ time: start - yearMs }, start - yearMs, 1)
  gives({ time: start + yearMs }, start, 1)

  const first = clockAt(start)
  first.after(0, yearMs)
  first.after(13 * hourMs)
  const second = clockAt(start + yearMs + 14 * hourMs, first.known())
  t.equal(second.after(0), start + 13 * hourMs)
  t.equal(second.doubts.length, 1, 'each process tells')
  t.equal(second.after(10 * hourMs), start + 23 * hourMs)
  t.equal(second.after(hourMs), start + yearMs + 25 * hourMs, 'a day of running in all')
})

t.test('a clock that is years ahead lets retention delete nothing, also after a start', async t => {
  const dataDir = t.testdir()
  const log: Record<string, unknown>[] = []
  const clock = { now: start }
  const open = () =>
    openStoreIn(dataDir, { flags: ['--retention-age', '30d'], now: () => clock.now, log })
  const append = async (store: LocalStore, message: string) => {
    const record = { timestamp: clock.now, level: 'info', message, attributes: [] }
    await store.append(record, { service: 'a', environment: 'b' })
    await store.settle()
  }
  const warnings = () => log.filter(({ msg }) => /clock is days ahead of/.test(String(msg))).length
  const first = await open()
  await append(first, 'before')
  await first.close()

  clock.now += 5 * yearMs
  const second = await open()
  t.teardown(() => second.close())
  await second.settle()
  t.same(await messagesIn(second), ['before'])
  t.equal(warnings(), 1)
  await append(second, 'under the wrong clock')
  clock.now = start + 1
  await append(second, 'after')
  t.same(await messagesIn(second), ['before', 'after', 'under the wrong clock'])
  clock.now += 5 * yearMs
  await append(second, 'wrong again')
  t.equal((await messagesIn(second)).length, 4)
  t.equal(warnings(), 2)
})

t.test('what is known survives damage and older versions, and can be told', async t => {
  const dataDir = t.testdir()
  const file = join(dataDir, 'retention-clock.json')
  const log: Record<string, unknown>[] = []
  const clock = { now: start }
  const open = async (...more: string[]) => {
    const flags = ['--retention-age', '30d', ...more]
    const store = await openStoreIn(dataDir, { flags, now: () => clock.now, log })
    await store.settle()
    return store
  }
  const keeps = async (expected: readonly string[], what: string, ...flags: string[]) => {
    const store = await open(...flags)
    t.same(await messagesIn(store), expected, what)
    await store.close()
  }
  const first = await open()
  const record = { timestamp: clock.now, level: 'info', message: 'old', attributes: [] }
  await first.append(record, { service: 'a', environment: 'b' })
  await first.settle()
  await first.close()
  t.match(JSON.parse(fs.readFileSync(file, 'utf8')), { format: 1, time: start, doubt: undefined })

  clock.now += yearMs
  fs.rmSync(file)
  await keeps(['old'], 'a version that kept nothing has its segments')
  t.match(JSON.parse(fs.readFileSync(file, 'utf8')), { doubt: { apartMs: Number } })
  fs.writeFileSync(file, '{"format":1,"time"')
  await keeps(['old'], 'a file that cannot be read says nothing')
  t.equal(log.filter(({ msg }) => /cannot be read/.test(String(msg))).length, 1)
  await keeps([], 'somebody says that the clock is right', '--accept-clock')
  await keeps([], 'which is kept')
  t.match(JSON.parse(fs.readFileSync(file, 'utf8')), { time: start + yearMs })
})
