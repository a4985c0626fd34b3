import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { makeRandom } from '../../bench/random.ts'
import { patternOfMessage } from '../../src/columns/patterns/message-pattern.ts'
import { everyRecord } from '../../src/language/ast.ts'
import { limits } from '../../src/limits.ts'
import { BucketCounts } from '../../src/query/collect/bucket-counts.ts'
import { Patterns } from '../../src/query/collect/patterns.ts'
import { changeOf, isMore } from '../../src/query/compare/change.ts'
import type { ExecuteResult } from '../../src/query/execute.ts'
import { type TimeRange, timeMax } from '../../src/record.ts'
import { changesOf } from '../../src/store/answer/changes.ts'
import type { RunQuery } from '../../src/store/answer/explore.ts'
import type { ChangesRequest } from '../../src/store/answer/pattern-answers.ts'
import type { SelectStats } from '../../src/store/store.ts'
import { forAllAsync } from '../for-all.ts'
import { longRuns, share } from '../long-runs.ts'
import { labelValue } from '../query/plain.ts'
import {
  appendTogether,
  matchingRows,
  openFilledStore,
  rangesFrom,
  type Stored,
  sampleOf,
  storedAt,
} from './random-store.ts'
import { neverAborted, openStoreOf } from './store-in.ts'

const timestamp = fc.integer({ min: -3_000, max: 3_000 })

const arbitraryRange = rangesFrom(-3_100, 3_000, fc.nat(3_000))

const counted = (rows: readonly Stored[], has: (row: Stored) => boolean) => ({
  count: rows.filter(has).length,
  total: rows.length,
})

t.test('what changed is told by plain counts of what lies around', async t => {
  // What is not of the usual level happens within a second.
  const rows = sampleOf(storedAt(timestamp), 600).map(({ record, stream }): Stored => {
    const time = record.level === 'info' ? record.timestamp : Math.abs(record.timestamp % 1_000)
    return { record: { ...record, timestamp: time }, stream }
  })
  const store = await openFilledStore(t, rows, 400, 40)
  let found = 0
  await forAllAsync(
    longRuns(150),
    arbitraryRange,
    fc.option(arbitraryRange),
    async (range, compareWith) => {
      const request: ChangesRequest = {
        ...{ selector: everyRecord, ...range, bucketMs: 10_000, limit: 1_000 },
        ...(compareWith && { compareWith }),
      }
      const answer = await store.changes(request, neverAborted)
      const now = matchingRows(rows, request)
      const before = answer.compareWith.flatMap(other =>
        matchingRows(rows, { ...request, ...other }),
      )
      assert.deepEqual([answer.count, answer.countBefore], [now.length, before.length])
      if (compareWith === null) assert.ok(before.every(row => !now.includes(row)))
      for (const { pattern, count, change } of answer.patterns) {
        const has = ({ record }: Stored) => patternOfMessage(record.message).id === pattern
        assert.equal(count, counted(now, has).count)
        assert.deepEqual(change, changeOf(counted(now, has), counted(before, has)))
      }
      for (const { field, value, count, countBefore, score } of answer.values) {
        const has = ({ record, stream }: Stored) => labelValue(field, record, stream) === value
        // Of an attribute that a record lacks the plain value is empty, too.
        if (value === '') continue
        assert.equal(count, counted(now, has).count)
        assert.equal(countBefore, counted(before, has).count)
        assert.equal(score, changeOf(counted(now, has), counted(before, has)).score)
        assert.ok(score > 10)
      }
      const kinds = Map.groupBy(now, ({ record }) => patternOfMessage(record.message).id)
      const more = [...kinds].filter(([id]) => {
        const has = ({ record }: Stored) => patternOfMessage(record.message).id === id
        return isMore(changeOf(counted(now, has), counted(before, has)))
      })
      assert.deepEqual(
        new Set(answer.patterns.map(({ pattern }) => pattern)),
        new Set(more.map(([id]) => id)),
      )
      found += answer.values.length > 0 ? 1 : 0
    },
  )
  t.ok(found > share(10), `${found} times something had changed`)
})

/** Kinds of a range, each with its count, as those are told who were asked for more than are kept. */
function runOf(kindsOf: (range: TimeRange) => readonly (readonly [text: string, count: number])[]) {
  const run: RunQuery = async (query, newCollector) => {
    const collector = newCollector()
    let count = 0
    if (collector instanceof Patterns) {
      const patterns = kindsOf(query).map(([text, found]) => {
        count += found
        const times = { firstSeen: query.startTime, lastSeen: query.startTime }
        const none = { levels: new Map(), services: new Map(), samples: [], sampledCount: 0 }
        const buckets = new BucketCounts().toPlain()
        return { ...patternOfMessage(text), count: found, ...times, ...none, buckets }
      })
      collector.addPlain({ patterns, forgottenCount: 0 })
    }
    const result = { count } as ExecuteResult
    return { result, collector, stats: {} as SelectStats }
  }
  return run
}

t.test('of kinds that were forgotten no less than none lies around a time', async t => {
  const letters = (n: number) => String(n).replace(/[0-9]/g, digit => 'abcdefghij'[+digit]!)
  const usual = Array.from(
    { length: limits.patternsMax },
    (_, i) => [`${letters(i)} came`, 100] as const,
  )
  const inRange = [['refused', 60] as const, ['usual', 40] as const]
  const range = { startTime: 1_000, endTime: 1_999, bucketMs: 1_000 }
  const run = runOf(asked =>
    asked.startTime === range.startTime ? inRange : [...usual, ['refused', 60], ['usual', 9_000]],
  )
  const request = { selector: everyRecord, ...range, limit: 10, compareWith: undefined }
  const answer = await changesOf(request, run)
  t.match(answer, { count: 100, countBefore: 100 * usual.length + 8_960, truncated: true })
  const totals = [100, answer.countBefore] as const
  const changes = [
    changeOf({ count: 60, total: totals[0] }, { count: 0, total: totals[1] }),
    changeOf({ count: 40, total: totals[0] }, { count: 8_960, total: totals[1] }),
  ]
  t.same(
    answer.patterns.map(({ text, change }) => [text, change]),
    [
      ['refused', changes[0]],
      ['usual', changes[1]],
    ],
  )
})

t.test('what lies around a time ends where times end', async t => {
  const store = await openStoreOf(t, t.testdir())
  const aroundOf = async (startTime: number, endTime: number) => {
    const range = { startTime, endTime, bucketMs: 1e15, limit: 1 }
    return (await store.changes({ selector: everyRecord, ...range }, neverAborted)).compareWith
  }
  t.same(await aroundOf(-timeMax, timeMax), [], 'there is nothing around all times')
  t.same(await aroundOf(1 - timeMax, 8e15), [
    { startTime: -timeMax, endTime: -timeMax },
    { startTime: 8e15 + 1, endTime: timeMax },
  ])
  t.same(await aroundOf(0, timeMax), [{ startTime: -timeMax, endTime: -1 }])
})

t.test('an incident among much else comes first, whatever the volume', async t => {
  const store = await openStoreOf(t, t.testdir())
  const row = (timestamp: number, message: string, host: string): Stored => ({
    record: { timestamp, level: 'info', message, attributes: ['host', host, 'id', `${timestamp}`] },
    stream: { service: 'a', environment: 'b' },
  })
  const usual = Array.from({ length: 3_000 }, (_, i) => row(i, `served ${i}`, `h${i % 3}`))
  // Twice the volume of the usual, and an error of one host.
  const burst = Array.from({ length: 1_000 }, (_, i) => row(1_000 + i, `served ${i}`, `h${i % 3}`))
  const errors = Array.from({ length: 400 }, (_, i) => row(1_200 + i, `refused by db-${i}`, 'h1'))
  await appendTogether(store, [...usual, ...burst, ...errors])
  const answer = await store.changes(
    { selector: everyRecord, startTime: 1_000, endTime: 1_999, bucketMs: 100, limit: 10 },
    neverAborted,
  )
  t.match(answer, { count: 2_400, countBefore: 2_000, fieldsLeftOut: ['id'] })
  t.match(answer.patterns, [
    { text: 'refused by db-<*>', count: 400, change: { kind: 'new', countBefore: 0 } },
  ])
  t.equal(answer.patterns.length, 1, 'twice as many of all is no change')
  t.match(answer.values[0], { field: 'host', value: 'h1' })
  t.same(answer.compareWith, [
    { startTime: 0, endTime: 999 },
    { startTime: 2_000, endTime: 2_999 },
  ])
})

/** Records whose kinds, levels and hosts are drawn from the same urn whatever their time. */
function drawn(seed: number, count: number, timeOf: (i: number) => number): Stored[] {
  const random = makeRandom(seed)
  const pick = <T>(all: readonly T[]) => all[Math.floor(random.unit() ** 2 * all.length)]!
  const words = 'alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima'.split(
    ' ',
  )
  return Array.from({ length: count }, (_, i): Stored => {
    const message = `${pick(words)} took ${i} ms`
    const attributes = ['host', pick(words), 'status', pick(['200', '404', '500'])]
    const level = pick(['info', 'warn', 'error'])
    const stream = { service: pick(['a', 'b']), environment: 'p' }
    return { record: { timestamp: timeOf(i), level, message, attributes }, stream }
  })
}

const inner = { startTime: 10_000, endTime: 19_999 }

t.test(
  'where nothing changes hardly anything is found, and what was changed comes first',
  async t => {
    let looked = 0
    let found = 0
    for (let seed = 1; seed <= 6; seed++) {
      const store = await openStoreOf(t, `${t.testdir()}/${seed}`)
      // A time of ten times the usual volume is no change either.
      const rows = drawn(seed, 6_000, i =>
        i < 1_000 ? i * 10 : i < 5_000 ? 10_000 + i : 20_000 + i,
      )
      await appendTogether(store, rows)
      const request = { selector: everyRecord, ...inner, bucketMs: 10_000, limit: 1_000 }
      const quiet = await store.changes(request, neverAborted)
      t.equal(quiet.count, 4_000)
      looked += 12 + 12 + 3 + 3 + 2
      found += quiet.patterns.length + quiet.values.length

      const planted = Array.from(
        { length: 60 },
        (_, i): Stored => ({
          record: {
            ...{ timestamp: 12_000 + i, level: 'error', message: `pool db-${i} is exhausted` },
            attributes: ['host', 'zulu', 'status', '500'],
          },
          stream: { service: 'a', environment: 'p' },
        }),
      )
      await appendTogether(store, planted)
      const incident = await store.changes(request, neverAborted)
      t.match(incident.patterns[0], { text: 'pool db-<*> is exhausted', change: { kind: 'new' } })
      t.match(incident.values[0], { field: 'host', value: 'zulu', count: 60, countBefore: 0 })
      await store.close()
    }
    // By chance alone one of a thousand, of which half have become fewer and are not shown.
    t.ok(found <= (3 * looked) / 1_000, `${found} of ${looked}`)
  },
)
