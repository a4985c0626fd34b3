import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { patternOfMessage } from '../../src/columns/patterns/message-pattern.ts'
import { everyRecord } from '../../src/language/ast.ts'
import { limits } from '../../src/limits.ts'
import { changeOf } from '../../src/query/compare/change.ts'
import type { PatternAnswer, PatternsRequest } from '../../src/store/answer/pattern-answers.ts'
import type { RecordsRequest, Store } from '../../src/store/store.ts'
import { forAllAsync } from '../for-all.ts'
import { longRuns, share } from '../long-runs.ts'
import { arbitrarySelector } from '../query/plain.ts'
import {
  appendParts,
  appendTogether,
  countsOf,
  matchingRows,
  openRandomStore,
  rangesFrom,
  type Stored,
} from './random-store.ts'
import { neverAborted, openStoreOf } from './store-in.ts'

const timestamp = fc.integer({ min: -3_000, max: 3_000 })

const arbitraryRange = rangesFrom(-3_100, 3_000, fc.nat(6_000))

/** The records of each pattern. */
function byPattern(rows: readonly Stored[], request: RecordsRequest): Map<string, Stored[]> {
  return Map.groupBy(
    matchingRows(rows, request),
    ({ record }) => patternOfMessage(record.message).id,
  )
}

/** What is said of a pattern, worked out in the plainest way. */
function plainly(rows: readonly Stored[], { startTime, endTime, bucketMs }: PatternsRequest) {
  const times = rows.map(({ record }) => record.timestamp)
  const first = Math.floor(startTime / bucketMs)
  const buckets = new Array<number>(Math.floor(endTime / bucketMs) - first + 1).fill(0)
  for (const time of times) buckets[Math.floor(time / bucketMs) - first]!++
  return {
    text: patternOfMessage(rows[0]!.record.message).text,
    count: rows.length,
    levels: Object.fromEntries(countsOf(rows.map(({ record }) => record.level))),
    services: Object.fromEntries(countsOf(rows.map(({ stream }) => stream.service))),
    firstSeen: Math.min(...times),
    lastSeen: Math.max(...times),
    buckets,
  }
}

function toldOf({ text, count, levels, services, firstSeen, lastSeen, buckets }: PatternAnswer) {
  const plain = { levels: { ...levels }, services: { ...services } }
  return { text, count, ...plain, firstSeen: firstSeen + 0, lastSeen: lastSeen + 0, buckets }
}

t.test('patterns are what a plain count over all messages gives', async t => {
  const { store, rows } = await openRandomStore(t, timestamp)
  let matched = 0
  await forAllAsync(
    longRuns(150),
    arbitrarySelector,
    arbitraryRange,
    fc.integer({ min: 50, max: 1_000 }),
    async (selector, range, bucketMs) => {
      const request = { selector, ...range, bucketMs, limit: 1_000 }
      const answer = await store.patterns(request, neverAborted)
      const expected = byPattern(rows, request)
      assert.equal(answer.count, matchingRows(rows, request).length)
      assert.equal(answer.patternCount, expected.size)
      assert.equal(answer.patterns.length, expected.size)
      for (const pattern of answer.patterns) {
        const own = expected.get(pattern.pattern)
        assert.ok(own !== undefined)
        assert.deepEqual(toldOf(pattern), plainly(own, request))
        assert.equal(pattern.share, own.length / answer.count)
        assert.equal(pattern.variables.length, pattern.text.split('<*>').length - 1)
      }
      const counts = answer.patterns.map(({ count }) => count)
      assert.deepEqual(
        counts,
        counts.toSorted((a, b) => b - a),
      )
      matched += expected.size > 0 ? 1 : 0
    },
  )
  t.ok(matched > share(20), `${matched} times there were some`)
})

t.test('changes are from the counts of both times', async t => {
  const { store, rows } = await openRandomStore(t, timestamp)
  await forAllAsync(longRuns(60), arbitraryRange, arbitraryRange, async (range, compareWith) => {
    const request = {
      selector: everyRecord,
      ...range,
      bucketMs: 10_000,
      limit: 1_000,
      compareWith,
    }
    const answer = await store.patterns(request, neverAborted)
    const now = byPattern(rows, request)
    const before = byPattern(rows, { ...request, ...compareWith })
    const totalOf = (all: Map<string, Stored[]>) => [...all.values()].flat().length
    const ids = new Set([...now.keys(), ...before.keys()])
    assert.deepEqual(new Set(answer.patterns.map(({ pattern }) => pattern)), ids)
    assert.equal(answer.countBefore, totalOf(before))
    for (const { pattern, count, change } of answer.patterns) {
      const countBefore = before.get(pattern)?.length ?? 0
      assert.equal(count, now.get(pattern)?.length ?? 0)
      const expected = changeOf(
        { count, total: totalOf(now) },
        { count: countBefore, total: totalOf(before) },
      )
      assert.deepEqual(change, expected)
    }
    const strengths = answer.patterns.map(({ change }) => Math.abs(change!.score))
    assert.deepEqual(
      strengths,
      strengths.toSorted((a, b) => b - a),
    )
  })
})

const ask = (store: Store, more: Partial<PatternsRequest> = {}) =>
  store.patterns(
    { selector: everyRecord, startTime: 0, endTime: 9_999, bucketMs: 1_000, limit: 50, ...more },
    neverAborted,
  )

t.test('ids are the same before and after sealing and compaction', async t => {
  const store = await openStoreOf(t, t.testdir(), { flags: ['--journal-file-bytes', '4KiB'] })
  const users = 'anna bert carl dora emil fred gina hans'.split(' ')
  const rowAt = (i: number) => ({
    record: {
      timestamp: i,
      level: 'info',
      message: `row ${i} of ${users[i % 8]} at /a/${i} says "x${i}"`,
      attributes: [],
    },
    stream: { service: 'a', environment: 'b' },
  })
  const seen: unknown[] = []
  for (let from = 0; from < 600; from += 200) {
    const rows = Array.from({ length: 200 }, (_, i) => rowAt(from + i))
    await appendTogether(store, rows)
  }
  const tell = async () => {
    const { patterns, patternCount } = await ask(store)
    seen.push([patternCount, patterns.map(toldOf), patterns.map(({ pattern }) => pattern)])
  }
  await tell()
  await store.settle()
  await tell()
  t.equal(store.stats().journalRecords, 0)
  t.same(seen[1], seen[0])
  const { patterns } = await ask(store, { limit: 1 })
  t.match(patterns[0]?.text, /^row <\*> of [a-z]+ at <\*> says "<\*>"$/)
  t.equal(patterns[0]?.variables.length, 3)
  t.match(patterns[0]?.variables[1]?.samples[0], /^\/a\/[0-9]+$/)
})

t.test(
  'ten times the volume of the same shares is no change; what is more among it is',
  async t => {
    const store = await openStoreOf(t, t.testdir())
    const kinds = ['opened by', 'closed by', 'moved to', 'read from', 'lost at']
    const rowsAt = (from: number, count: number): Stored[] =>
      Array.from({ length: count }, (_, i) => ({
        record: {
          ...{ timestamp: from + (i % 1_000), level: 'info', attributes: [] },
          message: `file ${kinds[Math.floor(Math.sqrt(i % 25))]} ${i}`,
        },
        stream: { service: 'a', environment: 'b' },
      }))
    await appendTogether(store, [...rowsAt(0, 500), ...rowsAt(5_000, 5_000)])
    const request = {
      ...{ startTime: 5_000, endTime: 5_999 },
      compareWith: { startTime: 0, endTime: 999 },
    }
    const kindsOf = ({ patterns }: { patterns: readonly PatternAnswer[] }) =>
      patterns.map(({ text, change }) => [text, change?.kind])
    const same = await ask(store, request)
    t.same([same.count, same.countBefore, same.patternCount], [5_000, 500, 5])
    t.same(new Set(same.patterns.map(({ change }) => change?.kind)), new Set(['same']))
    t.same(new Set(same.patterns.map(({ change }) => change?.score)), new Set([0]))
    const lost = rowsAt(5_000, 5_000).filter(({ record }) => record.message.includes('lost at'))
    await appendTogether(store, lost)
    const grown = kindsOf(await ask(store, request))
    t.same(grown[0], ['file lost at <*>', 'grown'])
    const shrunk = kindsOf(await ask(store, { ...request.compareWith, compareWith: request }))
    t.same(shrunk[0], ['file lost at <*>', 'shrunk'])
  },
)

t.test(
  'of more kinds than are kept the frequent ones are exact, and the answer says it is cut',
  async t => {
    const store = await openStoreOf(t, t.testdir())
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    const wordOf = (n: number) =>
      [...n.toString(26)].map(digit => letters[parseInt(digit, 26)]).join('')
    const rowOf = (message: string, i: number): Stored => ({
      record: { timestamp: i % 10_000, level: 'info', message, attributes: [] },
      stream: { service: 'a', environment: 'b' },
    })
    const count = limits.patternsMax + 500
    const rows = Array.from({ length: count }, (_, i) =>
      rowOf(i % 50 === 0 ? `common ${i}` : `${wordOf(i)} ${wordOf(i * 7)} came`, i),
    )
    await appendParts(store, rows, 5_000)
    const look = async () => {
      const { patterns, ...answer } = await ask(store, { limit: 1_000 })
      t.match(answer, { count, truncated: true })
      t.ok(answer.patternCount <= limits.patternsMax)
      t.match(patterns[0], { text: 'common <*>', count: Math.ceil(count / 50) })
      t.ok(patterns.slice(1).every(pattern => pattern.count === 1))
    }
    await look()
    await store.settle()
    await look()
    const whole = await ask(store, { endTime: 4_999 })
    const expected = new Set(
      rows
        .filter(({ record }) => record.timestamp < 5_000)
        .map(({ record }) => patternOfMessage(record.message).id),
    )
    t.equal(whole.truncated, undefined, 'of a part of the time all are kept')
    t.equal(whole.patternCount, expected.size)
  },
)
