import t from 'tap'
import { parseSingle } from '../../../src/language/grammar.ts'
import { appendTogether, type Stored } from '../random-store.ts'
import { neverAborted, openStoreOf } from '../store-in.ts'

t.test('what is explained of a count over sealed blocks is what it then reads', async t => {
  const store = await openStoreOf(t, t.testdir(), { flags: ['--journal-file-bytes', '4KiB'] })
  const stream = { service: 'a', environment: 'b' }
  const rows = Array.from({ length: 2_000 }, (_, i): Stored => {
    const attributes = ['path', `/${i % 3}`, 'n', `${i}`]
    const record = { timestamp: i, level: 'info', message: `took ${i} ms`, attributes }
    return { record, stream }
  })
  await appendTogether(store, rows)
  await store.settle()
  let closed = 0
  for (const text of [
    'count by (path) (logs)',
    'count by (path, n) (logs)',
    'count by (path) (logs |= "took")',
    'count(logs |= "took")',
    'count(logs |= "1999 ms")',
    'logs | logfmt',
    'logs | pattern "took <ms> ms" | ms="1999"',
    'logs | pattern "took <ms> ms" | ms > 1998 and path="/1"',
    'count by (ms) (logs | pattern "took <ms> ms" | ms="7" or n="8")',
    '{} | n="1999"',
    '{} | n >= 1999',
  ]) {
    const { query, selector } = parseSingle(text)
    const by = query.kind === 'aggregate' ? query.by : []
    const range = { startTime: 0, endTime: 9_999 }
    const asked = { selector, by, ...range, limit: 0, order: 'asc', cursor: undefined } as const
    const explained = await store.select({ ...asked, isExplained: true }, neverAborted)
    const { stats, count } = await store.select(asked, neverAborted)
    t.ok(count > 0, text)
    t.same({ ...explained.stats, elapsedMs: 0 }, { ...stats, elapsedMs: 0 }, text)
    closed += stats.blocksPrunedByTemplate
  }
  t.ok(closed > 0, 'a group of one attribute is told, and its blocks stay closed')
})
