/**
 * The query language as `src/language/README.md` has it: its records are sent to a service, and each query of its
 * tables is asked. Its last column is the answer.
 */
import t from 'tap'
import { type ServiceProcess, startService } from '../service/service-process.ts'
import { blocksOf, codeOf, readDocument, tablesOf } from './markdown.ts'

const document = readDocument('src/language/README.md')
const minute = { startTime: Date.parse('2026-11-20T10:00:00Z'), lengthMs: 60_000 }

let service: ServiceProcess

t.before(async () => {
  service = await startService(t.testdir())
  for (const { info, text } of blocksOf(document)) {
    const [language, serviceName] = info.split(' ')
    if (language !== 'json' || serviceName === undefined) continue
    const token = await service.makeToken(serviceName, 'prod')
    const path = '/api/v1/webhook/event/logs?timestamp_field=time'
    const { body } = await service.call('POST', path, { token, body: text })
    t.match(body, { accepted: text.trimEnd().split('\n').length })
  }
})

t.teardown(() => service.end('SIGKILL'))

/** The rows of all tables whose first columns are named so. */
function rowsOf(...names: string[]): (readonly string[])[] {
  return tablesOf(document)
    .filter(({ columns }) => names.every((name, place) => columns[place] === name))
    .flatMap(({ rows }) => rows)
}

type Variables = Record<string, string>

/** The answer as the last column writes it: `6`, or `checkout 4, search 2`. */
async function answerTo(query: string, variables: Variables = {}): Promise<string> {
  const isSelector = /^(logs\b|\{)/.test(query)
  return isSelector ? countOf(query, variables) : numbersOf(query, variables)
}

async function countOf(query: string, variables: Variables): Promise<string> {
  const { startTime, lengthMs } = minute
  const endTime = startTime + lengthMs - 1
  const { status, body } = await service.query(query, { startTime, endTime, variables })
  return status === 200 ? String(body.count) : body.detail
}

async function numbersOf(query: string, variables: Variables): Promise<string> {
  const asked = new URLSearchParams({
    query,
    time: String((minute.startTime + minute.lengthMs) / 1000),
    lookback_delta: '1m',
  })
  for (const [name, value] of Object.entries(variables)) asked.set(`var.${name}`, value)
  const { status, body } = await service.call('GET', `/api/v1/query?${asked}`)
  if (status !== 200) return body.error
  const { resultType, result } = body.data
  if (resultType === 'scalar') return result[1]
  const texts: string[] = result.map(
    ({ metric, value }: { metric: Record<string, string>; value: [number, string] }) =>
      [...Object.values(metric), value[1]].join(' '),
  )
  return texts.sort().join(', ')
}

t.test('each query of the tables has the answer that stands beside it', async t => {
  const rows = rowsOf('Query', 'Means')
  t.ok(rows.length > 30, `${rows.length} queries`)
  for (const row of rows) {
    const query = codeOf(row[0]!)!
    t.equal(await answerTo(query), row.at(-1), query)
  }
})

t.test('words become the query that stands beside them, and say so in each answer', async t => {
  const { startTime, lengthMs } = minute
  const times = { startTime, endTime: startTime + lengthMs - 1 }
  const rows = rowsOf('Words', 'Become')
  t.ok(rows.length > 5, `${rows.length} queries`)
  for (const [words, query, count] of rows) {
    const { body } = await service.query(codeOf(words!)!, times)
    t.match(body, { interpretedAs: codeOf(query!), count: Number(count) }, words!)
  }
  const query = 'path:/pay'
  const interpretedAs = 'logs{path=~"(?i)/pay"}'
  for (const operation of ['histogram', 'facets', 'fields', 'values']) {
    const path = `/api/v1/query/logs/${operation}`
    const { body } = await service.call('POST', path, { body: { query, ...times, field: 'path' } })
    t.equal(body.interpretedAs, interpretedAs, operation)
  }
  const asked = new URLSearchParams({ query, time: '1' })
  const { body } = await service.call('GET', `/api/v1/query?${asked}`)
  t.same(body.infos, [`the words were read as: ${interpretedAs}`])
  t.notOk('interpretedAs' in (await service.query('logs', times)).body, 'of other queries nothing')
})

t.test('what is explained of a query is what it then reads', async t => {
  const { startTime, lengthMs } = minute
  const endTime = startTime + lengthMs - 1
  const figuresOf = ({
    elapsedMs: _,
    valuesSkipped: _skipped,
    ...figures
  }: Record<string, number>) => figures
  for (const query of [
    'count(logs{path="/pay"} |= "took")',
    'count(logs{log_level="error"})',
    'count by (path) (logs{ms > 1000} or logs{status in ("500")})',
    'sum(logs | json | unwrap ms) / count(logs)',
  ]) {
    const asked = new URLSearchParams({ query, startTime: `${startTime}`, endTime: `${endTime}` })
    const explained = await service.call('GET', `/api/v1/query/explain?${asked}`)
    t.equal(explained.status, 200, query)
    t.match(explained.body, { tree: { kind: query.includes('/ c') ? 'binary' : 'aggregate' } })
    const [first, ...others] = explained.body.reads.map(({ stats }: never) => figuresOf(stats))
    if (others.length > 0) continue // What several scans read is added up otherwise.
    const time = { time: `${(endTime + 1) / 1000}`, lookback_delta: '1m', stats: 'all' }
    const { body } = await service.call(
      'GET',
      `/api/v1/query?${new URLSearchParams({ query, ...time })}`,
    )
    t.same(figuresOf(body.data.stats), first, query)
  }
  const asked = new URLSearchParams({ query: 'timeout', startTime: '5', endTime: '6' })
  const { body } = await service.call('GET', `/api/v1/query/explain?${asked}`)
  t.match(body, { query: 'logs | search "timeout"', interpretedAs: 'logs | search "timeout"' })
  const { status } = await service.call('GET', '/api/v1/query/explain?query=logs')
  t.equal(status, 400, 'times must be given')
})

t.test('each query with variables, too', async t => {
  for (const [cell, given, answer] of rowsOf('Query', 'With')) {
    const query = codeOf(cell!)!
    const pairs = codeOf(given!)!.split('; ')
    const variables = Object.fromEntries(pairs.map(pair => pair.split(/=(.*)/s).slice(0, 2)))
    t.equal(await answerTo(query, variables), answer, `${query} with ${given}`)
  }
})

t.test('each mistake is refused in the words that stand there', async t => {
  for (const [cell, detail] of rowsOf('Query', '`detail` of the refusal')) {
    const { status, body } = await service.query(codeOf(cell!)!)
    t.match({ status, detail: body.detail }, { status: 400, detail })
  }
})
