/** The client library `prometheus-query` 3.5.1, as it is. */
import { PrometheusDriver } from 'prometheus-query'
import t from 'tap'
import { knownService, startSeconds } from '../http/resources/prometheus/prometheus-data.ts'
import { adminKey } from '../service/service-process.ts'

const service = await knownService()

const at = (seconds: number) => (startSeconds + seconds) * 1000

for (const preferPost of [false, true]) {
  const client = new PrometheusDriver({
    endpoint: service.url,
    headers: { authorization: `Bearer ${adminKey}` },
    preferPost,
  })

  t.test(`prometheus-query works${preferPost ? ' with POST' : ''}`, async t => {
    t.test('an instant query gives a vector', async t => {
      const query = 'count by (service.name) (logs)'
      const { resultType, result } = await client.instantQuery(query, at(60))
      t.equal(resultType, 'vector')
      t.same(
        result.map(({ metric, value }) => [metric.labels, value.time.getTime(), value.value]),
        [
          [{ 'service.name': 'checkout' }, at(60), 60],
          [{ 'service.name': 'search' }, at(60), 6],
        ],
      )
    })

    t.test('a selector gives its series with their numbers of records', async t => {
      const { result } = await client.instantQuery('logs{service.name="checkout"}', at(60))
      t.same(
        result.map(({ metric, value }) => [metric.name, metric.labels.log_level, value.value]),
        [
          ['logs', 'error', 6],
          ['logs', 'info', 54],
        ],
      )
    })

    t.test('a number is a scalar', async t => {
      const { resultType, result } = await client.instantQuery('1+1', 4_000)
      t.equal(resultType, 'scalar')
      t.same(result, [4, '2'], 'as it came: the client reads samples of series only')
    })

    t.test('a range query gives a matrix: each point is about the step before it', async t => {
      const query = 'count by (service.name) (logs)'
      const { resultType, result } = await client.rangeQuery(query, at(20), at(60), 20)
      t.equal(resultType, 'matrix')
      const points = (index: number) =>
        result[index].values.map((sample: { time: Date; value: number }) => [
          sample.time.getTime(),
          sample.value,
        ])
      t.same(points(0), [
        [at(20), 20],
        [at(40), 20],
        [at(60), 19],
      ])
      t.same(points(1), [
        [at(20), 2],
        [at(40), 2],
        [at(60), 1],
      ])
    })

    t.test('labels, their values and series are found', async t => {
      const names = await client.labelNames(undefined, at(0), at(60))
      for (const name of ['__name__', 'http.route', 'log_level', 'service.name']) {
        t.ok(names.includes(name), name)
      }
      t.same(await client.labelValues('__name__'), ['logs'])
      t.same(await client.labelValues('http.route'), ['/a', '/b'])
      const ofSearch = await client.labelValues('log_level', 'logs{service.name="search"}')
      t.same(ofSearch, ['info'])

      const series = await client.series('{__name__="logs", log_level="error"}', at(0), at(60))
      t.same(
        series.map(({ name, labels }) => [name, labels]),
        [['logs', { 'service.name': 'checkout', environment: 'test', log_level: 'error' }]],
      )
    })

    t.test('an error says where', async t => {
      const refusal = await client.instantQuery('count(logs{').catch(thrown => thrown)
      t.match(refusal, {
        httpStatus: 400,
        error: /^1:12: /,
        prometheus: { status: 'error', errorType: 'bad_data' },
      })
    })
  })
}

t.test('what the client asks beside queries has the right shape', async t => {
  const client = new PrometheusDriver({
    endpoint: service.url,
    headers: { authorization: `Bearer ${adminKey}` },
  })
  t.same(await client.rules(), [])
  t.same(await client.alerts(), [])
  t.match(await client.metadata('logs'), { logs: [{ type: 'gauge' }] })
  t.match(await client.statusBuildinfo(), { version: '3.0.0', application: 'logstrata' })
})
