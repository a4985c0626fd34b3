import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { countLogs } from '../../../../src/http/resources/mcp/tools/count-logs.ts'
import { findPatterns } from '../../../../src/http/resources/mcp/tools/find-patterns.ts'
import { getTrace } from '../../../../src/http/resources/mcp/tools/get-trace.ts'
import { listFields } from '../../../../src/http/resources/mcp/tools/list-fields.ts'
import { listValues } from '../../../../src/http/resources/mcp/tools/list-values.ts'
import { logContext } from '../../../../src/http/resources/mcp/tools/log-context.ts'
import { searchLogs } from '../../../../src/http/resources/mcp/tools/search-logs.ts'
import { whatChanged } from '../../../../src/http/resources/mcp/tools/what-changed.ts'
import { parseSingle } from '../../../../src/language/grammar.ts'
import { limits } from '../../../../src/limits.ts'
import { forAllAsync } from '../../../for-all.ts'
import { longRuns } from '../../../long-runs.ts'
import {
  appendTogether,
  countsOf,
  openRandomStore,
  type Stored,
  valuesOf,
} from '../../../store/random-store.ts'
import { allRecords, neverAborted, openStoreOf } from '../../../store/store-in.ts'
import { called, followed } from './called.ts'

const maxTokens = fc.oneof(
  fc.integer({ min: limits.mcpTokensMin, max: 2_500 }),
  fc.constantFrom(limits.mcpTokensMin, limits.mcpTokensMax),
)
const all = { query: 'logs', from: 0, to: 100 }
const idOf = (record: unknown) => (record as { id: string }).id

t.test('cursors lead to every record, value and group once, within any budget', async t => {
  const { store, rows } = await openRandomStore(t, fc.integer({ min: 0, max: 100 }))
  const { records } = await store.select(allRecords, neverAborted)
  const ids = records.map(({ id }) => id)
  assert.equal(ids.length, rows.length)
  await forAllAsync(
    longRuns(10),
    maxTokens,
    fc.constantFrom('asc' as const, 'desc' as const),
    fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: undefined }),
    async (maxTokens, order, limit) => {
      const asked = { ...all, maxTokens, order, ...(limit !== undefined && { limit }) }
      const found = (await followed(searchLogs, asked, store, 'records')).map(idOf)
      assert.deepEqual(found, order === 'asc' ? ids : ids.toReversed())
    },
  )
  await forAllAsync(
    longRuns(5),
    maxTokens,
    fc.constantFrom('path', 'message', 'status'),
    async (maxTokens, field) => {
      const values = await followed(
        listValues,
        { ...all, maxTokens, field } as never,
        store,
        'values',
      )
      const plain = countsOf(valuesOf(rows, field)).map(([value, count]) => ({ value, count }))
      assert.deepEqual(values, plain)
      const groups = await followed(
        countLogs,
        { ...all, maxTokens, by: [field] } as never,
        store,
        'groups',
      )
      const counts = groups as { labels: Record<string, string>; count: number }[]
      const groupOf = ({ record, stream }: Stored) => valuesOf([{ record, stream }], field)[0] ?? ''
      const expected = countsOf(rows.map(groupOf))
      assert.deepEqual(
        new Map(counts.map(one => [one.labels[field], one.count])),
        new Map(expected),
      )
      assert.equal(counts.length, expected.length)
    },
  )
})

t.test('names of many fields are walked through to the last', async t => {
  const store = await openStoreOf(t, t.testdir())
  const names = Array.from({ length: 120 }, (_, i) => `field-${i}-${'n'.repeat(i)}`)
  const rows = names.map((_, i): Stored => {
    const attributes = names.slice(i).flatMap(name => [name, 'v'])
    const record = { timestamp: 1, level: 'info', message: `${i}`, attributes }
    return { record, stream: { service: 'one', environment: 'test' } }
  })
  await appendTogether(store, rows)
  const { selector } = allRecords
  const { fields } = await store.fields({ selector, startTime: 0, endTime: 100 }, neverAborted)
  t.ok(fields.length > names.length)
  for (const maxTokens of [limits.mcpTokensMin, 2_000, limits.mcpTokensMax]) {
    t.same(await followed(listFields, { ...all, maxTokens }, store, 'fields'), fields)
  }
})

t.test('the records around one are walked through, the nearest first, to the last', async t => {
  const store = await openStoreOf(t, t.testdir())
  const count = 130
  const rows = Array.from({ length: count }, (_, i): Stored => {
    const attributes = i % 7 === 0 ? ['long', 'x'.repeat(i * 60)] : []
    const record = { timestamp: i >> 2, level: 'info', message: `${i}`, attributes }
    return { record, stream: { service: 'one', environment: 'test' } }
  })
  const elsewhere = rows.map(row => ({ ...row, stream: { service: 'two', environment: 'test' } }))
  await appendTogether(store, rows)
  await appendTogether(store, elsewhere)
  const { selector } = parseSingle('logs{service.name="one"}')
  const { records } = await store.select({ ...allRecords, selector, limit: count }, neverAborted)
  const sides = fc.integer({ min: 0, max: limits.contextRecordsMax })
  await forAllAsync(
    longRuns(20),
    maxTokens,
    fc.nat(count - 1),
    sides,
    sides,
    async (maxTokens, at, b, a) => {
      const { id } = records[at]!
      const args = { id, before: b, after: a, maxTokens }
      const first = await called(logContext, args, store)
      const before: string[] = first.answer.before.map(idOf)
      const after: string[] = first.answer.after.map(idOf)
      assert.equal(first.answer.record.id, id)
      for (let cursor = first.answer.nextCursor; cursor !== undefined; ) {
        const { answer, shareOfBudget } = await called(
          logContext,
          { ...args, cursor } as never,
          store,
        )
        assert.ok(shareOfBudget <= 1)
        assert.ok(answer.before.length + answer.after.length > 0, 'each answer gets further')
        before.unshift(...answer.before.map(idOf))
        after.push(...answer.after.map(idOf))
        cursor = answer.nextCursor
      }
      const ids = records.map(idOf)
      assert.deepEqual(before, ids.slice(Math.max(0, at - b), at))
      assert.deepEqual(after, ids.slice(at + 1, at + 1 + a))
    },
  )
})

t.test('what changed is walked through to its end, in the order of the whole', async t => {
  const store = await openStoreOf(t, t.testdir())
  const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta']
  const rows = Array.from({ length: 6_000 }, (_, i): Stored => {
    const isOdd = i % 300 < 200
    const [one, other] = [words[i % 8]!, words[(i >> 3) % 8]!]
    const message = isOdd ? `${one} ${other} failed badly` : 'all is well'
    const attributes = isOdd ? ['host', `host-${one}`, 'zone', `${other}-${'z'.repeat(200)}`] : []
    const record = { timestamp: i % 300, level: isOdd ? 'error' : 'info', message, attributes }
    return { record, stream: { service: 'one', environment: 'test' } }
  })
  await appendTogether(store, rows)
  const asked = { query: 'logs', from: 0, to: 199 }
  const whole = (
    await called(whatChanged, { ...asked, maxTokens: limits.mcpTokensMax } as never, store)
  ).answer
  t.ok(whole.patterns.length > 10 && whole.values.length > 10, 'there is much to tell')
  t.equal(whole.nextCursor, undefined)
  const namesOf = ({ patterns, values }: typeof whole) => ({
    patterns: patterns.map(({ pattern }: { pattern: string }) => pattern),
    values: values.map(({ field, value }: { field: string; value: string }) => [
      field,
      value.slice(0, 5),
    ]),
  })
  await forAllAsync(
    longRuns(10),
    fc.integer({ min: limits.mcpTokensMin, max: 3_000 }),
    async maxTokens => {
      const got = { patterns: [] as unknown[], values: [] as unknown[] }
      let calls = 0
      for (let cursor: string | undefined; ; calls++) {
        const { answer, shareOfBudget } = await called(
          whatChanged,
          { ...asked, maxTokens, ...(cursor !== undefined && { cursor }) } as never,
          store,
        )
        assert.ok(shareOfBudget <= 1)
        assert.ok(answer.patterns.length + answer.values.length > 0)
        const names = namesOf(answer)
        got.patterns.push(...names.patterns)
        got.values.push(...names.values)
        cursor = answer.nextCursor
        if (cursor === undefined) break
      }
      assert.ok(maxTokens > 2_000 || calls > 0)
      assert.deepEqual(got, namesOf(whole))
    },
  )
})

t.test('a trace is walked through to its end', async t => {
  const store = await openStoreOf(t, t.testdir())
  const rows = Array.from({ length: 300 }, (_, i): Stored => {
    const attributes = [
      i % 2 ? 'trace_id' : 'dd.trace_id',
      'a'.repeat(32),
      'long',
      'x'.repeat(i * 9),
    ]
    const record = { timestamp: i >> 3, level: 'info', message: `${i}`, attributes }
    return { record, stream: { service: `service-${i % 40}`, environment: 'test' } }
  })
  await appendTogether(store, rows)
  for (const maxTokens of [limits.mcpTokensMin, 3_000, limits.mcpTokensMax]) {
    const asked = { traceId: 'a'.repeat(32), maxTokens } as never
    const found = await followed(getTrace, asked, store, 'records')
    const messages = found.map(record => (record as { message: string }).message)
    t.same(
      messages,
      rows.map((_, i) => `${i}`),
      `${maxTokens}`,
    )
  }
})

t.test('a range that moves on stays where it was for whoever follows a cursor', async t => {
  const store = await openStoreOf(t, t.testdir())
  const stream = { service: 'a', environment: 'b' }
  const record = (timestamp: number, message: string) => ({
    record: { timestamp, level: 'info', message, attributes: [] },
    stream,
  })
  await appendTogether(
    store,
    Array.from({ length: 40 }, (_, i) => record(900 + i, `${i}`)),
  )
  const asked = { query: 'logs', from: 'now-1s', maxTokens: limits.mcpTokensMin, order: 'desc' }
  const first = await called(searchLogs, asked, store)
  t.equal(first.answer.count, 40)
  await appendTogether(store, [record(2_000, 'later than the range')])
  const { answer } = await called(
    searchLogs,
    { ...asked, from: 'now', cursor: first.answer.nextCursor } as never,
    store,
  )
  t.match(answer, { from: first.answer.from, to: first.answer.to, count: 40 })
})

t.test('all of time can be asked about', async t => {
  const store = await openStoreOf(t, t.testdir())
  const { mcpTokensMax: maxTokens } = limits
  const asked = { query: 'logs', from: -8.64e15, to: 8.64e15, maxTokens }
  for (const tool of [searchLogs, countLogs, listFields, findPatterns, whatChanged]) {
    t.match((await called(tool, asked, store)).answer, { from: /^-271821/ }, tool.name)
  }
  const earliest = { query: 'logs', to: -8.64e15, maxTokens }
  t.match((await called(searchLogs, earliest, store)).answer, { from: /^-271821/, to: /^-271821/ })
  const record = { timestamp: 8.64e15, level: 'info', message: 'last', attributes: [] }
  await appendTogether(store, [{ record, stream: { service: 'a', environment: 'b' } }])
  const [{ id }] = (await called(searchLogs, asked, store)).answer.records
  const args = { id, before: 0, after: 0, maxTokens }
  const { open } = (await called(logContext, args, store)).answer
  t.match(new URL(open).searchParams.get('to'), /^\+275760/, 'what is around the last is cut there')
})
