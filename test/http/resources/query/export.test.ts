import { randomBytes } from 'node:crypto'
import t from 'tap'
import { limits } from '../../../../src/limits.ts'
import { ProblemError } from '../../../../src/problems.ts'
import type { ExportRequest } from '../../../../src/store/store.ts'
import { post } from '../../call.ts'
import { until } from '../../raw-client.ts'
import { catalog, keyOf, startServer } from '../../stand-ins.ts'

const line = `${JSON.stringify({
  id: 'a.1',
  timestamp: 1,
  log_level: 'info',
  message: 'µ',
  attributes: { 'service.name': 'shop', environment: 'test' },
})}\n`
const asked = { query: 'logs{a="1"}', startTime: 1, endTime: 2 }

function ask(url: string, body: unknown, headers: Record<string, string> = {}, init = {}) {
  const more = { ...init, headers: { 'Accept-Encoding': 'identity', ...headers } }
  return post(`${url}/api/v1/query/logs/export`, keyOf.viewer, body, more)
}

/** A server whose exports are `chunks`; keeps what was asked of the store. */
async function startExporting(t: Parameters<typeof startServer>[0], chunks: readonly string[]) {
  const requests: ExportRequest[] = []
  const store = {
    async *exportText(request: ExportRequest) {
      requests.push(request)
      for (const chunk of chunks) yield Buffer.from(chunk)
    },
  }
  const server = await startServer(t, { store })
  return Object.assign(server, { requests })
}

t.test('an export is what the store gives, in the form that is accepted', async t => {
  const { url, requests } = await startExporting(t, [line, line])
  const response = await ask(url, asked)
  t.equal(response.status, 200)
  t.equal(response.headers.get('content-type'), 'application/x-ndjson')
  t.equal(response.headers.get('content-disposition'), 'attachment; filename="logs.ndjson"')
  t.equal(response.headers.get('content-encoding'), null)
  t.equal(await response.text(), line + line)
  t.match(requests.pop(), { startTime: 1, endTime: 2, order: 'asc', format: 'ndjson' })

  const inCsv = await ask(url, { ...asked, order: 'desc' }, { Accept: 'text/csv' })
  t.equal(inCsv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  t.equal(inCsv.headers.get('content-disposition'), 'attachment; filename="logs.csv"')
  await inCsv.text()
  t.match(requests.pop(), { order: 'desc', format: 'csv' })
})

t.test('one selector is asked for, with variables and offset', async t => {
  const { url, requests } = await startExporting(t, [])
  const query = 'count(logs{a="$a"} offset 1s)'
  const variables = { a: 'x' }
  const response = await ask(url, { query, variables, startTime: 1_500, endTime: 2_500 })
  t.equal(await response.text(), '')
  const matchers = [{ label: 'a', operator: '=', value: 'x' }]
  t.match(requests.pop(), { selector: { matchers }, startTime: 500, endTime: 1_500 })
})

t.test('gzip is sent to those who take it', async t => {
  const { url } = await startExporting(t, [line, line])
  const headers = { 'Accept-Encoding': 'gzip' }
  const response = await ask(url, asked, headers)
  t.equal(response.headers.get('content-encoding'), 'gzip')
  t.equal(await response.text(), line + line)
})

t.test('each mistake is refused', async t => {
  const { url, requests } = await startExporting(t, [line])
  const refuses = async (body: unknown, code: string, headers?: Record<string, string>) => {
    const response = await ask(url, body, headers)
    t.match(await response.json(), { code }, JSON.stringify(body))
    return response.status
  }

  await refuses({}, 'field_invalid')
  await refuses({ ...asked, query: 'logs{' }, 'query_syntax')
  await refuses({ ...asked, query: 'count(logs) / count(logs{a="1"})' }, 'query_syntax')
  await refuses({ ...asked, startTime: 3 }, 'field_invalid')
  await refuses({ ...asked, order: 'up' }, 'field_invalid')
  t.equal(await refuses(asked, 'not_acceptable', { Accept: 'application/json' }), 406)
  t.same(requests, [])
})

t.test('an export that fails at once is a problem, one that fails later is broken off', async t => {
  const failure = new ProblemError('data_damaged', 'some records', { retryAfterSeconds: 1 })
  let chunks: readonly Buffer[] = []
  const store = {
    async *exportText() {
      yield* chunks
      throw failure
    },
  }
  const server = await startServer(t, { store })
  const early = await ask(server.url, asked)
  t.equal(early.status, 503)
  t.equal(early.headers.get('retry-after'), '1')
  t.match(await early.json(), { code: 'data_damaged' })
  const inGzip = await ask(server.url, asked, { 'Accept-Encoding': 'gzip' })
  t.equal(inGzip.status, 503)
  t.equal(inGzip.headers.get('content-encoding'), null)
  await inGzip.text()

  chunks = [Buffer.from(line)]
  await t.rejects(async () => (await ask(server.url, asked)).text())
  chunks = [randomBytes(300_000)] // More than gzip keeps to itself.
  await t.rejects(async () => (await ask(server.url, asked, { 'Accept-Encoding': 'gzip' })).text())
})

/** A store whose exports go on until they are ended. */
function endless() {
  const seen = { running: 0 }
  const store = {
    async *exportText() {
      seen.running++
      try {
        for (;;) yield Buffer.alloc(100_000, line)
      } finally {
        seen.running--
      }
    },
  }
  return { seen, store }
}

t.test('so many exports run at once, and one that is left makes room', async t => {
  const { seen, store } = endless()
  const server = await startServer(t, { store })
  const leaving = new AbortController()
  for (let i = 0; i < limits.exportsMax; i++) {
    const headers = { 'Accept-Encoding': i % 2 === 0 ? 'gzip' : 'identity' }
    t.equal((await ask(server.url, asked, headers, { signal: leaving.signal })).status, 200)
  }
  t.equal(seen.running, limits.exportsMax)
  const refused = await ask(server.url, asked)
  t.equal(refused.status, 429)
  t.match(await refused.json(), { code: 'exports_too_many' })
  leaving.abort()
  await until(() => seen.running === 0 && server.underWayCount === 0)
  const again = new AbortController()
  t.equal((await ask(server.url, asked, {}, { signal: again.signal })).status, 200)
  again.abort()
  await until(() => server.underWayCount === 0)
})

t.test('an export ends with the key that asked for it', async t => {
  const { seen, store } = endless()
  let isKnown = true
  const apiKeys = {
    ...catalog.apiKeys,
    find: (key: string) => (isKnown ? catalog.apiKeys.find(key) : undefined),
  }
  const server = await startServer(t, { store, catalog: { ...catalog, apiKeys } })
  const response = await ask(server.url, asked)
  const reader = response.body!.getReader()
  await reader.read()
  isKnown = false
  await t.rejects(async () => {
    while (!(await reader.read()).done);
  })
  await until(() => seen.running === 0)
})
