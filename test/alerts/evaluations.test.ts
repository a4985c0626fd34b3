/**
 * A rule that is evaluated moment by moment, over restarts and pauses, a preview of the same time, and a plain
 * model of what an alert is come to the same.
 */

import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { Evaluator } from '../../src/alerts/evaluator.ts'
import { Ledger } from '../../src/alerts/ledger.ts'
import { previewOf } from '../../src/alerts/preview.ts'
import { type Rule, readRule } from '../../src/alerts/rule.ts'
import { limits } from '../../src/limits.ts'
import { ProblemError } from '../../src/problems.ts'
import { secondMs } from '../../src/time-units.ts'
import { forAllAsync } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'
import { until } from '../until.ts'
import { noLogger, noMetrics } from './alerts-in.ts'
import { type PlainRecord, type PlainStore, plainStore } from './plain-store.ts'
import { type MemoryShelf, memoryShelf } from './shelf-in-memory.ts'
import { soon } from './soon.ts'

/** A multiple of every interval here. */
const begin = 1_700_000_400_000

interface World {
  readonly shelf: MemoryShelf
  readonly store: PlainStore
  readonly clock: { time: number }
  ledger: Ledger
  evaluator: Evaluator
}

function open(world: Pick<World, 'shelf' | 'store' | 'clock'>): World {
  const now = () => world.clock.time
  const ledger = new Ledger(world.shelf, now)
  const { store } = world
  const evaluator = new Evaluator({
    ledger,
    store,
    now,
    config: { queryTimeoutMs: 5_000 },
    logger: noLogger,
    metrics: noMetrics,
    onEvaluated() {},
  })
  return { ...world, ledger, evaluator }
}

function newWorld(records: readonly PlainRecord[]): World {
  return open({ shelf: memoryShelf(), store: plainStore(records), clock: { time: begin } })
}

async function makeRule({ ledger }: World, rule: object): Promise<string> {
  return (await ledger.saveRule(undefined, readRule(rule).rule)).id
}

/** Evaluates what is due at a time. */
async function evaluateAt(world: World, id: string, time: number): Promise<void> {
  world.clock.time = time
  world.evaluator.look(id)
  const moment = Math.floor(time / secondMs) * secondMs
  await soon(() => world.ledger.states.get(id).evaluatedFor === moment)
}

/** What happened, the earliest first. */
function happened({ ledger }: World): (readonly [string, number, string])[] {
  return ledger.history
    .list(Number.POSITIVE_INFINITY)
    .map(({ kind, at, labels }) => [kind, at, labels.group ?? ''] as const)
    .sort(byTime)
}

type Event = readonly [kind: string, at: number, group: string]

function byTime([kind, at, group]: Event, [otherKind, otherAt, otherGroup]: Event): number {
  const [one, other] = [`${group} ${kind}`, `${otherGroup} ${otherKind}`]
  return at - otherAt || (one < other ? -1 : Number(one > other))
}

/** What an alert is: whether a group fires at a moment follows from what it was at all moments up to it. */
function modelled(rule: Rule, records: readonly PlainRecord[], momentCount: number): Event[] {
  const isGrouped = rule.query.includes('by')
  const groups = isGrouped ? ['a', 'b'] : ['']
  const moments = Array.from({ length: momentCount }, (_, i) => begin + i * secondMs)
  const valueAt = (group: string, moment: number) => {
    const end = moment - rule.delayMs
    const found = records.filter(
      one => (!isGrouped || one.group === group) && one.at > end - rule.windowMs && one.at <= end,
    )
    return isGrouped && found.length === 0 ? undefined : found.length
  }
  /** Whether the condition holds; undefined: it is neither said that it does nor that it does not. */
  const verdict = (group: string, moment: number): boolean | undefined => {
    const values = groups.map(one => valueAt(one, moment))
    if (rule.noData === 'alert' && isGrouped && group === '') {
      return values.every(value => value === undefined)
    }
    const value = valueAt(group, moment)
    if (value === undefined) return rule.noData === 'keep' ? undefined : false
    return rule.condition.op === '>'
      ? value > rule.condition.threshold
      : value < rule.condition.threshold
  }
  const firesAt = (group: string, index: number) => {
    const verdicts = moments.slice(0, index + 1).map(moment => verdict(group, moment))
    const since = verdicts.lastIndexOf(false) + 1
    const begun = verdicts.indexOf(true, since)
    return verdicts.some(
      (one, i) =>
        one === true && i >= begun && begun >= since && (i - begun) * secondMs >= rule.forMs,
    )
  }
  const all = isGrouped && rule.noData === 'alert' ? [...groups, ''] : groups
  return all
    .flatMap(group =>
      moments.flatMap((moment, i): Event[] => {
        const before = i > 0 && firesAt(group, i - 1)
        const now = firesAt(group, i)
        if (before === now) return []
        return [[now ? 'fired' : 'resolved', moment, group]]
      }),
    )
    .sort(byTime)
}

const arbitraryRule = fc
  .record({
    query: fc.constantFrom('count(logs)', 'logs', 'count by (group) (logs)'),
    condition: fc.record({
      op: fc.constantFrom('>' as const, '<' as const),
      threshold: fc.integer({ min: 0, max: 3 }),
    }),
    windowMs: fc.constantFrom(1_000, 2_500, 6_000),
    forMs: fc.constantFrom(0, 0, 1_000, 3_000),
    delayMs: fc.constantFrom(0, 700),
    noData: fc.constantFrom('ok' as const, 'keep' as const, 'alert' as const),
  })
  .map(rule => ({ name: 'a rule', everyMs: secondMs, message: '', ...rule }))

const arbitraryRecords = fc.array(
  fc.record({
    // Many lie at the very end of a window.
    at: fc.integer({ min: -80, max: 300 }).map(tenths => begin + tenths * 100),
    group: fc.constantFrom('a', 'b'),
  }),
  { maxLength: 60 },
)

/** After how many moments somebody looks again, and whether the process was another one then. */
const arbitraryLooks = fc.array(
  fc.record({ after: fc.constantFrom(1, 1, 1, 2, 7), isRestart: fc.boolean() }),
  { minLength: 8, maxLength: 25 },
)

t.test('evaluated, foreseen and modelled, alerts are the same', async t => {
  let firedCount = 0
  await forAllAsync(
    longRuns(300),
    arbitraryRule,
    arbitraryRecords,
    arbitraryLooks,
    async (asked, records, looks) => {
      const { rule } = readRule(asked)
      let world = newWorld(records)
      const id = await makeRule(world, asked)
      await evaluateAt(world, id, begin)
      let index = 0
      for (const { after, isRestart } of looks) {
        index += after
        if (isRestart) {
          await world.evaluator.close()
          world = open(world)
        }
        await evaluateAt(world, id, begin + index * secondMs + 300)
      }
      const expected = modelled(rule, records, index + 1)
      assert.deepEqual(happened(world), expected)

      const range = { startTime: begin, endTime: begin + index * secondMs }
      const { signal } = new AbortController()
      const preview = await previewOf(plainStore(records), rule, range, signal)
      const foreseen = preview.firings.flatMap(({ labels, startedAt, resolvedAt }): Event[] => {
        const group = labels.group ?? ''
        const end: Event[] = resolvedAt === null ? [] : [['resolved', resolvedAt, group]]
        return [['fired', startedAt, group], ...end]
      })
      assert.deepEqual(foreseen.sort(byTime), expected)
      assert.equal(preview.fired, expected.filter(([kind]) => kind === 'fired').length)
      firedCount += preview.fired
      await world.evaluator.close()
    },
  )
  t.ok(firedCount > 50, `${firedCount} alerts fired`)
})

const firing = { name: 'r', query: 'logs', condition: { op: '>=', threshold: 0 }, everyMs: 1_000 }

t.test('what was missed is asked for at once, and not for ever', async t => {
  const world = newWorld([])
  const id = await makeRule(world, firing)
  await evaluateAt(world, id, begin)
  await evaluateAt(world, id, begin + 100 * secondMs)
  const { asked } = world.store
  t.equal(asked.length, 2)
  t.equal(asked.at(-1)?.pointCount, 100)
  const missedCount = limits.alertCatchUpRunsMax + 50
  await evaluateAt(world, id, begin + (100 + missedCount) * secondMs)
  t.equal(asked.length, 3)
  t.equal(asked.at(-1)?.pointCount, limits.alertCatchUpRunsMax)
  await world.evaluator.close()
})

t.test('a clock that was wrong by far does not stop a rule', async t => {
  const world = newWorld([])
  const id = await makeRule(world, firing)
  await evaluateAt(world, id, begin + 1e9)
  await evaluateAt(world, id, begin)
  t.equal(world.store.asked.length, 2)
  await world.evaluator.close()
})

t.test('a query that is refused says so, and is tried again at the next moment', async t => {
  const world = newWorld([])
  const id = await makeRule(world, firing)
  world.store.failure = new ProblemError('query_too_large', 'too many groups')
  await evaluateAt(world, id, begin)
  t.match(world.ledger.states.get(id), { error: 'too many groups', alerts: [] })
  world.store.failure = undefined
  await evaluateAt(world, id, begin + 5 * secondMs)
  t.equal(world.store.asked.at(-1)?.pointCount, 5)
  t.equal(world.ledger.states.get(id).error, undefined)
  await world.evaluator.close()
})

t.test('what cannot be written has not happened, and happens when it can', async t => {
  const world = newWorld([])
  const id = await makeRule(world, firing)
  world.shelf.isFailing = true
  world.evaluator.look(id)
  await soon(() => world.ledger.states.get(id).error !== undefined)
  t.same(happened(world), [])
  world.shelf.isFailing = false
  await evaluateAt(world, id, begin + 2 * secondMs)
  t.same(happened(world), [['fired', begin + 2 * secondMs, '']])
  await world.evaluator.close()
})

t.test('a rule of another subject ends its alerts, and one that is deleted too', async t => {
  const world = newWorld([])
  const { ledger } = world
  const id = await makeRule(world, firing)
  await evaluateAt(world, id, begin)
  const kinds = () => happened(world).map(([kind]) => kind)
  t.same(kinds(), ['fired'])
  await ledger.saveRule(id, readRule({ ...firing, forMs: 9 }).rule)
  t.same(kinds(), ['fired'], 'the same subject: it goes on')
  world.clock.time += secondMs
  await ledger.saveRule(id, readRule({ ...firing, query: 'logs{a="b"}' }).rule)
  t.same(kinds(), ['fired', 'resolved'])
  await evaluateAt(world, id, begin + 2 * secondMs)
  world.clock.time += secondMs
  await ledger.deleteRule(id)
  t.same(kinds(), ['fired', 'resolved', 'fired', 'resolved'])
  await world.evaluator.close()
})

t.test('alertHistoryMax, and the oldest goes first', async t => {
  const world = newWorld([])
  const id = await makeRule(world, firing)
  for (let i = 0; i < limits.alertHistoryMax / 2 + 5; i++) {
    await evaluateAt(world, id, begin + i * secondMs)
    await world.ledger.saveRule(id, readRule({ ...firing, windowMs: 1_000 + i }).rule)
  }
  const kept = world.ledger.history.list(Number.POSITIVE_INFINITY)
  t.equal(kept.length, limits.alertHistoryMax)
  const again = open(world).ledger.history.list(Number.POSITIVE_INFINITY)
  t.same(again, kept)
  t.same(world.ledger.history.list(3), kept.slice(0, 3), 'the latest first')
  t.same(world.ledger.history.list(2, kept[2]!.id), kept.slice(3, 5))
  t.same(world.ledger.history.list(2, undefined, 'other'), [])
  await world.evaluator.close()
})

t.test('alertChangesMax, of what was missed the last', async t => {
  // In every other second there is a record.
  const records = Array.from({ length: 700 }, (_, i) => ({ at: begin + i * 2_000, group: 'a' }))
  const world = newWorld(records)
  const rule = { ...firing, condition: { op: '>', threshold: 0 }, windowMs: 1_000, delayMs: 0 }
  const id = await makeRule(world, rule)
  await evaluateAt(world, id, begin)
  await evaluateAt(world, id, begin + 1_400 * secondMs)
  const kept = happened(world)
  t.equal(kept.length, limits.alertChangesMax + 1, 'and the one from before')
  t.same(kept.at(-1), ['resolved', begin + 1_399 * secondMs, ''])
  await world.evaluator.close()
})

t.test('queries without an end are given up, and others have their turn', async t => {
  const world = newWorld([])
  const hanging = new Set<string>()
  const { store } = world
  const plain = store.series
  store.series = async (request, signal) => {
    const { selector } = request.aggregate
    if (selector.filters.length === 0) return plain(request, signal)
    hanging.add(selector.filters[0]!.text)
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }
  for (let i = 0; i < limits.alertEvaluationsMax + 1; i++) {
    await world.ledger.saveRule(`slow-${i}`, readRule({ ...firing, query: `logs |= "${i}"` }).rule)
  }
  const id = await makeRule(world, firing)
  const evaluator = new Evaluator({
    ledger: world.ledger,
    store,
    now: () => world.clock.time,
    config: { queryTimeoutMs: 40 },
    logger: noLogger,
    metrics: noMetrics,
    onEvaluated() {},
  })
  evaluator.start()
  t.ok(hanging.size <= limits.alertEvaluationsMax, 'so many at once')
  await until(() => world.ledger.states.get(id).evaluatedFor === begin)
  await until(() => world.ledger.states.get('slow-2').error !== undefined)
  t.match(world.ledger.states.get('slow-0').error, /given up after 40 ms/)
  await evaluator.close()
})
