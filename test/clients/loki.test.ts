/** The client library `@myunisoft/loki` 6.0.0, as it is. */
import { GrafanaApi } from '@myunisoft/loki'
import t from 'tap'
import { knownService, startSeconds } from '../http/resources/prometheus/prometheus-data.ts'
import { adminKey } from '../service/service-process.ts'

const service = await knownService()

const { Loki } = new GrafanaApi({
  remoteApiURL: service.url,
  authentication: { type: 'bearer', token: adminKey },
})
const range = { start: startSeconds, end: startSeconds + 60 }

t.test('labels and their values', async t => {
  t.same(await Loki.labels(range), ['environment', 'service_name'])
  t.same(await Loki.labelValues('service_name', range), ['checkout', 'search'])
})

t.test('streams', async t => {
  const query = '{service_name="search"}'
  const { streams } = await Loki.queryRangeStream(query, { ...range, limit: 100 })
  t.match(streams, [
    { labels: { service_name: 'search', environment: 'prod', detected_level: 'info' } },
  ])
  t.equal(streams[0]!.values.length, 6)
  t.same(streams[0]!.values.at(-1), [`${startSeconds}000000000`, 'searched'])
})

t.test('lines', async t => {
  const { logs } = await Loki.queryRange('{service_name="checkout"} |= "payment 5"', range)
  t.same(logs.at(-1), 'payment 5')
  t.equal(logs.length, 11)
})

t.test('a matrix', async t => {
  const query = 'sum by (service_name) (count_over_time({environment=~".+"}[1m]))'
  const { metrics } = await Loki.queryRangeMatrix(query as never, { ...range })
  t.same(
    metrics.map(({ labels }) => labels),
    [{ service_name: 'checkout' }, { service_name: 'search' }],
  )
})
