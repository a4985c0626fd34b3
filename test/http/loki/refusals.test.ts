/** Requests of hostile or mistaken shape: each is refused clearly, in Loki's form, with the field at fault. */
import t from 'tap'
import { limits } from '../../../src/limits.ts'
import { keyOf, startServer } from '../stand-ins.ts'

type Asked = Record<string, string>

async function client(t: Parameters<typeof startServer>[0]) {
  const { url, selections } = await startServer(t)
  const ask = async (path: string, asked: Asked) => {
    const form = String(new URLSearchParams(asked))
    const isLong = form.length > 2_000 // More than a head may have.
    const response = await fetch(`${url}/loki/api/v1/${path}${isLong ? '' : `?${form}`}`, {
      method: isLong ? 'POST' : 'GET',
      ...(isLong && { body: form }),
      headers: {
        authorization: `Bearer ${keyOf.viewer}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    return { status: response.status, body: await response.json() }
  }
  const refuses = async (path: string, asked: Asked, message: RegExp) => {
    const { status, body } = await ask(path, asked)
    t.equal(status, 400, `${path} ${JSON.stringify(asked).slice(0, 100)}`)
    t.match(body, { code: 400, status: 'error', message })
  }
  const takes = async (path: string, asked: Asked) => {
    const { status, body } = await ask(path, asked)
    t.equal(status, 200, `${path} ${JSON.stringify(asked)}: ${JSON.stringify(body)}`)
  }
  return { refuses, takes, selections }
}

const query = '{a="b"}'

t.test('entries are asked for within bounds', async t => {
  const { refuses, takes, selections } = await client(t)
  await takes('query_range', { query })
  t.equal(selections.at(-1)!.limit, limits.lokiEntriesDefault)
  await takes('query_range', { query, limit: String(limits.lokiEntriesMax) })
  t.equal(selections.at(-1)!.limit, limits.lokiEntriesMax)
  const bounds = new RegExp(`"limit" must be a whole number between 1 and ${limits.lokiEntriesMax}`)
  for (const limit of [
    '0',
    '-1',
    '1.5',
    'all',
    String(limits.lokiEntriesMax + 1),
    '9'.repeat(400),
  ]) {
    await refuses('query_range', { query, limit }, bounds)
  }
})

t.test('times are what Loki takes, and nothing else', async t => {
  const { refuses, takes, selections } = await client(t)
  const startOf = async (start: string) => {
    await takes('query_range', { query, start, end: '8640000000000000000000' })
    return selections.at(-1)!.startTime
  }
  t.equal(await startOf('1700000000'), 1_700_000_000_000, 'ten digits are seconds')
  t.equal(await startOf('1700000000.5'), 1_700_000_000_500)
  t.equal(await startOf('1.7e9'), 1_700_000_000_000)
  t.equal(await startOf('1700000000123456789'), 1_700_000_000_123, 'more are nanoseconds')
  t.equal(await startOf('12345678901'), 12_345)
  t.equal(await startOf('2023-11-14T22:13:20.123456789Z'), 1_700_000_000_123)
  t.equal(await startOf('-1.5'), -1_500)
  t.equal(await startOf('-1500000000001'), -1_500_001)
  for (const start of [
    'yesterday',
    '1e999',
    '9'.repeat(30),
    '1'.repeat(5_000),
    'NaN',
    '2023-02-30T00:00:00Z',
  ]) {
    await refuses('query_range', { query, start }, /"start" must be a time in nanoseconds/)
  }
  await refuses('query', { query: '1', time: 'x' }, /"time" must be a time/)
  await refuses('query_range', { query, start: '2', end: '1' }, /"end" must not be before "start"/)
  await refuses('query_range', { query, since: '5' }, /"since" must be a duration/)
})

t.test('since goes back from the end, or from now where that is earlier', async t => {
  const { takes, selections } = await client(t)
  await takes('query_range', { query, end: '1700000000', since: '1h' })
  t.match(selections.at(-1), { startTime: 1_699_996_400_000, endTime: 1_699_999_999_999 })
  await takes('query_range', { query, end: '1700000000', since: '1h', start: '1600000000' })
  t.equal(selections.at(-1)!.startTime, 1_600_000_000_000, 'a start supersedes it')
  const before = Date.now()
  await takes('query_range', { query, end: '4000000000', since: '1h' })
  const { startTime } = selections.at(-1)!
  t.ok(before - 3_600_000 <= startTime && startTime <= Date.now() - 3_600_000)
})

t.test('what is odd about a query is said with its place', async t => {
  const { refuses } = await client(t)
  await refuses('query_range', {}, /"query" is missing/)
  await refuses('query_range', { query: '{a=}' }, /^parse error at line 1, col 4: /)
  await refuses('query_range', { query: '{a=~"("}' }, /^parse error at line 1, col 5: /)
  await refuses('query_range', { query: 'x'.repeat(limits.queryLengthMax + 1) }, /longer than/)
  await refuses('query_range', { query: '('.repeat(5_000) }, /^parse error/)
  await refuses('query', { query }, /log queries are not supported as an instant query type/)
  await refuses('labels', { query: '{' }, /^parse error/)
  await refuses('index/volume', {}, /"query" is missing/)
  await refuses('index/volume', { query: '1' }, /expected a selector/)
  await refuses('format_query', { query: '{' }, /^parse error/)
})

t.test('so is all else', async t => {
  const { refuses, takes } = await client(t)
  const figures = { query: 'count(logs)', start: '1700000000', end: '1700086400' }
  await refuses(
    'query_range',
    { query, direction: 'up' },
    /"direction" must be "forward" or "backward"/,
  )
  await refuses('query_range', { query, interval: '0' }, /"interval" must be more than zero/)
  await refuses('query_range', { ...figures, step: '-1' }, /"step" must be more than zero/)
  await refuses(
    'query_range',
    { ...figures, step: '1' },
    /exceeded maximum resolution of 11000 points/,
  )
  await refuses('query_range', { ...figures, end: figures.start }, /"end" must be after "start"/)
  await takes('query_range', figures)
  await refuses('series', {}, /"match\[\]" is missing/)
  await refuses('series', { 'match[]': '1' }, /expected a selector/)
  await refuses('index/volume', { query, aggregateBy: 'x' }, /"aggregateBy" must be/)
  const many = Array.from({ length: limits.queryGroupLabelsMax + 1 }, (_, i) => `a${i}`).join()
  await refuses('index/volume', { query, targetLabels: many }, /"targetLabels" must be at most/)
  await refuses('detected_fields', { query, line_limit: '0' }, /"line_limit" must be/)
})

t.test('errors before the handler have the same form', async t => {
  const { url } = await startServer(t)
  const at = (path: string, init: RequestInit = {}) => fetch(`${url}/loki/api/v1/${path}`, init)
  const authorization = `Bearer ${keyOf.viewer}`
  const missing = await at('labels')
  t.equal(missing.status, 401)
  t.match(await missing.json(), { code: 401, status: 'error', message: /Authorization/ })
  const method = await at('labels', { method: 'DELETE', headers: { authorization } })
  t.equal(method.status, 405)
  t.match(await method.json(), { code: 405, status: 'error' })
  const type = await at('labels', {
    method: 'POST',
    body: '{}',
    headers: { authorization, 'content-type': 'application/json' },
  })
  t.equal(type.status, 415)
  t.match(await type.json(), { code: 415, status: 'error' })
})
