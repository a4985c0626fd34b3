/**
 * Requests of Logs Drilldown: `src/services/datasource.ts` and `expressions.ts` of grafana/logs-drilldown
 * (2.x). It writes times as ISO 8601 and asks by GET.
 */
import type { Test } from 'tap'
import type { ServiceProcess } from '../../service/service-process.ts'
import { clientOf } from './ask.ts'
import { startSeconds } from './loki-data.ts'

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const around = { start: iso(startSeconds), end: iso(startSeconds + 60) }
const tags = { headers: { 'x-query-tags': 'Source=grafana-lokiexplore-app' } }

export async function drilldownReplays(t: Test, service: ServiceProcess): Promise<void> {
  const { ask, data } = clientOf(t, service)
  const body = async (path: string, asked = {}) => {
    const answer = await ask(path, { ...around, ...asked }, tags)
    t.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  await t.test('what it may ask for', async t => {
    const { status, body } = await ask('drilldown-limits', {}, { post: false })
    t.equal(status, 200)
    t.match(body, { limits: { volume_enabled: true, max_entries_limit_per_query: 5000 } })
  })

  await t.test('services by volume', async t => {
    const asked = { query: '{service_name=~`.+`}', limit: '5000', ...around }
    const { resultType, result } = await data('index/volume', asked, tags)
    t.equal(resultType, 'vector')
    t.same(
      result.map(({ metric }: { metric: object }) => metric),
      [{ service_name: 'checkout' }, { service_name: 'search' }],
      'the largest first',
    )
    const [large, small] = result.map(({ value }: { value: string[] }) => Number(value[1]))
    t.equal(Math.round(large / small), 10)
    t.equal((await data('index/volume', { ...asked, limit: '1' })).result.length, 1)
  })

  await t.test('volumes by other labels, by names, and over time', async t => {
    const query = '{service_name=~".+"}'
    const volumes = async (asked: object) =>
      (await data('index/volume', { query, ...around, ...asked })).result
    const metricsOf = (result: { metric: object }[]) => result.map(({ metric }) => metric)
    t.same(metricsOf(await volumes({ targetLabels: 'environment, detected_level' })), [
      { environment: 'test', detected_level: 'info' },
      { environment: 'prod', detected_level: 'info' },
      { environment: 'test', detected_level: 'error' },
    ])
    const byName = { aggregateBy: 'labels', targetLabels: 'http.route,service_name' }
    t.same(metricsOf(await volumes(byName)), [{ service_name: '' }, { http_route: '' }])
    const asked = { query, targetLabels: 'detected_level', step: '30s', ...around }
    const { resultType, result } = await data('index/volume_range', asked)
    t.equal(resultType, 'matrix')
    t.same(metricsOf(result), [{ detected_level: 'info' }, { detected_level: 'error' }])
    t.same(
      result[1].values.map(([time]: [number]) => time),
      [startSeconds, startSeconds + 30, startSeconds + 60].map(time => Math.ceil(time / 30) * 30),
    )
  })

  await t.test('labels and fields of a service', async t => {
    t.same(await body('detected_labels', { query: '' }), {
      detectedLabels: [
        { label: 'environment', cardinality: 2 },
        { label: 'service_name', cardinality: 2 },
      ],
    })
    const query = '{service_name="checkout"}'
    const { fields, limit } = await body('detected_fields', { query })
    t.equal(limit, 1000)
    t.same(fields, [
      { label: 'detected_level', type: 'string', cardinality: 2, parsers: null },
      { label: 'duration_ms', type: 'string', cardinality: 52, parsers: null },
      { label: 'http_route', type: 'string', cardinality: 2, parsers: null },
    ])
    t.same(await body('detected_field/http_route/values', { query }), {
      values: ['/a', '/b'],
      limit: 1000,
    })
    t.same(await body('detected_field/http_route/values', { query, limit: '1' }), {
      values: ['/a'],
      limit: 1,
    })
    t.same(
      (await body('detected_fields', { query: `${query} |= "58"`, line_limit: '1' })).fields[1],
      {
        label: 'duration_ms',
        type: 'int',
        cardinality: 1,
        parsers: null,
      },
    )
  })

  await t.test('patterns, by level and over time', async t => {
    const asked = { query: '{service_name="checkout"}', step: '30s', ...around }
    const patterns = await data('patterns', asked, tags)
    t.same(
      patterns.map(({ pattern, level }: { pattern: string; level: string }) => [pattern, level]),
      [
        ['payment <_>', 'info'],
        ['payment <_>', 'error'],
      ],
    )
    const first = Math.floor(startSeconds / 30) * 30
    t.equal(patterns[1].samples[0][0], first, 'a sample is of the step that begins there')
    const counts = patterns[1].samples.map(([, count]: [number, number]) => count)
    t.equal(
      counts.reduce((sum: number, count: number) => sum + count, 0),
      6,
    )
    t.same(await data('patterns', { ...asked, query: '{service_name="none"}' }), [])
  })

  await t.test('logs and levels of a service, filtered by metadata', async t => {
    const logs = '{service_name="checkout"} | http_route="/b" | detected_level=~"error|info"'
    const parsers = '| json | logfmt | drop __error__, __error_details__'
    const asked = { query: `${logs} ${parsers}`, limit: '1000', step: '2000ms', ...around }
    const { result } = await data('query_range', asked, {
      headers: { 'x-loki-response-encoding-flags': 'categorize-labels' },
    })
    const entries = result.flatMap(({ values }: { values: unknown[] }) => values)
    t.equal(entries.length, 30)
    t.same(entries[0][2].structuredMetadata.http_route, '/b')
    t.notOk('__error__' in entries[0][2].structuredMetadata)

    const levels =
      'sum(count_over_time({service_name="checkout"} | detected_level != "" [30s])) by (detected_level)'
    const series = (await data('query_range', { query: levels, step: '30s', ...around })).result
    const totals = series.map(
      ({ metric, values }: { metric: object; values: [number, string][] }) => [
        metric,
        values.reduce((sum, [, count]) => sum + Number(count), 0),
      ],
    )
    t.same(totals, [
      [{ detected_level: 'error' }, 6],
      [{ detected_level: 'info' }, 54],
    ])
  })
}
