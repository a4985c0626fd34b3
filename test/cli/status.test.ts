import t from 'tap'
import { readMetrics, statusMetrics } from '../../src/cli/status/metrics.ts'
import { type Asked, fakeApi, refuse, run } from './fake-api.ts'
import { fakeTerminal } from './fake-terminal.ts'

const metrics = (events: number) => `# HELP logstrata_events_accepted_total Events stored.
# TYPE logstrata_events_accepted_total counter
logstrata_events_accepted_total ${events}
logstrata_events_rejected_total{code="json_invalid"} 3
logstrata_events_rejected_total{code="body \\"}{ empty"} 4
logstrata_query_duration_seconds_bucket{le="+Inf"} 10
logstrata_query_duration_seconds_count 10
logstrata_journal_records 100
logstrata_segment_records 1.5e+6
logstrata_segment_files 3
logstrata_journal_bytes 1024
logstrata_segment_bytes 1047552
process_start_time_seconds 1000000000 1700000000000
`

const answers =
  (isReady = true) =>
  ({ path }: Asked, response: Parameters<typeof refuse>[0], attempt: number) => {
    if (path === '/metrics') return void response.end(metrics(attempt * 1000))
    if (path === '/ready' && !isReady) {
      return refuse(response, 503, { code: 'not_ready', detail: 'recovery' })
    }
    return path === '/ready' ? { status: 'ready' } : { info: { version: '1.2.3' } }
  }

t.test('metrics are summed over their labels', async t => {
  const read = readMetrics(metrics(5))
  t.equal(read.get('logstrata_events_rejected_total'), 7)
  t.equal(read.get('logstrata_segment_records'), 1.5e6)
  t.equal(read.get('process_start_time_seconds'), 1e9)
  t.same(readMetrics('no metrics\n<html>\n'), new Map())
})

t.test('rates are what grew between two samples', async t => {
  const sample = (events: number, takenAtMs: number) => ({
    metrics: readMetrics(metrics(events)),
    takenAtMs,
  })
  const rate = (from: number, to: number) =>
    statusMetrics(sample(from, 0), sample(to, 2000), 0).events.perSecond
  t.equal(rate(100, 400), 150)
  t.equal(rate(100, 100), 0)
  t.equal(rate(400, 100), 0, 'a service that was started again')
  t.match(statusMetrics(sample(1, 0), sample(1, 1), 1e12 + 90_000), {
    uptimeSeconds: 90,
    records: 1_500_100,
    segments: 3,
    diskBytes: 1_048_576,
    events: { total: 1, rejected: 7 },
    queries: { total: 10, failed: 0 },
    damaged: 0,
  })
})

t.test('status is one short page, and 0 when the service is ready', async t => {
  const api = await fakeApi(t, answers())
  const { code, printed, complained } = await api.run(['status'])
  t.match({ code, complained }, { code: 0, complained: '' })
  t.match(printed, `service   ${api.url}, ready\nversion   1.2.3\n`)
  t.match(printed, /records +1,500,100 in 3 segments/)
  t.match(printed, /disk +1\.0 MiB/)
  t.match(printed, /events .* stored and 7 rejected/)
  t.match(printed, /health +nothing damaged/)

  const json = JSON.parse((await api.run(['status', '--json'])).printed)
  t.match(json, {
    url: api.url,
    reachable: true,
    ready: true,
    version: '1.2.3',
    records: 1_500_100,
  })
})

t.test('a service that is not ready makes exit code 1', async t => {
  const api = await fakeApi(t, answers(false))
  t.match(await api.run(['status']), { code: 1, printed: /not ready: .*503 not_ready: recovery/ })
  const json = await api.run(['status', '--json'])
  t.match({ ...json, ...JSON.parse(json.printed) }, { code: 1, ready: false, reachable: true })
})

t.test('a service that is not there is told in JSON too', async t => {
  const environment = { LOGSTRATA_URL: 'http://127.0.0.1:2' }
  const { code, printed } = await run(['status', '--json'], fakeTerminal({ environment }))
  t.equal(code, 1)
  t.match(JSON.parse(printed), { reachable: false, ready: false, problem: /ECONNREFUSED/ })
})

t.test('what a caller may not see is said to be hidden', async t => {
  const api = await fakeApi(t, ({ path }, response) =>
    path === '/ready' ? {} : refuse(response, 401, { code: 'credential_missing' }),
  )
  const environment = { LOGSTRATA_URL: api.url }
  const { code, printed } = await run(['status'], fakeTerminal({ environment }))
  t.equal(code, 0)
  t.match(printed, /version +not known\nmetrics .*API key\n$/)
})
