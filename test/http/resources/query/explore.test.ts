import t from 'tap'
import type { HttpDependencies } from '../../../../src/http/dependencies.ts'
import { limits } from '../../../../src/limits.ts'
import { ProblemError } from '../../../../src/problems.ts'
import { post } from '../../call.ts'
import { config, keyOf, nothingSelected, startServer } from '../../stand-ins.ts'

const asked = { query: 'logs', startTime: 1, endTime: 2 }
const { stats } = nothingSelected
const operations = ['facets', 'fields', 'values', 'patterns', 'changes', 'context'] as const
type Operation = (typeof operations)[number]

/** The least that each operation asks. */
const least = {
  facets: asked,
  fields: asked,
  values: { ...asked, field: 'a' },
  patterns: asked,
  changes: asked,
  context: { id: 'a.b' },
}

const ask = (url: string, operation: string, body: unknown, more?: RequestInit) =>
  post(`${url}/api/v1/query/logs/${operation}`, keyOf.viewer, body, more)

t.test('what is asked reaches the store, defaults filled in', async t => {
  const { url, explored } = await startServer(t)
  const reaches = async (operation: Operation, more: object, expected: object) => {
    const response = await ask(url, operation, { ...least[operation], ...more })
    t.equal(response.status, 200, `${operation} ${JSON.stringify(more)}`)
    t.strictSame(explored.pop(), expected)
  }
  const selector = { kind: 'selector', matchers: [], filters: [] }
  const records = { selector, startTime: 1, endTime: 2 }
  await reaches('facets', {}, { ...records, fields: undefined, limit: 10 })
  await reaches('facets', { fields: ['', 'b'] }, { ...records, fields: ['', 'b'], limit: 10 })
  await reaches('facets', { limit: 1_000 }, { ...records, fields: undefined, limit: 1_000 })
  const numeric = { fields: ['ms'], numeric: true }
  const asNumbers = { ...records, fields: ['ms'], limit: 10, isNumeric: true }
  await reaches('facets', numeric, asNumbers)
  await reaches('fields', { unknown: 1 }, records)
  await reaches(
    'fields',
    { query: 'count(logs offset 1s)' },
    { selector, startTime: -999, endTime: -998 },
  )
  await reaches('values', {}, { ...records, field: 'a', prefix: '', limit: 10 })
  await reaches(
    'values',
    { prefix: '😀', limit: 1, timeoutMs: 1_000 },
    { ...records, field: 'a', prefix: '😀', limit: 1 },
  )
  const patterns = { ...records, limit: 50, bucketMs: 1, compareWith: undefined }
  await reaches('patterns', {}, patterns)
  const compareWith = { startTime: -4, endTime: 0 }
  await reaches(
    'patterns',
    { limit: 1_000, bucketMs: 7, compareWith },
    { ...patterns, limit: 1_000, bucketMs: 7, compareWith },
  )
  await reaches(
    'patterns',
    { query: 'count(logs offset 1s)', compareWith },
    {
      ...patterns,
      ...{ startTime: -999, endTime: -998 },
      compareWith: { startTime: -1_004, endTime: -1_000 },
    },
  )
  const { compareWith: _, ...plain } = patterns
  await reaches('changes', {}, { ...plain, compareWith: undefined })
  await reaches('changes', { limit: 1, compareWith }, { ...plain, limit: 1, compareWith })
  await reaches('context', {}, { id: 'a.b', before: 10, after: 10 })
  await reaches('context', { before: 0, after: 500 }, { id: 'a.b', before: 0, after: 500 })
})

t.test('each mistake is 400 and names its field', async t => {
  const { url, explored } = await startServer(t)
  const refuses = async (
    operation: Operation,
    more: object,
    field: string,
    code = 'field_invalid',
  ) => {
    const response = await ask(url, operation, { ...least[operation], ...more })
    t.equal(response.status, 400, `${operation} ${JSON.stringify(more)}`)
    t.match(await response.json(), { code, field })
  }
  for (const operation of ['facets', 'fields', 'values', 'patterns', 'changes'] as const) {
    await refuses(operation, { query: undefined }, 'query')
    await refuses(operation, { query: 'logs{' }, 'query', 'query_syntax')
    await refuses(operation, { query: 'count(logs{a="b"}) / count(logs)' }, 'query', 'query_syntax')
    await refuses(operation, { startTime: '1' }, 'startTime')
    await refuses(operation, { endTime: 0 }, 'startTime')
  }
  for (const operation of ['facets', 'values', 'patterns', 'changes'] as const) {
    for (const limit of [0, -1, 1.5, 1_001, '10']) {
      await refuses(operation, { limit }, 'limit')
    }
  }
  const tooMany = Array.from({ length: limits.facetFieldsMax + 1 }, (_, i) => `f${i}`)
  for (const fields of ['a', {}, [], tooMany, ['a', 'b', 'a']]) {
    await refuses('facets', { fields }, 'fields')
  }
  for (const fields of [undefined, tooMany.slice(0, limits.numericFacetsMax + 1)]) {
    await refuses('facets', { numeric: true, ...(fields && { fields }) }, 'fields')
  }
  await refuses('facets', { numeric: 'yes', fields: ['ms'] }, 'numeric')
  await refuses('facets', { fields: ['a', 5] }, 'fields[1]')
  for (const field of [undefined, null, 5, ['a']]) await refuses('values', { field }, 'field')
  for (const bucketMs of [-1, 1.5, '1']) await refuses('patterns', { bucketMs }, 'bucketMs')
  await refuses('patterns', { endTime: 10 * limits.patternBucketsMax, bucketMs: 10 }, 'bucketMs')
  const backwards = { startTime: 2, endTime: 1 }
  for (const compareWith of [5, []]) await refuses('patterns', { compareWith }, 'compareWith')
  await refuses('patterns', { compareWith: {} }, 'compareWith.startTime')
  await refuses('patterns', { compareWith: backwards }, 'compareWith')
  await refuses('changes', { compareWith: backwards }, 'compareWith')
  for (const prefix of [5, ['a']]) await refuses('values', { prefix }, 'prefix')
  const half = await ask(url, 'values', { ...least.values, prefix: '\ud83d' })
  t.match(await half.json(), { status: 400, code: 'utf8_invalid' })
  for (const id of [undefined, null, 5]) await refuses('context', { id }, 'id')
  for (const side of ['before', 'after']) {
    for (const count of [-1, 501, 1.5, '5']) {
      await refuses('context', { [side]: count }, side)
    }
  }
  for (const operation of operations) {
    for (const timeoutMs of [0, 1.5, config.queryTimeoutMs + 1, '5']) {
      await refuses(operation, { timeoutMs }, 'timeoutMs')
    }
    const response = await ask(url, operation, [])
    t.equal(response.status, 400)
    t.match(await response.json(), { code: 'field_invalid', field: 'body' })
  }
  t.same(explored, [])
})

t.test('the answers show what the store found', async t => {
  const facet = { field: 'id', values: [], others: 9, missing: 1, tooManyValues: true as const }
  const attributes = JSON.parse('{"__proto__":"p"}')
  const record = { id: 'a.b', timestamp: 1, log_level: 'info', message: 'm', attributes }
  const answers = {
    facets: { facets: [facet], stats },
    fields: { fields: [{ name: '__proto__', count: 3 }], stats },
    values: { values: [{ value: '', count: 2 }], stats },
    patterns: {
      ...{ count: 0, patternCount: 0, bucketMs: 1, firstBucket: 0, patterns: [] },
      stats,
    },
    changes: {
      ...{ count: 1, countBefore: 1, compareWith: [], bucketMs: 1, firstBucket: 0 },
      patterns: [],
      values: [
        {
          ...{ field: 'f', value: 'v', count: 1, share: 1 },
          ...{ countBefore: 0, shareBefore: 0, score: 2.77 },
        },
      ],
      fieldsLeftOut: ['id'],
      stats,
    },
    context: { before: [], record, after: [record], stats },
  }
  const { url } = await startServer(t, {
    store: {
      facets: async () => answers.facets,
      fields: async () => answers.fields,
      values: async () => answers.values,
      patterns: async () => answers.patterns,
      changes: async () => answers.changes,
      context: async () => answers.context,
    },
  })
  for (const operation of operations) {
    const text = await (await ask(url, operation, least[operation])).text()
    t.equal(text, JSON.stringify(answers[operation]), operation)
  }
})

t.test('what the store refuses is answered as such', async t => {
  const { url } = await startServer(t, {
    store: {
      context: async () => {
        throw new ProblemError('record_unknown', 'no record has this id')
      },
    },
  })
  const response = await ask(url, 'context', least.context)
  t.equal(response.status, 404)
  t.match(await response.json(), { code: 'record_unknown' })
})

/** Operations of other tests, which give up as these do. */
const others = {
  '../logs': asked,
  histogram: asked,
  trace: { traceId: 'a' },
} as const

const allOfThem = Object.entries({ ...least, ...others })

/** A store that answers nothing until it is told to stop. */
function endlessStore() {
  const signals: AbortSignal[] = []
  const wait = (_request: object, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signals.push(signal)
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const names = [...operations, 'select', 'histogram', 'trace']
  const store: Partial<HttpDependencies['store']> = Object.fromEntries(
    names.map(name => [name, wait]),
  )
  return { signals, store }
}

t.test('over its deadline, each is 503 and the store is told to stop', async t => {
  const { signals, store } = endlessStore()
  const { url, logged } = await startServer(t, { store })
  for (const [operation, body] of allOfThem) {
    const response = await ask(url, operation, { ...body, timeoutMs: 10 })
    t.equal(response.status, 503, operation)
    t.match(await response.json(), { code: 'query_timeout' })
    t.equal(signals.pop()?.aborted, true)
  }
  t.same(logged, [])
})

t.test('when the client goes away, the store is told to stop', async t => {
  const { signals, store } = endlessStore()
  const server = await startServer(t, { store })
  for (const [operation, body] of allOfThem) {
    const leaving = new AbortController()
    const request = ask(server.url, operation, body, { signal: leaving.signal })
    while (signals.length === 0) await new Promise(resolve => setImmediate(resolve))
    t.equal(signals[0]?.aborted, false)
    leaving.abort()
    await t.rejects(request)
    while (server.underWayCount > 0) await new Promise(resolve => setImmediate(resolve))
    t.equal(signals.pop()?.aborted, true, operation)
  }
  t.same(server.logged, [], 'which is not a mistake of the service')
})

t.test('they share the turns of all queries', async t => {
  const { store } = endlessStore()
  const server = await startServer(t, { store, config: { ...config, queryQueueTimeoutMs: 1 } })
  const leaving = new AbortController()
  const fitting = config.concurrentQueriesMax
  const requests = Array.from({ length: fitting }, (_, i) => {
    const operation = operations[i % operations.length]!
    return ask(server.url, operation, least[operation], { signal: leaving.signal }).catch(
      () => undefined,
    )
  })
  while (server.underWayCount < fitting) await new Promise(resolve => setImmediate(resolve))
  const refused = await ask(server.url, 'fields', least.fields)
  t.equal(refused.status, 503)
  t.match(await refused.json(), { code: 'queries_overloaded' })
  leaving.abort()
  await Promise.all(requests)
})

t.test('seconds are warned of, in each of them that has times', async t => {
  const { url } = await startServer(t)
  const times = { startTime: 1_700_000_000, endTime: 1_700_000_060 }
  for (const operation of operations.filter(one => one !== 'context')) {
    const response = await ask(url, operation, { ...least[operation], ...times })
    t.match(await response.json(), { warnings: [/^"startTime"/, /^"endTime"/] }, operation)
  }
})
