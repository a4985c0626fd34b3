/** What a store asks itself after a start, and that it gives way to everybody else. */
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import type { IndexEntry } from '../../../src/index/entry.ts'
import { ProblemError } from '../../../src/problems.ts'
import { type Kill, LaneThread } from '../../../src/query/lane-thread.ts'
import type { ScanTask } from '../../../src/query/scan-task.ts'
import type { LogRecord } from '../../../src/record.ts'
import { Askers } from '../../../src/store/answer/askers.ts'
import type { RunQuery } from '../../../src/store/answer/explore.ts'
import { warmUp, warmUpRanges, wholeOf } from '../../../src/store/answer/warm-up.ts'
import { until } from '../../until.ts'
import { allRecords, neverAborted, openStoreIn, openStoreOf } from '../store-in.ts'

const ranges = [{ startTime: 0, endTime: 10_000 }]
const record: LogRecord = {
  timestamp: 9_000,
  level: 'error',
  message: 'authentication failure; port 4711 from 10.0.0.7',
  attributes: ['host', 'web-1', 'duration_ms', '12.5', 'odd "name\\', '$x `\n'],
}

const stream = { service: 'sshd', environment: 'prod' }

/** Takes `tookMs` for each question, by the clock of `turns`, and says what was asked. */
function asking(tookMs: number) {
  let clock = 0
  const never = new AbortController().signal
  const turns = { isWanted: () => false, signal: never, now: () => clock }
  const asked: string[] = []
  const orders = new Set<string>()
  const run = async (
    query: { selector: unknown; limit: number; order: string },
    newCollector: () => unknown,
  ) => {
    if (query.limit > 0) orders.add(query.order)
    clock += tookMs
    const collector = newCollector() as { request?: { kind: string } } | undefined
    asked.push(`${collector?.request?.kind ?? 'records'} ${JSON.stringify(query.selector)}`)
    return { result: { records: [{ ...record, stream }] }, collector, stats: {} }
  }
  return { asked, orders, run: run as unknown as RunQuery, turns }
}

t.test('all kinds of questions are asked, about what the newest record says', async t => {
  const { asked, orders, run, turns } = asking(2)
  await warmUp(run, ranges, turns)
  t.same([...orders].sort(), ['asc', 'desc'])
  const all = asked.join('\n')
  for (const kind of ['records', 'histogram', 'groups', 'fields', 'facets', 'series']) {
    t.ok(all.includes(`${kind} {`), kind)
  }
  for (const text of [
    'authentication',
    'uthenticatio',
    '"11 "',
    '|~',
    '!=',
    'web-1',
    'web-x',
    'error',
  ]) {
    t.ok(all.includes(text), text)
  }
  t.equal(
    asked.length,
    1_502,
    'as many of 2 ms as take 3 s, and one for a record; the last has two parts',
  )
})

t.test('one question of each kind comes before the same in another way', async t => {
  // So long each that the time is over when each kind has been asked.
  const { asked, orders, run, turns } = asking(125)
  await warmUp(run, ranges, turns)
  t.equal(asked.length, 25)
  t.same([...orders], ['desc'])
  const at = (text: string) => asked.findIndex(one => one.includes(text))
  const kinds = ['records', '"authentication"', '"!="', 'web-1', 'web-x', '"=~"', '"11 "', '"|~"']
  const places = [...kinds, 'groups', 'series'].map(at)
  t.notOk(places.includes(-1), 'all kinds')
  t.same(
    places,
    places.toSorted((a, b) => a - b),
    'in this order',
  )
})

t.test('what is refused is not asked again, and keeps nothing else from being asked', async t => {
  const { asked, run, turns } = asking(2)
  const refusing = (async (query: { selector: unknown }, newCollector: () => unknown) => {
    const collector = newCollector() as { request?: { by?: readonly string[] } } | undefined
    const answer = await run(query as never, (() => collector) as never)
    if (collector?.request?.by?.includes('host'))
      throw new ProblemError('query_too_large', 'too many')
    return answer
  }) as unknown as RunQuery
  await warmUp(refusing, ranges, turns)
  t.equal(new Set(asked).size < asked.length / 2, true, 'round after round')
  t.ok(asked.some(text => text.startsWith('series')))
  const broken = async () => {
    throw new TypeError('a mistake')
  }
  const asks = warmUp(broken as unknown as RunQuery, ranges, turns)
  await t.rejects(asks, { message: 'a mistake' })
})

t.test('nothing is asked while somebody asks, nor after the end', async t => {
  const { asked, run: runAtOnce } = asking(1)
  const run = (async (...given: Parameters<RunQuery>) => {
    await pause(1)
    return runAtOnce(...given)
  }) as RunQuery
  const askers = new Askers()
  const closing = new AbortController()
  const isWanted = () => !askers.areQuiet(50)
  const warm = warmUp(run, ranges, { isWanted, signal: closing.signal })
  await pause(30)
  const leave = askers.enter()
  await pause(5)
  const before = asked.length
  t.ok(before > 1)
  await pause(100)
  t.equal(asked.length, before, 'somebody waits for an answer')
  leave()
  await pause(20)
  t.equal(asked.length, before, 'and may ask again')
  await pause(150)
  t.ok(asked.length > before)
  closing.abort(new Error('closed'))
  await t.rejects(warm, { message: 'closed' })
  const atEnd = asked.length
  await pause(50)
  t.equal(asked.length, atEnd)
})

t.test('each question is asked about one range after the other', async t => {
  const many = Array.from({ length: 3 }, (_, i) => ({ startTime: 10 * i, endTime: 10 * i + 5 }))
  const askedOf = new Map<string, Set<number>>()
  const { run, turns } = asking(1)
  const noting = (async (
    query: { selector: unknown; startTime: number },
    newCollector: () => never,
  ) => {
    const key = `${JSON.stringify(query.selector)} ${JSON.stringify(newCollector()) ?? ''}`
    const times = askedOf.get(key) ?? new Set()
    askedOf.set(key, times.add(query.startTime))
    return run(query as never, newCollector)
  }) as unknown as RunQuery
  await warmUp(noting, many, turns)
  t.ok(askedOf.size > 30)
  const ofAll = [...askedOf.values()].filter(times => times.size === many.length)
  t.ok(ofAll.length > 20, `${ofAll.length} of ${askedOf.size} questions about all ranges`)
})

t.test('what opens no blocks is asked about all of time, and nothing else is', async t => {
  const { run, turns } = asking(1)
  const ofAll = new Set<string>()
  const range = { startTime: -5, endTime: 20_000 }
  const noting = (async (
    query: {
      selector: { matchers: { label: string; value: string }[]; filters: { text: string }[] }
      startTime: number
    },
    newCollector: () => { request: { kind: string } } | undefined,
  ) => {
    if (query.startTime === range.startTime) {
      const labels = query.selector.matchers.map(({ label, value }) => `${label}=${value}`).join()
      const texts = query.selector.filters.map(({ text }) => text).join()
      ofAll.add(`${newCollector()?.request.kind ?? 'records'} ${labels}${texts}`)
    }
    return run(query as never, newCollector as never)
  }) as unknown as RunQuery
  await warmUp(noting, ranges, turns, { range, levels: ['warn', 'info'] })
  t.same([...ofAll].sort(), [
    'groups ',
    'records ',
    'records host=web-x',
    'records log_level=info',
    'records log_level=warn',
    'records service.name=sshd,log_level=error',
    'records text that is nowhere',
  ])
})

t.test('what is nowhere is asked twice before other times, and once if it takes long', async t => {
  const whole = { range: { startTime: -5, endTime: 20_000 }, levels: ['warn'] }
  const timesAsked = async (tookMs: number) => {
    const { run, turns } = asking(1)
    let more = 0
    let [times, ofRanges, timesBefore] = [0, 0, 0]
    const noting = (async (
      query: { selector: unknown; startTime: number },
      newCollector: () => unknown,
    ) => {
      const isWhole = query.startTime === whole.range.startTime
      if (!isWhole && ofRanges++ === 1) timesBefore = times // The first is for a record.
      if (isWhole && JSON.stringify(query.selector).includes('web-x')) {
        times++
        more += tookMs
      }
      return run(query as never, newCollector as never)
    }) as unknown as RunQuery
    await warmUp(noting, ranges, { ...turns, now: () => turns.now() + more }, whole)
    return { times, timesBefore }
  }
  const quick = await timesAsked(1)
  t.equal(quick.timesBefore, 2)
  t.ok(quick.times > 4)
  t.equal((await timesAsked(600)).times, 1)
})

t.test('the whole is the time of all entries, and the levels of most records', async t => {
  const entry = (minTimestamp: number, maxTimestamp: number, levelCounts: (string | number)[]) =>
    ({ minTimestamp, maxTimestamp, levelCounts }) as unknown as IndexEntry
  t.equal(wholeOf([]), undefined)
  t.same(wholeOf([entry(5, 9, ['a', 2, 'b', 3]), entry(-3, 4, ['a', 2]), entry(6, 8, ['c', 1])]), {
    range: { startTime: -3, endTime: 9 },
    levels: ['a', 'b', 'c'],
  })
  const levels = Array.from({ length: 9 }, (_, i) => [`level-${i}`, i + 1]).flat()
  t.equal(wholeOf([entry(1, 2, levels)])!.levels.length, 6)
})

t.test('ranges lie in few sources each, from the newest to the oldest', async t => {
  const entry = (minTimestamp: number, maxTimestamp: number) =>
    ({ minTimestamp, maxTimestamp }) as IndexEntry
  t.same(warmUpRanges([]), [])
  t.same(warmUpRanges([entry(5, 9)]), [{ startTime: 5, endTime: 9 }])
  const some = Array.from({ length: 40 }, (_, i) => entry(10 * i, 10 * i + 30))
  t.same(warmUpRanges(some), [
    { startTime: 390, endTime: 420 },
    { startTime: 310, endTime: 340 },
    { startTime: 230, endTime: 260 },
    { startTime: 150, endTime: 180 },
    { startTime: 70, endTime: 100 },
  ])
  const many = Array.from({ length: 10_000 }, (_, i) => entry(10 * i, 10 * i + 30))
  const ranges = warmUpRanges(many)
  t.equal(ranges.length, 24)
  t.equal(ranges[0]!.endTime, 100_020)
  t.ok(ranges.at(-1)!.startTime < 5_000, 'however many there are')
})

t.test('who asks meanwhile has the next turn at once', async t => {
  const directory = t.testdir()
  const { run } = LaneThread.prototype
  const turns: (number | undefined)[] = []
  t.teardown(() => Object.assign(LaneThread.prototype, { run }))
  Object.assign(LaneThread.prototype, {
    run(this: LaneThread, name: string, task: Partial<ScanTask>, kill: Kill) {
      if (name === 'scan') turns.push(task.turn?.turnMs)
      return run.call(this, name, task, kill)
    },
  })
  const store = await openStoreOf(t, directory)
  for (let i = 0; i < 20; i++) await store.append(record, stream)
  await store.settle()
  const warm = store.warmUp()
  while (turns.length === 0) await pause(5)
  t.same([...new Set(turns)], [5], 'questions of its own hold a thread for 5 ms')
  turns.length = 0
  await store.select(allRecords, neverAborted)
  t.ok(turns.includes(50), 'others for 50')
  await store.close()
  await warm
})

t.test('a store asks itself, uncounted, and closes in the middle', async t => {
  const queries: unknown[] = []
  const metrics = {
    noteQuery: (stats: unknown) => queries.push(stats),
    noteFailedQuery: () => queries.push('failed'),
    noteDamagedBlocks: () => queries.push('damaged'),
  }
  const log: Record<string, unknown>[] = []
  const directory = t.testdir()
  const store = await openStoreIn(directory, { metrics, log })
  for (let i = 0; i < 200; i++) {
    await store.append({ ...record, message: `${record.message} ${i}` }, stream)
    if (i === 100) await store.settle()
  }
  await store.close()
  let ownQueries = 0
  const ownMetrics = {
    noteQuery: () => ownQueries++,
    noteFailedQuery() {},
    noteDamagedBlocks() {},
  }
  const reopened = await openStoreIn(directory, { metrics, ownMetrics, log })
  const warm = reopened.warmUp()
  await until(() => ownQueries > 0) // Where nobody sees it.
  const closedFrom = performance.now()
  await reopened.close()
  await warm
  t.ok(performance.now() - closedFrom < 2_000, 'it does not ask all of it first')
  t.same(queries, [])
  t.notOk(log.some(({ msg }) => msg === 'warming up failed'))
})
