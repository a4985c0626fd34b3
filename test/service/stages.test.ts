import t from 'tap'
import { type ServiceProcess, startService } from './service-process.ts'

const at = Date.parse('2026-11-20T10:00:00Z')
const lines = [
  'level=info msg="took a while" status=200 took=1.5s',
  'level=error msg="gave up" status=503 took=30s',
  'no pairs at all',
  'level=error msg="gave up again" status=504 took=45s',
]
let service: ServiceProcess

t.before(async () => {
  service = await startService(t.testdir())
  const token = await service.makeToken('shop', 'prod')
  const events = lines.map((message, i) => ({ time: at + i, message, 'user.id': `u${i}` }))
  const path = '/api/v1/webhook/event/logs?timestamp_field=time'
  await service.call('POST', path, { token, body: JSON.stringify(events) })
})

t.teardown(() => service.end('SIGKILL'))

const times = { startTime: at, endTime: at + 60_000 }

t.test('records of an answer are as stages have made them, page by page', async t => {
  const query = '{} | logfmt | status >= 500 | drop user_id | line_format "{{.msg}}: {{.status}}"'
  const first = await service.query(query, { ...times, limit: 1 })
  t.equal(first.status, 200)
  t.match(first.body, {
    count: 2,
    logs: [{ message: 'gave up: 503', attributes: { status: '503', took: '30s' } }],
  })
  t.equal(first.body.logs[0].attributes['user.id'], undefined)
  t.equal(first.body.logs[0].attributes['service.name'], 'shop')
  const next = await service.query(query, { ...times, limit: 1, cursor: first.body.nextCursor })
  t.match(next.body, { logs: [{ message: 'gave up again: 504' }] })
})

t.test('figures, facets, histogram and export are of them, too', async t => {
  const groups = await service.query('count by (status) ({} | logfmt | took > 2s)', times)
  t.match(groups.body.groups, [{ count: 1 }, { count: 1 }])
  const facets = await service.call('POST', '/api/v1/query/logs/facets', {
    body: { query: '{} | logfmt', fields: ['level'], ...times },
  })
  t.match(facets.body.facets[0], { values: [{ value: 'error', count: 2 }], missing: 1 })
  const histogram = await service.call('POST', '/api/v1/query/logs/histogram', {
    body: { query: '{} | logfmt | status = 200', ...times },
  })
  const counts = histogram.body.buckets.map(({ count }: { count: number }) => count)
  t.equal(
    counts.reduce((a: number, b: number) => a + b),
    1,
  )
})

t.test('a query that stages make too large is refused where the bound is', async t => {
  const { status, body } = await service.query(`logs ${'| json '.repeat(101)}`, times)
  t.match({ status, body }, { status: 400, body: { code: 'query_too_large', position: {} } })
})
