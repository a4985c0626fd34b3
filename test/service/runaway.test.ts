/**
 * A query that would take far too long, in each operation that scans: it ends at its deadline, it ends
 * when its client goes, and the service answers the others as before.
 */
import { createHash } from 'node:crypto'
import t from 'tap'
import { adminKey } from './service-process.ts'
import { serviceOfProcess } from './shared-service.ts'

const service = await serviceOfProcess('runaway')

const recordCount = 40_000
const events = Array.from({ length: recordCount }, (_, i) => {
  return { time: 1_700_000_000_000 + i, message: `${i} ${noise(i)}q`, ms: i }
})
await service.send(await service.makeToken(), events, 'time')

const headers = {
  authorization: `Bearer ${adminKey}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const timeoutMs = 50
let salt = 0

/** Hardly two places of this are alike, so that an automaton needs another state for each of them. */
function noise(seed: number): string {
  const bytes = createHash('shake256', { outputLength: 240 }).update(`${seed}`).digest()
  return Array.from(bytes, byte => 'ab01 '[byte % 5]).join('')
}

/**
 * A millisecond of work for each record, on a quick machine: half a minute in all. Each time another
 * expression, which nothing has compiled or tried before.
 */
function slowSelector(): string {
  salt++
  return `logs !~ "(?:[ab].{1,8}[01 ]){7}b{3}a{4}q{1,${salt}}"`
}

interface Ask {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

const records = (operation: string, query: string, more: object = {}): Ask => ({
  method: 'POST',
  path: `/api/v1/query/logs${operation}`,
  body: { query, startTime: 0, endTime: 4e12, ...more },
})

const prometheus = (operation: string, asked: Record<string, string>): Ask => ({
  method: 'GET',
  path: `/api/v1/${operation}?${new URLSearchParams(asked)}`,
})

/** A call of a tool, as an assistant makes it. */
function assistant(name: string): Ask {
  const params = { name, arguments: { query: slowSelector(), from: 0, to: 4e12 } }
  return {
    method: 'POST',
    path: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  }
}

const instant = { time: '1700000100', lookback_delta: '1d' }
const range = { start: '1700000000', end: '1700000060', step: '1' }

/** Asks that scan all records; with a deadline, or without any of their own. */
const asks = (deadline: boolean): Ask[] => {
  const more = deadline ? { timeoutMs } : {}
  const own = deadline ? { timeout: `${timeoutMs}ms` } : {}
  const slow = slowSelector
  return [
    records('', slow(), more),
    records('', `quantile by (ms) (0.5, ${slow()} | unwrap ms)`, more),
    records('/histogram', slow(), more),
    records('/facets', slow(), more),
    records('/fields', slow(), more),
    records('/values', slow(), { field: 'ms', ...more }),
    prometheus('query', { query: `count by (ms) (${slow()})`, ...instant, ...own }),
    prometheus('query_range', { query: `sum(${slow()} | unwrap ms)`, ...range, ...own }),
    prometheus('labels', { 'match[]': slow(), ...own }),
    prometheus('label/ms/values', { 'match[]': slow(), ...own }),
    prometheus('series', { 'match[]': slow(), ...own }),
  ]
}

async function failedCount(): Promise<number> {
  const { body } = await service.call('GET', '/metrics')
  return Number(/^logstrata_queries_failed_total (\d+)/m.exec(body)![1])
}

/** Resolves when so many queries have given up. Rejects long before the service's own deadline. */
async function untilFailed(count: number): Promise<void> {
  const startedAt = performance.now()
  while ((await failedCount()) < count) {
    if (performance.now() - startedAt > 15_000) throw new Error('the query goes on')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

t.test('each operation ends at its deadline, and the next query is answered', async t => {
  for (const { method, path, body } of asks(true)) {
    const answer = await service.call(method, path, { body })
    t.equal(answer.status, 503, path)
    t.match(answer.body, body ? { code: 'query_timeout' } : { errorType: 'timeout' })
  }
  t.equal((await service.query('count(logs)', { limit: 1 })).body.count, recordCount)
})

t.test('each operation ends when its client goes', async t => {
  const tools = ['count_logs', 'search_logs', 'list_fields', 'what_changed'].map(assistant)
  for (const { method, path, body } of [...asks(false), ...tools]) {
    const before = await failedCount()
    const gone = new AbortController()
    const init = { method, headers, signal: gone.signal, body: JSON.stringify(body) ?? null }
    const answer = t.rejects(fetch(service.url + path, init), { name: 'AbortError' }, path)
    await new Promise(resolve => setTimeout(resolve, timeoutMs))
    await failedCount() // By this answer the query was begun, too, however late the service is.
    gone.abort()
    await answer
    await untilFailed(before + 1)
  }
  t.equal((await service.query('count(logs)', { limit: 1 })).body.count, recordCount)
  t.notMatch(service.output.stderr, /request failed|BUG/, 'which is no fault of the service')
})
