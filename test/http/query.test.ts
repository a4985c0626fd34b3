import t from 'tap'
import type { SelectRequest, SelectResult } from '../../src/store/store.ts'
import { config, keyOf, nothingSelected, startServer } from './stand-ins.ts'

const asked = { query: 'logs{}', startTime: 1, endTime: 2 }

function post(url: string, body: unknown, signal?: AbortSignal) {
  return fetch(`${url}/api/v1/query/logs`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${keyOf.viewer}`, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
}

t.test('what is asked reaches the store, defaults filled in', async t => {
  const { url, selections } = await startServer(t)
  const selects = async (extra: object, expected: Partial<SelectRequest>) => {
    const response = await post(url, { ...asked, ...extra })
    t.equal(response.status, 200, JSON.stringify(extra))
    t.match(selections.pop(), expected)
  }

  await selects({}, { startTime: 1, endTime: 2, limit: 100, order: 'asc', cursor: undefined })
  await selects({}, { selector: { kind: 'selector', matchers: [], filters: [] }, by: [] })
  await selects({ limit: 1 }, { limit: 1 })
  await selects({ limit: 1000 }, { limit: 1000 })
  await selects({ endTime: 1 }, { startTime: 1, endTime: 1 })
  await selects({ startTime: -8.64e15, endTime: 8.64e15 }, { startTime: -8.64e15 })
  await selects({ order: 'desc', cursor: 'abc' }, { order: 'desc', cursor: 'abc' })
  await selects({ unknown: 1, timeoutMs: config.queryTimeoutMs }, { limit: 100 })
  const selector = { kind: 'selector', matchers: [], filters: [] } as const
  await selects({ query: 'count by (a) (logs)' }, { selector, by: ['a'] })
  await selects({ query: 'count(logs offset 1s)', endTime: 5 }, { startTime: -999, endTime: -995 })
})

t.test('each mistake is 400 and names its field', async t => {
  const { url, selections } = await startServer(t)
  const refuses = async (body: unknown, field: string, code = 'field_invalid') => {
    const response = await post(url, body)
    t.equal(response.status, 400, JSON.stringify(body))
    t.match(await response.json(), { code, field })
  }
  const refusesValue = (field: string, value: unknown) =>
    refuses({ ...asked, [field]: value }, field)

  await refuses([], 'body')
  await refuses(null, 'body')
  await refuses('"text"', 'body')
  for (const field of ['query', 'startTime', 'endTime']) {
    await refusesValue(field, undefined)
    await refusesValue(field, null)
  }
  await refusesValue('query', 5)
  await refuses({ ...asked, query: 'logs{' }, 'query', 'query_syntax')
  for (const field of ['startTime', 'endTime']) {
    await refusesValue(field, '1')
    await refusesValue(field, 1.5)
    await refusesValue(field, 8.64e15 + 1)
    await refusesValue(field, -8.64e15 - 1)
  }
  await refuses('{"query":"logs","startTime":1,"endTime":1e400}', 'endTime')
  await refuses('{"query":"logs","startTime":12345678901234567890,"endTime":1}', 'startTime')
  await refuses({ ...asked, startTime: 3 }, 'startTime')
  for (const limit of [0, -1, 1001, 1.5, '10', null, true]) {
    await refusesValue('limit', limit)
  }
  await refusesValue('order', 'newest')
  await refusesValue('cursor', 5)
  for (const timeoutMs of [0, -1, 0.5, config.queryTimeoutMs + 1, '5']) {
    await refusesValue('timeoutMs', timeoutMs)
  }
  t.same(selections, [])
})

t.test('the answer shows what the store found', async t => {
  const attributes = JSON.parse('{"__proto__":"p","constructor":"c","toJSON":"t","":"empty"}')
  const record = { id: 'r', timestamp: 1, log_level: 'info', message: '\ud83d\ude00', attributes }
  const selected: SelectResult = {
    count: 7,
    records: [record],
    nextCursor: 'next',
    groups: [{ labels: JSON.parse('{"__proto__":"x"}'), count: 7 }],
    stats: nothingSelected.stats,
  }
  const { url } = await startServer(t, { store: { select: async () => selected } })
  const response = await post(url, asked)
  const { stats, ...rest } = JSON.parse(await response.text())
  t.same(stats, nothingSelected.stats)
  t.equal(
    JSON.stringify(rest),
    '{"count":7,"logs":[{"id":"r","timestamp":1,"log_level":"info","message":"😀","attributes":' +
      '{"__proto__":"p","constructor":"c","toJSON":"t","":"empty"}}],"nextCursor":"next",' +
      '"groups":[{"labels":{"__proto__":"x"},"count":7}]}',
  )
})

t.test('without more to fetch and without groups, the answer does not name them', async t => {
  const { url } = await startServer(t)
  const answer = (await (await post(url, asked)).json()) as object
  t.same(Object.keys(answer), ['count', 'logs', 'stats'])
})

/** A store that answers nothing until it is told to stop. */
function endlessStore() {
  const signals: AbortSignal[] = []
  const select = (_selection: SelectRequest, signal: AbortSignal) =>
    new Promise<SelectResult>((_resolve, reject) => {
      signals.push(signal)
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  return { signals, store: { select } }
}

t.test('a query over its deadline is 503, and the store is told to stop', async t => {
  const { signals, store } = endlessStore()
  const { url, logged } = await startServer(t, { store })
  const response = await post(url, { ...asked, timeoutMs: 20 })
  t.equal(response.status, 503)
  t.match(await response.json(), { code: 'query_timeout' })
  t.same(
    signals.map(({ aborted }) => aborted),
    [true],
  )
  t.same(logged, [])
})

t.test('when the client goes away, the store is told to stop', async t => {
  const { signals, store } = endlessStore()
  const server = await startServer(t, { store })
  const leaving = new AbortController()
  const request = post(server.url, asked, leaving.signal)
  while (signals.length === 0) {
    await new Promise(resolve => setImmediate(resolve))
  }
  t.equal(signals[0]?.aborted, false)
  leaving.abort()
  await t.rejects(request)
  while (server.underWayCount > 0) {
    await new Promise(resolve => setImmediate(resolve))
  }
  t.equal(signals[0]?.aborted, true)
  t.same(server.logged, [], 'which is not a mistake of the service')
})

t.test('more queries than may run and wait are 429', async t => {
  const waiting: (() => void)[] = []
  const store = {
    select: () =>
      new Promise<SelectResult>(resolve => waiting.push(() => resolve(nothingSelected))),
  }
  const server = await startServer(t, { store })
  const fitting = config.concurrentQueriesMax * 5 // Those that run, and four that wait for each.
  const requests = Array.from({ length: fitting }, () => post(server.url, asked))
  while (server.underWayCount < fitting) {
    await new Promise(resolve => setImmediate(resolve))
  }
  const refused = await post(server.url, asked)
  t.equal(refused.status, 429)
  t.equal(refused.headers.get('retry-after'), '1')
  t.match(await refused.json(), { code: 'queries_overloaded' })
  for (let answered = 0; answered < fitting; ) {
    const finish = waiting.shift()
    finish?.()
    answered += finish === undefined ? 0 : 1
    await new Promise(resolve => setImmediate(resolve))
  }
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  t.same(
    statuses,
    requests.map(() => 200),
  )
})
