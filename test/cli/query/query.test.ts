import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { type Asked, fakeApi, refuse } from '../fake-api.ts'
import { fakeTerminal } from '../fake-terminal.ts'

const at = Date.parse('2026-11-20T09:30:00.123Z')

const record = (n: number, more: object = {}) => ({
  id: `r${n}`,
  timestamp: at + n,
  log_level: 'error',
  message: `payment ${n} timed out`,
  attributes: { 'service.name': 'checkout', environment: 'prod', order: String(n) },
  ...more,
})

/** Answers as the service would that holds `total` records; a cursor is the next record's number. */
function pages(total: number) {
  return ({ body }: Asked) => {
    const start = Number(body.cursor ?? 0)
    const logs = Array.from({ length: Math.min(body.limit, total - start) }, (_, i) =>
      record(start + i),
    )
    const next = start + logs.length
    return { count: total, logs, ...(next < total ? { nextCursor: String(next) } : {}) }
  }
}

t.test('records are lines: time, level, service, message, attributes', async t => {
  const api = await fakeApi(t, () => ({
    count: 3,
    logs: [
      record(1),
      record(2, { log_level: 'info', message: 'a\nb\x1b[2J', attributes: { 'a b': 'c"d' } }),
      record(3, { message: '', attributes: { 'service.name': 'web', empty: '' } }),
    ],
  }))
  const { code, printed } = await api.run(['query', 'logs'])
  t.equal(code, 0)
  t.same(printed.split('\n'), [
    '3 records',
    '2026-11-20T09:30:00.124Z ERROR checkout  payment 1 timed out  environment=prod order=1',
    '2026-11-20T09:30:00.125Z INFO  ""  a\\nb\\x1b[2J  "a b"="c\\"d"',
    '2026-11-20T09:30:00.126Z ERROR web  empty=""',
    '',
  ])
})

t.test('what is asked is what the flags say', async t => {
  const api = await fakeApi(t, pages(0))
  const asks = async (argv: string[], expected: object) => {
    t.match(await api.run(['query', 'logs', ...argv]), { code: 0, printed: '0 records\n' })
    t.match(api.asked.at(-1), { method: 'POST', path: '/api/v1/query/logs', body: expected })
  }
  const from = '2026-11-20T09:00:00Z'

  await asks(['--from', from, '--to', String(at)], {
    query: 'logs',
    startTime: Date.parse(from),
    endTime: at,
    limit: 100,
    order: 'asc',
  })
  await asks(['--limit', '7', '--order', 'desc'], { limit: 7, order: 'desc' })
  await asks(['--timeout', '2s', '--all'], { timeoutMs: 2000, limit: 1000 })
  t.match(api.asked[0]?.headers, { authorization: 'Bearer a-key' })

  const { startTime, endTime } = api.asked[1]!.body
  t.equal(endTime - startTime, 3_600_000, 'without a time, the last hour is asked for')
})

t.test('a limit beyond one answer, and --all, follow the cursors', async t => {
  const api = await fakeApi(t, pages(2345))
  const prints = async (argv: string[], lines: number, limits: number[]) => {
    api.asked.length = 0
    const { printed } = await api.run(['query', 'logs', '--json', ...argv])
    const ids = printed
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line).id)
    t.same(
      ids,
      Array.from({ length: lines }, (_, i) => `r${i}`),
    )
    t.same(
      api.asked.map(({ body }) => body.limit),
      limits,
    )
  }

  await prints([], 100, [100])
  await prints(['--limit', '1500'], 1500, [1000, 500])
  await prints(['--all'], 2345, [1000, 1000, 1000])

  t.match(await api.run(['query', 'logs']), { printed: /^2,345 records; the earliest 100:\n/ })
  const latest = ['query', 'logs', '--order=desc', '--limit=1']
  t.match(await api.run(latest), { printed: /^2,345 records; the latest 1:\n/ })
})

t.test('a reader that goes while more is asked for ends a query quietly', async t => {
  const reader = { go: () => {} }
  const api = await fakeApi(t, (asked, _, attempt) => {
    if (attempt === 1) return pages(2000)(asked)
    reader.go() // And this one is never answered.
  })
  const environment = { LOGSTRATA_URL: api.url, LOGSTRATA_KEY: 'a-key' }
  const terminal = fakeTerminal({ environment })
  reader.go = () => terminal.stdout.destroy()
  const result = await api.run(['query', 'logs', '--all'], { terminal })
  t.match(result, { code: 0, complained: '' })
})

t.test('groups are a table, and records of an aggregate are printed when asked for', async t => {
  const groups = [
    { labels: { host: 'a\x1b', path: '/x' }, count: 1200, value: 0.25 },
    { labels: { host: '', path: '/long/path' }, count: 7, value: 12345678 },
  ]
  const api = await fakeApi(t, () => ({ count: 1207, logs: [record(1)], groups }))
  const query = 'avg by (host, path) (logs | unwrap ms)'
  const { printed } = await api.run(['query', query])
  t.same(printed.split('\n'), [
    '1,207 records',
    'host   path             value  count',
    'a\\x1b  /x                0.25  1,200',
    '       /long/path  12,345,678      7',
    '',
  ])
  t.equal(api.asked[0]?.body.limit, 1, 'and no more records than needed are asked for')

  const json = await api.run(['query', query, '--json'])
  t.same(
    json.printed
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line)),
    groups,
  )

  const both = await api.run(['query', query, '--limit', '5'])
  t.match(both.printed, /the earliest 5:.*\n(.*\n)*\n2026-11-20T.*payment 1/)
})

t.test('one figure is a line', async t => {
  const api = await fakeApi(t, () => ({ count: 1, logs: [], value: 0.5 }))
  const query = 'rate(logs)'
  t.match(await api.run(['query', query]), { printed: 'value 0.5, over 1 record\n' })
  t.match(await api.run(['query', query, '--json']), { printed: '{"count":1,"value":0.5}\n' })

  const infinite = await fakeApi(t, () => ({ count: 2, logs: [], value: '+Inf' }))
  t.match(await infinite.run(['query', query]), { printed: 'value +Inf, over 2 records\n' })
  const none = await fakeApi(t, () => ({ count: 0, logs: [] }))
  t.match(await none.run(['query', query]), { printed: '0 records\n' })
})

t.test('an expression over several selectors is asked for as series', async t => {
  const vector = {
    resultType: 'vector',
    result: [
      { metric: { host: 'b' }, value: [at / 1000, '0.125'] },
      { metric: { host: 'a' }, value: [at / 1000, 'NaN'] },
    ],
  }
  const api = await fakeApi(t, () => ({ status: 'success', data: vector }))
  const query = 'count by (host) (logs{a="b"}) / count by (host) (logs)'
  const argv = ['query', query, '--from', '1000000000000', '--to', '1000000059999']
  t.match(await api.run(argv), { code: 0, printed: 'host  value\nb     0.125\na       NaN\n' })
  const [asked] = api.asked
  t.match(asked, { method: 'GET', path: '/api/v1/query' })
  t.same(Object.fromEntries(asked!.parameters), {
    query,
    time: '1000000059.999',
    lookback_delta: '60',
  })

  const json = await api.run([...argv, '--json'])
  t.same(
    json.printed
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line)),
    vector.result,
  )
})

t.test('what the service says beside an answer goes to standard error', async t => {
  const answer = {
    data: { resultType: 'vector', result: [], stats: { blocks: 3 } },
    warnings: ['cut\x1b'],
    infos: ['skipped'],
  }
  const api = await fakeApi(t, () => answer)
  const result = await api.run(['query', 'count(logs) / count(logs)', '--stats'])
  t.match(result, { code: 0, printed: 'no series\n' })
  t.equal(result.complained, 'logstrata: cut\\x1b\nlogstrata: skipped\n{"blocks":3}\n')
  t.equal(api.asked[0]?.parameters.get('stats'), 'all')

  const logs = await fakeApi(t, () => ({ count: 9, logs: [], value: 1, valuesSkipped: 2 }))
  const skipped = await logs.run(['query', 'sum(logs | unwrap a)'])
  t.match(skipped, { printed: /^value 1/, complained: /2 records have no number/ })
})

t.test('--step makes a series over time, one row a point', async t => {
  const result = [
    {
      metric: { l: 'x' },
      values: [
        [1000000000, '1'],
        [1000000060, '2500'],
      ],
    },
    { metric: {}, values: [[1000000000, '3']] },
  ]
  const data = { resultType: 'matrix', result }
  const api = await fakeApi(t, () => ({ status: 'success', data }))
  const argv = ['query', 'count by (l) (logs)', '--from=1000000000', '--to=1000000060', '--step=1m']
  const { printed } = await api.run([...argv, '--timeout=5s'])
  t.same(printed.split('\n'), [
    'time                      l  value',
    '2001-09-09T01:46:40.000Z  x      1',
    '2001-09-09T01:46:40.000Z         3',
    '2001-09-09T01:47:40.000Z  x  2,500',
    '',
  ])
  t.equal(api.asked[0]?.path, '/api/v1/query_range')
  t.match(Object.fromEntries(api.asked[0]!.parameters), {
    start: '1000000000',
    end: '1000000060',
    step: '60',
    timeout: '5000ms',
  })
})

t.test('a scalar is a figure', async t => {
  const data = { resultType: 'scalar', result: [1000000000, '2'] }
  const api = await fakeApi(t, () => ({ status: 'success', data }))
  t.match(await api.run(['query', '1 + 1']), { printed: 'value\n    2\n' })
})

t.test('--histogram prints a bar for each bucket', async t => {
  const buckets = [
    { start: at - 123, count: 60, levels: { info: 59, error: 1 } },
    { start: at - 123 + 60_000, count: 0, levels: {} },
    { start: at - 123 + 120_000, count: 1, levels: { error: 1 } },
  ]
  const api = await fakeApi(t, () => ({ bucketMs: 60_000, buckets }))
  const { printed } = await api.run(['query', 'logs', '--histogram', '--step', '1m'])
  t.same(printed.split('\n'), [
    '61 records',
    'from                      count  info  error',
    `2026-11-20T09:30:00.000Z     60    59      1  ${'█'.repeat(30)}`,
    '2026-11-20T09:31:00.000Z      0     0      0',
    '2026-11-20T09:32:00.000Z      1     0      1  █',
    '',
  ])
  t.match(api.asked[0], { path: '/api/v1/query/logs/histogram', body: { bucketMs: 60_000 } })
})

t.test('--stats go to standard error', async t => {
  const api = await fakeApi(t, () => ({ count: 0, logs: [], stats: { blocks: 3 } }))
  const result = await api.run(['query', 'logs', '--stats', '--json'])
  t.match(result, { printed: '', complained: '{"blocks":3}\n' })
})

t.test('a mistake in a query is shown at its place', async t => {
  const shows = async (query: string, offset: number, lines: string[]) => {
    const position = { line: 1, column: offset + 1, offset }
    const problem = {
      code: 'query_syntax',
      detail: 'what is wrong',
      position,
      expected: ['a', 'b'],
    }
    const api = await fakeApi(t, (_, response) => refuse(response, 400, problem))
    const { code, complained } = await api.run(['query', query])
    t.equal(code, 2)
    t.same(complained.split('\n').slice(2, -1), [...lines, 'expected: a, b'])
  }

  await shows('logs{a=}', 7, ['  logs{a=}', '         ^'])
  await shows('logs{a=', 7, ['  logs{a=', '         ^'])
  await shows('logs{\n\ta="\x1b"=}', 12, ['  \\ta="\\x1b"=}', '            ^'])
  await shows('logs{🎉}', 5, ['  logs{🎉}', '       ^'])
})

t.test(
  'a mistake in a series is shown at its place, though the answer does not say it',
  async t => {
    const answer = { status: 'error', errorType: 'bad_data', error: 'no' }
    const api = await fakeApi(t, (_, response) => refuse(response, 400, answer))
    const result = await api.run(['query', 'count(logs{a=})', '--step', '1m'])
    t.match(result, { code: 2, complained: /\n {2}count\(logs\{a=\}\)\n {15}\^\n/ })
    t.match(await api.run(['query', 'count(logs)', '--step', '1m']), {
      code: 1,
      complained: /refused: 400 bad_data: no/,
    })
  },
)

t.test('a refusal says what to do, and never shows the key', async t => {
  const complains = async (status: number, problem: object, complaint: RegExp) => {
    const api = await fakeApi(t, (_, response) => refuse(response, status, problem))
    const result = await api.run(['query', 'logs'])
    t.match(result, { code: 1, printed: '', complained: complaint })
    t.notMatch(result.complained, /a-key/)
  }

  await complains(401, { code: 'credential_invalid', detail: 'x' }, /this key: 401.*LOGSTRATA_KEY/)
  await complains(403, { code: 'role_insufficient', detail: 'x' }, /403.*higher role/)
  await complains(503, { code: 'query_timeout', detail: '\x1b[2J' }, /503 query_timeout: \\x1b\[2J/)
  await complains(404, {}, /right address/)
  await complains(302, {}, /right address/)
})

t.test('another program on the port is recognised', async t => {
  for (const text of ['<html>', '[]', '{}', '{"count":"1","logs":[]}']) {
    const api = await fakeApi(t, (_, response) => {
      response.end(text)
    })
    const result = await api.run(['query', 'logs'])
    t.match(result, { code: 1, complained: /is not this service/ }, text)
  }
})

t.test('an answer that breaks off is a failure', async t => {
  const api = await fakeApi(t, (_, response) => {
    response.write('{"count":1,"logs":[')
    response.socket?.end()
  })
  t.match(await api.run(['query', 'logs']), { code: 1, complained: /broke off/ })
})

t.test('colours are for terminals, and only for those who want them', async t => {
  const api = await fakeApi(t, () => ({ count: 1, logs: [record(1, { message: '\x1b[31m' })] }))
  const prints = async (isTTY: boolean, more: Record<string, string> = {}) => {
    const environment = { LOGSTRATA_URL: api.url, LOGSTRATA_KEY: 'a-key', ...more }
    const terminal = fakeTerminal({ environment })
    Object.assign(terminal.stdout, { isTTY })
    const { printed } = await api.run(['query', 'logs'], { terminal })
    t.match(stripVTControlCharacters(printed), /\\x1b\[31m/, 'what the message holds stays text')
    return printed.includes('\x1b')
  }

  t.equal(await prints(true), true)
  t.equal(await prints(true, { NO_COLOR: '' }), true)
  t.equal(await prints(true, { NO_COLOR: '1' }), false)
  t.equal(await prints(true, { TERM: 'dumb' }), false)
  t.equal(await prints(false), false)
})

t.test('--explain prints what a query means and would read', async t => {
  const stats = {
    ...{ blocks: 1_018, blocksPrunedByTime: 3, entriesPruned: 30, sourcesFromIndex: 950 },
    ...{ blocksPrunedByFilter: 20, blocksPrunedByTemplate: 10, blocksScanned: 5 },
    ...{ framesScanned: 2, recordsScanned: 98_304, bytesScanned: 5_242_880 },
  }
  const answer = {
    query: 'logs | search "timeout"',
    tree: { kind: 'selector' },
    reads: [{ of: 'count(logs | search "timeout")', stats }],
    interpretedAs: 'logs | search "timeout"',
  }
  const api = await fakeApi(t, () => answer)
  const range = ['--from', '2026-11-20T09:00:00Z', '--to', String(at)]
  const { code, printed, complained } = await api.run(['query', 'timeout', '--explain', ...range])
  t.equal(code, 0)
  t.same(printed.split('\n'), [
    'logs | search "timeout"',
    '',
    'count(logs | search "timeout"):',
    '  blocks of segments                                 1,018',
    '  - of other times or streams                            3',
    '  - of other levels, journal included                   30',
    '  - answered by the index alone, journal included      950',
    '  - without such words, attributes or values            20',
    '  - answered by templates or counted values             10',
    '  blocks to open                                         5',
    '  frames of the journal to read                          2',
    '  records to test                                   98,304',
    '  in their bytes, of which few are read            5.0 MiB',
    '',
  ])
  t.match(complained, /the words were read as: logs \| search "timeout"/)
  t.match(api.asked[0], { method: 'GET', path: '/api/v1/query/explain' })
  t.same(Object.fromEntries(api.asked[0]!.parameters), {
    query: 'timeout',
    startTime: String(Date.parse('2026-11-20T09:00:00Z')),
    endTime: String(at),
  })
  const { printed: json } = await api.run(['query', 'timeout', '--explain', '--json'])
  t.same(JSON.parse(json), answer)
  for (const flag of ['--histogram', '--all', '--stats', '--step=1m', '--timeout=1s']) {
    const refused = await api.run(['query', 'timeout', '--explain', flag])
    t.match(refused, { code: 2, complained: /--explain reads nothing: only times and --json/ })
  }
})
