import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord, type Selector } from '../../../src/language/ast.ts'
import { parseSingle } from '../../../src/language/grammar.ts'
import type { DistinctStage, Stage } from '../../../src/language/stage.ts'
import { limits } from '../../../src/limits.ts'
import type { Order } from '../../../src/query/top-k.ts'
import type { RecordsRequest, Store } from '../../../src/store/store.ts'
import { forAllAsync } from '../../for-all.ts'
import { longRuns, share } from '../../long-runs.ts'
import { arbitrarySelector, labelValue } from '../../query/plain.ts'
import { matchingRows, openRandomStore, type Stored } from '../random-store.ts'
import { allRecords, neverAborted, openStoreOf, recordsIn } from '../store-in.ts'

const names = ['service.name', 'environment', 'log_level', 'user.id', 'status', 'path', 'absent']

/** What stages of the next property leave of records that are in order, in the plainest way. */
function throughPlainly(stages: readonly Stage[], rows: readonly Stored[]): readonly Stored[] {
  const value = (label: string, { record, stream }: Stored) => {
    const own = { service_name: 'service.name', detected_level: 'log_level', user_id: 'user.id' }
    return labelValue(own[label as keyof typeof own] ?? label, record, stream)
  }
  return stages.reduce((left, stage) => {
    if (stage.kind === 'distinct') {
      const known = new Set<string>()
      return left.filter(row => {
        const key = JSON.stringify(stage.labels.map(label => value(label, row)))
        return !known.has(key) && known.add(key)
      })
    }
    const condition = stage.kind === 'filter' ? stage.condition : undefined
    if (condition?.kind !== 'text') throw new TypeError('not in this model')
    const { label, operator, value: text } = condition
    return left.filter(row => (value(label, row) === text) === (operator === '='))
  }, rows)
}

const arbitraryDistinct: fc.Arbitrary<DistinctStage> = fc
  .shuffledSubarray([...names, 'service_name', 'user_id'], { minLength: 1, maxLength: 3 })
  .map(labels => ({ kind: 'distinct', labels }))

const arbitraryFilter: fc.Arbitrary<Stage> = fc
  .tuple(
    fc.constantFrom(...names),
    fc.constantFrom('=' as const, '!='),
    fc.constantFrom('', '404', '/a', 'error', 'api', 'prod'),
  )
  .map(([label, operator, value]) => ({
    kind: 'filter',
    condition: { kind: 'text', label, operator, value },
  }))

/** One or two of them, with filters around them. */
const arbitraryStages: fc.Arbitrary<readonly Stage[]> = fc
  .tuple(
    fc.array(arbitraryFilter, { maxLength: 1 }),
    arbitraryDistinct,
    fc.array(fc.oneof(arbitraryFilter, arbitraryDistinct), { maxLength: 2 }),
  )
  .map(([before, distinct, behind]) => [...before, distinct, ...behind])

async function exported(store: Store, request: RecordsRequest, order: Order): Promise<string[]> {
  const parts: Buffer[] = []
  const asked = { ...request, order, format: 'ndjson' as const }
  for await (const part of store.exportText(asked, neverAborted)) parts.push(Buffer.from(part))
  const lines = Buffer.concat(parts).toString().split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line).message)
}

t.test('distinct leaves the first of each combination, whatever is asked of it', async t => {
  const { store, rows } = await openRandomStore(t, fc.integer({ min: 0, max: 60 }))
  let left = 0
  await forAllAsync(
    longRuns(200),
    fc.oneof(fc.constant(everyRecord), arbitrarySelector),
    arbitraryStages,
    fc.integer({ min: 0, max: 40 }),
    fc.constantFrom<Order>('asc', 'desc'),
    fc.integer({ min: 1, max: 40 }),
    async (conditions, stages, startTime, order, limit) => {
      const selector: Selector = { ...conditions, stages }
      const request = { selector, startTime, endTime: 60 }
      const ascending = matchingRows(rows, request).toSorted(
        (a, b) => a.record.timestamp - b.record.timestamp,
      )
      const expected = throughPlainly(stages, order === 'asc' ? ascending : ascending.toReversed())
      const messages = expected.map(({ record }) => record.message)
      left += messages.length

      const pages = await recordsIn(store, { ...request, order, limit, cursor: undefined })
      assert.deepEqual(
        pages.map(({ timestamp, message }) => [timestamp, message]),
        expected.map(({ record }) => [record.timestamp, record.message]),
      )
      const by = ['log_level']
      const asked = { ...request, by, order, limit: 0, cursor: undefined }
      const { count, groups } = await store.select(asked, neverAborted)
      assert.equal(count, messages.length)
      const levels = Map.groupBy(expected, ({ record }) => record.level)
      assert.deepEqual(
        new Map(groups!.map(({ labels, count }) => [labels.log_level, count])),
        new Map([...levels].map(([level, { length }]) => [level, length])),
      )
      assert.deepEqual(await exported(store, request, order), messages)

      // Where no order is asked, it is the earliest of each.
      const first = throughPlainly(stages, ascending)
      const histogram = await store.histogram({ ...request, bucketMs: 10 }, neverAborted)
      assert.deepEqual(
        histogram.buckets.map(({ start, count }) => [start, count]),
        histogram.buckets.map(({ start }) => [
          start,
          first.filter(({ record }) => Math.floor(record.timestamp / 10) * 10 === start).length,
        ]),
      )
    },
  )
  t.ok(left > share(200), 'some are left')
})

t.test('distinct reads what parsers have made, and is a figure, too', async t => {
  const store = await openStoreOf(t, t.testdir())
  const stream = { service: 'a', environment: 'b' }
  const lines = ['u=1 n=5', 'u=2 n=7', 'u=1 n=11', 'no pair', 'u=3 n=1', 'u=2 n=2']
  for (const [i, message] of lines.entries()) {
    await store.append({ timestamp: i, level: 'info', message, attributes: [] }, stream)
  }
  const ask = async (text: string, order: Order) => {
    const { records } = await store.select(
      { ...allRecords, selector: parseSingle(text).selector, order },
      neverAborted,
    )
    return records.map(({ message }) => message)
  }
  t.same(await ask('{} | logfmt | distinct u', 'asc'), [lines[0], lines[1], lines[3], lines[4]])
  t.same(await ask('{} | logfmt | distinct u', 'desc'), [lines[5], lines[4], lines[3], lines[2]])
  t.same(await ask('{} | logfmt | distinct u | n > 5', 'asc'), [lines[1]])
  t.same(await ask('{} | logfmt | n > 5 | distinct u', 'asc'), [lines[1], lines[2]])

  const sumOf = async (order?: Order) => {
    const { query } = parseSingle('sum(logs | logfmt | distinct u | unwrap n)')
    if (query.kind !== 'aggregate') throw new TypeError('no aggregate')
    const points = { origin: 0, stepMs: 10, pointCount: 1 }
    const asked = { aggregate: query, ...points, ...(order && { order }) }
    const { series } = await store.series(asked, neverAborted)
    return series.map(({ points }) => points)
  }
  t.same(await sumOf(), [[13]])
  t.same(await sumOf('desc'), [[14]])
})

t.test('more combinations than there may be are refused with advice', async t => {
  const store = await openStoreOf(t, t.testdir())
  const bound = limits.queryDistinctMax
  t.teardown(() => Object.assign(limits, { queryDistinctMax: bound }))
  const stream = { service: 'a', environment: 'b' }
  for (let i = 0; i < 4; i++) {
    const attributes = ['n', `${i}`]
    await store.append({ timestamp: i, level: 'info', message: 'm', attributes }, stream)
  }
  const { selector } = parseSingle('logs | distinct n')
  const asked = { ...allRecords, selector }
  Object.assign(limits, { queryDistinctMax: 4 })
  t.equal((await store.select(asked, neverAborted)).count, 4)
  Object.assign(limits, { queryDistinctMax: 3 })
  await t.rejects(store.select(asked, neverAborted), {
    code: 'query_too_large',
    message: /more than 3 combinations.*add matchers/,
  })
})
