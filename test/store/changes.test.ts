import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { patternOfMessage } from '../../src/columns/patterns/message-pattern.ts'
import { everyRecord } from '../../src/language/ast.ts'
import { changeOf } from '../../src/query/compare/change.ts'
import { timeMax } from '../../src/record.ts'
import type { ChangesRequest } from '../../src/store/answer/pattern-answers.ts'
import { longRuns, share } from '../long-runs.ts'
import { labelValue } from '../query/plain.ts'
import { appendTogether, matchingRows, openRandomStore, type Stored } from './random-store.ts'
import { neverAborted, openStoreOf } from './store-in.ts'

const timestamp = fc.integer({ min: -3_000, max: 3_000 })

const arbitraryRange = fc
  .tuple(fc.integer({ min: -3_100, max: 3_000 }), fc.integer({ min: 0, max: 3_000 }))
  .map(([startTime, length]) => ({ startTime, endTime: startTime + length }))

const counted = (rows: readonly Stored[], has: (row: Stored) => boolean) => ({
  count: rows.filter(has).length,
  total: rows.length,
})

t.test('what changed is told by plain counts of what lies around', async t => {
  const { store, rows } = await openRandomStore(t, timestamp)
  let found = 0
  await fc.assert(
    fc.asyncProperty(arbitraryRange, fc.option(arbitraryRange), async (range, compareWith) => {
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
        assert.ok(score > 0)
      }
      found += answer.values.length > 0 && answer.patterns.length > 0 ? 1 : 0
    }),
    longRuns(60),
  )
  t.ok(found > share(15), `${found} times something had changed`)
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
  const errors = Array.from({ length: 40 }, (_, i) => row(1_200 + i, `refused by db-${i}`, 'h1'))
  await appendTogether(store, [...usual, ...burst, ...errors])
  const answer = await store.changes(
    { selector: everyRecord, startTime: 1_000, endTime: 1_999, bucketMs: 100, limit: 10 },
    neverAborted,
  )
  t.match(answer, { count: 2_040, countBefore: 2_000, fieldsLeftOut: ['id'] })
  t.match(answer.patterns, [
    { text: 'refused by db-<*>', count: 40, change: { kind: 'new', countBefore: 0 } },
  ])
  t.equal(answer.patterns.length, 1, 'twice as many of all is no change')
  t.match(answer.values[0], { field: 'host', value: 'h1' })
  t.same(answer.compareWith, [
    { startTime: 0, endTime: 999 },
    { startTime: 2_000, endTime: 2_999 },
  ])
})
