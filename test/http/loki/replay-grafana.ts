/**
 * Requests of Grafana's Loki data source: `pkg/tsdb/loki/api.go`, `healthcheck.go` and
 * `public/app/plugins/datasource/loki/` of grafana/grafana (12.x), and what they read of the answers.
 */
import type { Test } from 'tap'
import type { ServiceProcess } from '../../service/service-process.ts'
import { type Asked, clientOf, ns } from './ask.ts'
import { fineNs, fineSeconds, startSeconds } from './loki-data.ts'

const end = startSeconds + 60
const categorized = { headers: { 'x-loki-response-encoding-flags': 'categorize-labels' } }
const around = { start: ns(startSeconds), end: ns(end) }

export async function grafanaReplays(t: Test, service: ServiceProcess): Promise<void> {
  const { ask, data } = clientOf(t, service)
  /** As Explore asks for logs. */
  const logs = (asked: Asked) =>
    data(
      'query_range',
      { direction: 'backward', limit: '1000', step: '200ms', ...around, ...asked },
      categorized,
    )

  await t.test('Save & test: one sample, 2', async t => {
    // `To` of the health check is 4 s after 1970, in nanoseconds.
    const asked = { query: 'vector(1)+vector(1)', direction: 'backward', time: '4000000000' }
    const { resultType, result } = await data('query', asked)
    t.equal(resultType, 'vector')
    t.equal(result.length, 1)
    t.same(result[0].metric, {})
    t.equal(result[0].value[1], '2')
  })

  await t.test('Explore: streams with metadata apart', async t => {
    const { resultType, encodingFlags, result, stats } = await logs({
      query: '{service_name="checkout"} |= `payment 1`',
    })
    t.equal(resultType, 'streams')
    t.same(encodingFlags, ['categorize-labels'])
    t.same(
      result.map(({ stream }: { stream: object }) => stream),
      [{ environment: 'test', service_name: 'checkout' }],
    )
    const values = result[0].values
    t.equal(values.length, 11, 'payment 1, and 10 to 19')
    t.same(values.at(-1), [
      ns(startSeconds + 1),
      'payment 1',
      { structuredMetadata: { detected_level: 'info', duration_ms: '1', http_route: '/b' } },
    ])
    t.equal(values[0][1], 'payment 19', 'the latest first')
    t.equal(stats.summary.totalEntriesReturned, 11)
  })

  await t.test('what stages have made stands apart from metadata', async t => {
    const { result } = await logs({
      query:
        '{service_name="checkout"} |= `payment 1` | pattern "<what> <n>" | label_format http_route="/c" | json',
    })
    t.same(Object.keys(result[0].stream), ['service_name', 'environment'].sort())
    const [, , { structuredMetadata, parsed }] = result[0].values.at(-1)
    t.same(structuredMetadata, { detected_level: 'info', duration_ms: '1' })
    t.match(parsed, { what: 'payment', n: '1', http_route: '/c', __error__: 'JSONParserErr' })
  })

  await t.test('words say in a warning what they were read as', async t => {
    const query = 'payment -slow'
    const { body } = await ask('query_range', { query, ...around })
    t.same(body.warnings, ['the words were read as: logs | search "payment" -"slow"'])
    const plain = await ask('query_range', { query: '{service_name="checkout"}', ...around })
    t.notOk('warnings' in plain.body)
  })

  await t.test('without the flag all labels are those of the stream', async t => {
    const query = '{service_name="checkout", detected_level="error"}'
    const { result, encodingFlags } = await data('query_range', { query, ...around })
    t.equal(encodingFlags, undefined)
    const ofOne = result.find(
      ({ values }: { values: string[][] }) => values[0]![1] === 'payment 10',
    )
    t.same(ofOne, {
      stream: {
        detected_level: 'error',
        duration_ms: 'slow',
        environment: 'test',
        http_route: '/a',
        service_name: 'checkout',
      },
      values: [[ns(startSeconds + 10), 'payment 10']],
    })
  })

  await t.test('the start is in, the end is not, and both ways are in order', async t => {
    const linesOf = async (asked: Asked) => {
      const { result } = await logs({ query: '{service_name="checkout"}', ...asked })
      return result.flatMap(({ values }: { values: string[][] }) => values.map(([, line]) => line))
    }
    const five = { start: ns(startSeconds), end: ns(startSeconds + 5) }
    const all = ['payment 0', 'payment 1', 'payment 2', 'payment 3', 'payment 4']
    t.same(await linesOf({ ...five, direction: 'forward' }), all)
    t.same(await linesOf(five), all.toReversed())
    t.same(await linesOf({ ...five, limit: '2' }), ['payment 4', 'payment 3'])
    t.same(await linesOf({ ...five, limit: '2', direction: 'FORWARD' }), ['payment 0', 'payment 1'])
    const seconds = { start: String(startSeconds), end: `${startSeconds + 2}.0` }
    t.same(await linesOf({ ...seconds, direction: 'forward' }), all.slice(0, 2))
    const dates = { start: '2023-11-14T22:13:20Z', end: '2023-11-14T23:13:21.5+01:00' }
    t.same(await linesOf({ ...dates, direction: 'forward' }), all.slice(0, 2))
    const every = { ...five, direction: 'forward', interval: '2s' }
    t.same(await linesOf(every), ['payment 0', 'payment 2', 'payment 4'])
    t.same(await linesOf({ start: ns(end + 1), end: ns(end + 2) }), [])
  })

  await t.test('times are exact to the nanosecond, and entries in their order', async t => {
    const base = BigInt(fineSeconds) * 1_000_000_000n
    const at = (nanoseconds: number) => String(base + BigInt(nanoseconds))
    const timesOf = async (asked: Asked) => {
      const { result } = await logs({ query: '{service_name="clock"}', ...asked })
      return result.flatMap(({ values }: { values: string[][] }) => values.map(([time]) => time))
    }
    const sorted = fineNs.toSorted((a, b) => a - b).map(at)
    const whole = { start: at(0), end: at(1_000_000) }
    t.same(await timesOf({ ...whole, direction: 'forward' }), sorted)
    t.same(await timesOf(whole), sorted.toReversed())
    t.same(await timesOf({ ...whole, limit: '2' }), sorted.toReversed().slice(0, 2))
    t.same(await timesOf({ ...whole, limit: '2', direction: 'forward' }), sorted.slice(0, 2))
    const inner = { start: at(100_000), end: at(900_000), direction: 'forward' }
    t.same(await timesOf(inner), sorted.slice(1, 4))
    t.same(await timesOf({ ...inner, limit: '1' }), sorted.slice(1, 2))
  })

  await t.test('names that meet under LogQL stay apart', async t => {
    const start = ns(fineSeconds)
    const { result } = await logs({
      query: '{service_name="clock"}',
      start,
      end: ns(fineSeconds + 1),
    })
    t.match(result[0].stream, { service_name: 'clock' })
    const { structuredMetadata } = result[0].values[0][2]
    const { timestamp_ns: _, ...metadata } = structuredMetadata
    t.same(metadata, {
      detected_level: 'info',
      a_b: 'own',
      a_b_extracted: 'dotted',
      service_name_extracted: 'of the sender',
      detected_level_extracted: 'of the sender',
    })
  })

  await t.test('the volume histogram of Explore', async t => {
    const query =
      'sum by (level, detected_level) (count_over_time({service_name="checkout"} | drop __error__[10s]))'
    const asked = { query, direction: 'backward', step: '10000ms', ...around }
    const { resultType, result } = await data('query_range', asked, {
      headers: { 'x-query-tags': 'Source=logvolhist' },
    })
    t.equal(resultType, 'matrix')
    const [errors, infos] = ['error', 'info'].map(level =>
      result.find(
        ({ metric }: { metric: object }) =>
          'detected_level' in metric && metric.detected_level === level,
      ),
    )
    t.same(errors.metric, { detected_level: 'error' })
    const times = [0, 10, 20, 30, 40, 50, 60].map(seconds => startSeconds + seconds)
    t.same(
      errors.values,
      times.slice(0, 6).map(time => [time, '1']),
    )
    t.same(
      infos.values,
      times.slice(1).map(time => [time, '9']),
    )
  })

  await t.test('metric queries of dashboards', async t => {
    const figuresOf = async (query: string) => {
      const { result } = await data('query', { query, time: ns(end) })
      return result.map(({ metric, value }: { metric: object; value: unknown[] }) => [
        metric,
        value[1],
      ])
    }
    t.same(
      await figuresOf('sum(count_over_time({environment="test", service_name="checkout"}[5m]))'),
      [[{}, '60']],
    )
    t.same(await figuresOf('sum by (service_name) (rate({environment=~".+"} [1m]))'), [
      [{ service_name: 'checkout' }, String(59 / 60)],
      [{ service_name: 'search' }, String(5 / 60)],
    ])
  })

  await t.test('the label browser', async t => {
    t.same(await data('labels', around), ['environment', 'service_name'])
    t.same(await data('labels', { start: ns(100), end: ns(200) }), [])
    const values = (name: string, asked: Asked = {}) =>
      data(`label/${name}/values`, { ...around, ...asked })
    t.same(await values('service_name'), ['checkout', 'search'])
    t.same(await values('service_name', { query: '{environment="prod"}' }), ['search'])
    t.same(await values('environment'), ['prod', 'test'])
    t.same(await values('detected_level'), ['error', 'info'])
    t.same(await values('http_route'), ['/a', '/b'])
    t.same(await values('nothing'), [])
    t.same(
      await data('series', {
        'match[]': ['{service_name="search"}', '{environment=~"t.*"}'],
        ...around,
      }),
      [
        { environment: 'prod', service_name: 'search' },
        { environment: 'test', service_name: 'checkout' },
      ],
    )
  })

  await t.test('how much a query is about', async t => {
    const { status, body } = await ask('index/stats', {
      query: '{service_name="checkout"}',
      ...around,
    })
    t.equal(status, 200)
    t.match(body, { streams: 1, entries: 60 })
    t.ok(body.chunks >= 1 && body.bytes > 60)
    const nothing = await ask('index/stats', { query: '{service_name="none"}', ...around })
    t.match(nothing.body, { streams: 0, entries: 0, bytes: 0 })
  })

  await t.test('the context of an entry: its stream, two hours to both sides', async t => {
    const at = startSeconds + 30
    const query = '{environment="test",service_name="checkout"}'
    const before = { query, direction: 'backward', limit: '10', start: ns(at - 7_200), end: ns(at) }
    const after = { query, direction: 'forward', limit: '10', start: ns(at), end: ns(at + 7_200) }
    const first = async (asked: Asked) =>
      (await data('query_range', asked, categorized)).result[0].values
    t.same((await first(before)).map(([, line]: string[]) => line)[0], 'payment 29')
    t.same((await first(after)).map(([, line]: string[]) => line).slice(0, 2), [
      'payment 30',
      'payment 31',
    ])
  })

  await t.test('metadata is found under the names by which it is shown', async t => {
    const query =
      '{service_name="checkout", detected_level="info", http_route="/b", duration_ms="1"}'
    const { result } = await logs({ query })
    t.equal(result[0]?.values[0][1], 'payment 1')
    const routes = async (query: string) => (await data('query', { query, time: ns(end) })).result
    t.same(
      await routes('sum by (http_route) (count_over_time({service_name="checkout"}[5m]))'),
      ['/a', '/b'].map(http_route => ({ metric: { http_route }, value: [end, '30'] })),
    )
    const stats = await ask('index/stats', { query: '{http_route="/a"}', ...around })
    t.equal(stats.body.entries, 30)
    t.same(await data('label/service_name/values', { query: '{http_route="/a"}', ...around }), [
      'checkout',
    ])
    const clock = { start: ns(fineSeconds), end: ns(fineSeconds + 1) }
    const own = await data('query_range', { query: '{a_b="own"}', ...clock })
    t.equal(own.result.length, fineNs.length, 'a name of its own comes first')
    t.same((await data('query_range', { query: '{a_b="dotted"}', ...clock })).result, [])
  })

  await t.test('rules of alerting: there are none', async t => {
    for (const [path, data] of [
      ['rules?type=alert', { groups: [] }],
      ['alerts', { alerts: [] }],
    ] as const) {
      const { body } = await service.call('GET', `/prometheus/api/v1/${path}`)
      t.same(body, { status: 'success', data })
    }
  })

  await t.test("Prometheus' API answers the same for the same question", async t => {
    const range = { start: String(startSeconds), end: String(end), step: '10' }
    for (const query of [
      'sum by (service_name) (count_over_time({environment=~".+"}[30s]))',
      'rate({service_name="checkout"} |= "payment" [1m]) * 60',
      'sum(count_over_time({environment="none"}[1m]))',
      'count by (environment) (logs)',
    ]) {
      const own = await service.call(
        'GET',
        `/api/v1/query_range?${new URLSearchParams({ query, ...range })}`,
      )
      t.equal(own.status, 200, JSON.stringify(own.body))
      const { result } = await data('query_range', { query, ...range })
      const valuesOf = (series: { values: unknown[] }[]) => series.map(({ values }) => values)
      t.same(valuesOf(result), valuesOf(own.body.data.result), query)
    }
  })

  await t.test('what is spoken, and a query in its usual form', async t => {
    const { status, body } = await ask('status/buildinfo', {}, { post: false })
    t.equal(status, 200)
    t.match(body, { version: /^3\./ })
    t.match(
      await data('format_query', { query: '{environment="a",}|="b"' }),
      /environment="a"} \|= "b"$/,
    )
  })
}
