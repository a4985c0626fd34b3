/** What it asks itself is in `test/http/warm-up.test.ts` and `test/store/answer/warm-up.test.ts`. */
import t from 'tap'
import { until } from '../until.ts'
import { startServiceOf } from './service-process.ts'

t.test('a service warms up after its start, unless it is told not to', async t => {
  const dataDir = t.testdir()
  const flags = ['--log-level', 'debug']
  const cold = await startServiceOf(t, dataDir, { flags: [...flags, '--warm-up', 'off'] })
  const token = await cold.makeToken()
  await cold.send(token, { message: 'found' })
  t.equal((await cold.query('logs')).body.count, 1, 'it answers all the same')
  t.equal(await cold.end(), 0)

  const environment = { LOGSTRATA_WARM_UP: 'on' }
  const warm = await startServiceOf(t, dataDir, { flags, environment })
  await until(() => warm.output.stderr.includes('"warmed up"'))
  await until(() => warm.output.stderr.includes('"asked itself enough"'))
  const metrics = (await warm.call('GET', '/metrics')).body as string
  t.match(metrics, /logstrata_query_duration_seconds_count 0\n/, 'none of it is counted')
  t.notMatch(cold.output.stderr, 'warmed up')
  t.equal(await warm.end(), 0)
})
