import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { patternOfMessage } from '../../../src/columns/patterns/message-pattern.ts'
import {
  type LevelPattern,
  levelPatterns,
} from '../../../src/http/resources/loki/patterns/level-patterns.ts'
import { everyRecord } from '../../../src/language/ast.ts'
import { limits } from '../../../src/limits.ts'
import { longRuns, share } from '../../long-runs.ts'
import { arbitrarySelector } from '../../query/plain.ts'
import {
  appendTogether,
  matchingRows,
  openRandomStore,
  type Stored,
} from '../../store/random-store.ts'
import { neverAborted, openStoreOf } from '../../store/store-in.ts'

const points = (stepMs: number, pointCount = 250) => ({ start: 0, stepMs, pointCount })

/** The samples of each pattern and level, counted one by one. */
function plainly(rows: readonly Stored[], stepMs: number) {
  const kindOf = ({ record }: Stored) =>
    JSON.stringify([patternOfMessage(record.message).text.replaceAll('<*>', '<_>'), record.level])
  const secondOf = ({ record }: Stored) =>
    Math.floor((Math.floor(record.timestamp / stepMs) * stepMs) / 1000)
  const kinds = Map.groupBy(rows, kindOf)
  const samplesOf = (own: readonly Stored[]) =>
    [...Map.groupBy(own, secondOf)].map(([second, { length }]) => [second, length])
  const inOrder = (samples: number[][]) => samples.sort(([a], [b]) => a! - b!)
  return new Map([...kinds].map(([kind, own]) => [kind, inOrder(samplesOf(own))]))
}

function byKind(patterns: readonly LevelPattern[]) {
  return new Map(
    patterns.map(({ pattern, level, samples }) => [JSON.stringify([pattern, level]), samples]),
  )
}

t.test('kinds of each level are those of a plain count, the most frequent first', async t => {
  const { store, rows } = await openRandomStore(t, fc.integer({ min: -9_000, max: 9_000 }))
  let matched = 0
  await fc.assert(
    fc.asyncProperty(
      arbitrarySelector,
      fc.tuple(fc.integer({ min: -9_000, max: 9_000 }), fc.nat(9_000)),
      fc.constantFrom(100, 300, 1_000, 7_000),
      async (selector, [startTime, length], stepMs) => {
        const times = { startTime, endTime: startTime + length }
        const asked = { selector, times, points: points(stepMs) }
        const patterns = await levelPatterns(store, asked, neverAborted)
        const expected = plainly(matchingRows(rows, { selector, ...times }), stepMs)
        assert.deepEqual(byKind(patterns), expected)
        const counts = patterns.map(({ samples }) => samples.reduce((sum, [, n]) => sum + n, 0))
        assert.deepEqual(
          counts,
          counts.toSorted((a, b) => b - a),
        )
        matched += expected.size > 1 ? 1 : 0
      },
    ),
    longRuns(60),
  )
  t.ok(matched > share(4), `${matched} times there were several`)
})

t.test('all messages count, and as many samples are given as an answer may have', async t => {
  const store = await openStoreOf(t, t.testdir())
  const count = limits.lokiEntriesMax + 1_000
  const rows = Array.from(
    { length: count },
    (_, i): Stored => ({
      record: {
        timestamp: i,
        level: 'info',
        message: i < 10 ? 'rare' : `took ${i}`,
        attributes: [],
      },
      stream: { service: 'a', environment: 'b' },
    }),
  )
  await appendTogether(store, rows)
  const ask = (pointCount: number) =>
    levelPatterns(
      store,
      {
        ...{ selector: everyRecord, times: { startTime: 0, endTime: count } },
        points: points(1e6, pointCount),
      },
      neverAborted,
    )
  t.same(await ask(250), [
    { pattern: 'took <_>', level: 'info', samples: [[0, count - 10]] },
    { pattern: 'rare', level: 'info', samples: [[0, 10]] },
  ])
  t.equal((await ask(limits.lokiPatternSamplesMax)).length, 1)
})
