import t from 'tap'
import type { Selector } from '../../src/query/ast.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import { RetentionClock } from '../../src/store/retention-clock.ts'
import { neverAborted, openStoreIn } from './store-in.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const yearMs = 365 * dayMs
const start = 1_000 * dayMs

/** A retention clock over a clock and a passing of time that the test sets. */
function clockAt(clock: number, newest?: number) {
  const given = { clock, passed: 0 }
  const doubts: (readonly [number, number])[] = []
  const segments =
    newest === undefined ? [] : [{ maxTimestamp: newest - 9 }, { maxTimestamp: newest }]
  const retentionClock = new RetentionClock({
    now: () => given.clock,
    monotonic: () => given.passed,
    onDoubt: (...times) => doubts.push(times),
  })
  return {
    doubts,
    /** Time passes; the clock moves by as much, or by `moves`. */
    after(ms: number, moves = ms): number {
      given.passed += ms
      given.clock += moves
      return retentionClock.time(segments)
    },
  }
}

t.test('a clock that goes as time does, or is set a little or back, is believed', async t => {
  const { after, doubts } = clockAt(start)
  t.equal(after(0), start)
  t.equal(after(10), start + 10)
  t.equal(after(3 * dayMs), start + 3 * dayMs + 10, 'a long time between two looks')
  t.equal(after(0, dayMs), start + 4 * dayMs + 10, 'a day ahead')
  t.equal(after(0, -yearMs), start + 4 * dayMs + 10 - yearMs)
  t.same(doubts, [])
})

t.test('a clock that jumps ahead is not believed for a day, then it is', async t => {
  const { after, doubts } = clockAt(start)
  after(0)
  t.equal(after(1, dayMs + 2), start + 1)
  t.same(doubts, [[start + dayMs + 2, start + 1]])
  t.equal(after(dayMs - 1), start + dayMs, 'time passes meanwhile')
  t.equal(doubts.length, 1, 'it is told once')
  t.equal(after(1), start + 2 * dayMs + 2)
  t.equal(after(5), start + 2 * dayMs + 7)
  t.equal(after(1, yearMs), start + 2 * dayMs + 8, 'the next jump is doubted, too')
  t.equal(doubts.length, 2)
})

t.test('a clock that is set right is believed at once, and doubted anew', async t => {
  const { after, doubts } = clockAt(start)
  after(0)
  after(hourMs, hourMs + yearMs)
  t.equal(after(hourMs, hourMs - yearMs), start + 2 * hourMs)
  t.equal(after(23 * hourMs, 23 * hourMs + yearMs), start + 25 * hourMs)
  t.equal(after(hourMs), start + 26 * hourMs, 'the day of doubt counts from the second jump')
  t.equal(doubts.length, 2)
})

t.test('at the start the newest record tells what the time was', async t => {
  const gives = (newest: number | undefined, expected: number, doubtCount: number) => {
    const { after, doubts } = clockAt(start, newest)
    t.equal(after(0), expected)
    t.equal(doubts.length, doubtCount)
  }
  gives(undefined, start, 0)
  gives(start - dayMs, start, 0)
  gives(start - dayMs - 1, start - dayMs - 1, 1)
  gives(start - yearMs, start - yearMs, 1)
  gives(start + yearMs, start, 0)
})

const all: Selector = { kind: 'selector', matchers: [], filters: [] }

async function messagesIn(store: LocalStore): Promise<string[]> {
  const request = { selector: all, startTime: 0, endTime: 8.64e15, limit: 100 }
  const answer = await store.select({ ...request, order: 'asc', cursor: undefined }, neverAborted)
  return answer.records.map(({ message }) => message)
}

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
  const warnings = () => log.filter(({ msg }) => /clock is days ahead/.test(String(msg))).length
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
