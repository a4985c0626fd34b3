import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { Budget, bytesPerToken } from '../../../../src/http/resources/mcp/budget.ts'
import { readArguments } from '../../../../src/http/resources/mcp/call-tool.ts'
import { cutText, cutTexts } from '../../../../src/http/resources/mcp/cut.ts'
import type { Tool } from '../../../../src/http/resources/mcp/tool.ts'
import { countLogs } from '../../../../src/http/resources/mcp/tools/count-logs.ts'
import {
  getDashboard,
  listDashboards,
} from '../../../../src/http/resources/mcp/tools/dashboards.ts'
import { findPatterns } from '../../../../src/http/resources/mcp/tools/find-patterns.ts'
import { getTrace } from '../../../../src/http/resources/mcp/tools/get-trace.ts'
import { listFields } from '../../../../src/http/resources/mcp/tools/list-fields.ts'
import { listValues } from '../../../../src/http/resources/mcp/tools/list-values.ts'
import { logContext } from '../../../../src/http/resources/mcp/tools/log-context.ts'
import { searchLogs } from '../../../../src/http/resources/mcp/tools/search-logs.ts'
import { whatChanged } from '../../../../src/http/resources/mcp/tools/what-changed.ts'
import { tools } from '../../../../src/http/resources/mcp/tools.ts'
import { limits } from '../../../../src/limits.ts'
import { forAll, forAllAsync } from '../../../for-all.ts'
import { longRuns } from '../../../long-runs.ts'
import { appendTogether, type Stored } from '../../../store/random-store.ts'
import { openStoreOf } from '../../../store/store-in.ts'
import { catalog } from '../../stand-ins.ts'
import { called } from './called.ts'

/** Texts as long as a record may have them, and such as take the most bytes in JSON. */
const hugeText = fc
  .tuple(
    fc.constantFrom('x', '"', '\n', '\u0001', 'é', '日', '😀', '\\'),
    fc.constantFrom(1, 60, 9_000, 60_000),
  )
  .map(([letter, count]) => letter.repeat(count))

const hugeRecord: fc.Arbitrary<Stored> = fc
  .tuple(
    hugeText,
    fc.array(hugeText, { maxLength: 40 }),
    hugeText,
    fc.constantFrom('n', '日'.repeat(900)),
  )
  .map(([message, values, service, name]) => ({
    record: {
      timestamp: 0,
      level: 'info',
      message,
      attributes: values.flatMap((value, i) => [`${name}${i}`, value]),
    },
    stream: { service: service.slice(0, 200), environment: service.slice(0, 200) },
  }))

/** At a time of their own, and of one trace. */
const placedAt = (rows: readonly Stored[], timestamp: number): Stored[] =>
  rows.map(({ record, stream }) => {
    const attributes = ['trace_id', `trace-${timestamp}`, ...record.attributes]
    return { record: { ...record, timestamp, attributes }, stream }
  })

t.test('no answer is larger than was asked for, whatever the records are', async t => {
  const store = await openStoreOf(t, t.testdir())
  let at = 0
  const lists = fc.array(hugeRecord, { minLength: 1, maxLength: 6 })
  const tokens = fc.integer({ min: limits.mcpTokensMin, max: 3_000 })
  await forAllAsync(longRuns(100), lists, tokens, async (rows, maxTokens) => {
    at += 10
    await appendTogether(store, placedAt(rows, at))
    const fits = async (tool: Tool, asked: object) => {
      const args = { ...asked, maxTokens }
      const { answer, shareOfBudget } = await called(tool, args, store)
      assert.ok(shareOfBudget <= 1, `${tool.name} took ${shareOfBudget} of its budget`)
      return answer
    }
    const all = { query: 'logs', from: at, to: at }
    const { records } = await fits(searchLogs, all)
    assert.ok(records.length > 0)
    const { id } = records[0]
    assert.equal((await fits(logContext, { id, before: 0, after: 0 })).record.id, id)
    assert.equal((await fits(logContext, { id, before: 2, after: 2 })).record.id, id)
    await fits(listFields, all)
    assert.equal((await fits(findPatterns, all)).count, rows.length)
    await fits(whatChanged, all)
    await fits(listValues, { ...all, field: 'message' })
    await fits(countLogs, { ...all, by: ['message', 'service.name'] })
    await fits(countLogs, { ...all, buckets: 200 })
    assert.equal((await fits(getTrace, { traceId: `trace-${at}` })).count, rows.length)
    await fits(searchLogs, { ...all, query: `logs |= ${JSON.stringify('y'.repeat(9_000))}` })
  })
})

t.test('what is cut says so, between characters, and how much is missing', async () => {
  forAll(
    fc.string({ unit: 'grapheme', maxLength: 90 }),
    fc.integer({ min: 1, max: 60 }),
    (text, max) => {
      const cut = cutText(text, max)
      assert.ok(cut.isWellFormed())
      const [, shown = '', missing = ''] = /^(.*)… \(\+(\d+) characters\)$/s.exec(cut) ?? [
        cut,
        cut,
        '0',
      ]
      assert.ok(text.startsWith(shown))
      assert.equal(shown.length + Number(missing), text.length)
    },
  )
  const long = 'x'.repeat(99)
  assert.deepEqual(cutTexts({ a: [long, 7, null], b: { c: true } }, 10), {
    a: ['xxxxxxxxxx… (+89 characters)', 7, null],
    b: { c: true },
  })
})

t.test('a dashboard larger than an answer comes in pieces that are its text', async t => {
  const text = JSON.stringify({ title: 'é"😀\n'.repeat(5_000), n: '1' })
  const dashboards = { ...catalog.dashboards, getStored: () => ({ text, version: 'v' }) }
  const asked = { id: 'large', maxTokens: limits.mcpTokensMin }
  let pieces = ''
  for (let cursor: string | undefined; ; ) {
    const args = { ...asked, ...(cursor !== undefined && { cursor }) }
    const { answer, shareOfBudget } = await called(getDashboard, args, {} as never, dashboards)
    if (shareOfBudget > 1) t.fail(`${shareOfBudget} of the budget`)
    pieces += answer.part
    cursor = answer.nextCursor
    if (cursor === undefined) break
  }
  t.equal(pieces, text)
  const whole = {
    ...dashboards,
    getStored: () => ({ text: '{"n":12345678901234567890}', version: 'v' }),
  }
  const { answer } = await called(getDashboard, asked, {} as never, whole)
  t.match(answer, { version: 'v', dashboard: {} })
  const many = Array.from({ length: 300 }, (_, i) => ({
    ...{ id: `${i}`, title: 'x'.repeat(i), folderPath: '/', createdAt: 0, updatedAt: 0 },
  }))
  const listed = { ...catalog.dashboards, list: () => many }
  const first = await called(
    listDashboards,
    { maxTokens: limits.mcpTokensMin },
    {} as never,
    listed,
  )
  t.match(first.answer, { dashboardCount: 300, nextCursor: String })
  t.ok(first.shareOfBudget <= 1)
  const ids = first.answer.dashboards.map(({ id }: { id: string }) => id)
  const args = { maxTokens: limits.mcpTokensMin, cursor: first.answer.nextCursor }
  const next = await called(listDashboards, args, {} as never, listed)
  t.equal(next.answer.dashboards[0].id, `${ids.length}`, 'it goes on where the first ended')
})

t.test('an answer may have so many tokens, and no more', async t => {
  const [tool] = tools
  const takes = (maxTokens: number) => readArguments(tool!, { query: 'logs', maxTokens })
  for (const bound of [limits.mcpTokensMin, limits.mcpTokensMax]) t.doesNotThrow(() => takes(bound))
  for (const beyond of [limits.mcpTokensMin - 1, limits.mcpTokensMax + 1]) {
    t.throws(() => takes(beyond), { code: 'field_invalid', extras: { field: 'maxTokens' } })
  }
  t.equal(new Budget().bytes, limits.mcpTokensDefault * bytesPerToken)
})
