import t from 'tap'
import type { SelectRequest, SelectResult } from '../../../../src/store/store.ts'
import { post } from '../../call.ts'
import { config, keyOf, nothingSelected, startServer } from '../../stand-ins.ts'

const asked = { query: 'logs{}', startTime: 1, endTime: 2 }

const ask = (url: string, body: unknown) => post(`${url}/api/v1/query/logs`, keyOf.viewer, body)

t.test('what is asked reaches the store, defaults filled in', async t => {
  const { url, selections } = await startServer(t)
  const selects = async (extra: object, expected: Partial<SelectRequest>) => {
    const response = await ask(url, { ...asked, ...extra })
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
    const response = await ask(url, body)
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
  for (const limit of [0, -1, 1001, 1.5, '10', true]) {
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
  const response = await ask(url, asked)
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
  const answer = (await (await ask(url, asked)).json()) as object
  t.same(Object.keys(answer), ['count', 'logs', 'stats'])
})

t.test(
  'a thousand queries at once are all answered, and one that waits too long is 503',
  async t => {
    const waiting: (() => void)[] = []
    const store = {
      select: () =>
        new Promise<SelectResult>(resolve => waiting.push(() => resolve(nothingSelected))),
    }
    const patient = { ...config, queryQueueTimeoutMs: 120_000, queryTimeoutMs: 120_000 }
    const server = await startServer(t, { store, config: patient })
    const count = 1_000
    const requests = Array.from(
      { length: count },
      async () => (await ask(server.url, asked)).status,
    )
    while (server.underWayCount < count) await new Promise(resolve => setImmediate(resolve))
    t.equal(waiting.length, config.concurrentQueriesMax, 'so many run')
    let isOver = false
    const statuses = Promise.all(requests).finally(() => {
      isOver = true
    })
    while (!isOver) {
      waiting.shift()?.()
      await new Promise(resolve => setImmediate(resolve))
    }
    t.same([...new Set(await statuses)], [200])

    const impatient = await startServer(t, { store, config: { ...config, queryQueueTimeoutMs: 1 } })
    const running = Array.from({ length: config.concurrentQueriesMax }, () =>
      ask(impatient.url, asked),
    )
    while (waiting.length < running.length) await new Promise(resolve => setImmediate(resolve))
    const refused = await ask(impatient.url, asked)
    t.equal(refused.status, 503)
    t.equal(refused.headers.get('retry-after'), '1')
    t.match(await refused.json(), { code: 'queries_overloaded' })
    for (const finish of waiting) finish()
    t.same(
      (await Promise.all(running)).map(({ status }) => status),
      running.map(() => 200),
    )
  },
)

t.test('times that are plainly seconds are answered with a warning', async t => {
  const { url } = await startServer(t)
  const warns = async (startTime: number, endTime: number, expected: readonly RegExp[]) => {
    const { warnings } = (await (await ask(url, { ...asked, startTime, endTime })).json()) as {
      warnings?: string[]
    }
    t.equal(warnings?.length ?? 0, expected.length, `${startTime} to ${endTime}`)
    for (const [i, text] of expected.entries()) t.match(warnings?.[i], text)
  }
  await warns(1_700_000_000, 1_700_003_600, [
    /^"startTime" 1700000000 looks like seconds \(2023-11-14T22:13:20.000Z\)/,
    /^"endTime" 1700003600 looks like seconds/,
  ])
  await warns(0, 1_700_000_000, [/^"endTime"/])
  await warns(1_700_000_000_000, 1_700_003_600_000, [])
  await warns(0, 8.64e15, [])
  await warns(-1_700_000_000, 99_999_999, [])
})
