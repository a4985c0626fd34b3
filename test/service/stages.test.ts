import t from 'tap'
import { limits } from '../../src/limits.ts'
import { openTail } from './open-tail.ts'
import { serviceOfProcess } from './shared-service.ts'

const at = Date.parse('2026-11-20T10:00:00Z')
const lines = [
  'level=info msg="took a while" status=200 took=1.5s',
  'level=error msg="gave up" status=503 took=30s',
  'no pairs at all',
  'level=error msg="gave up again" status=504 took=45s',
]
const service = await serviceOfProcess('stages')

const token = await service.makeToken('shop', 'prod')
await send(lines.map((message, i) => ({ time: at + i, message, 'user.id': `u${i}`, note: '' })))

async function send(events: readonly object[]): Promise<void> {
  await service.send(token, events, 'time')
}

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

t.test('figures, facets, fields and histogram are of them, too', async t => {
  const groups = await service.query('count by (status) ({} | logfmt | took > 2s)', times)
  t.match(groups.body.groups, [{ count: 1 }, { count: 1 }])
  const facets = await service.call('POST', '/api/v1/query/logs/facets', {
    body: { query: '{} | logfmt', fields: ['level'], ...times },
  })
  t.match(facets.body.facets[0], { values: [{ value: 'error', count: 2 }], missing: 1 })
  const fields = await service.call('POST', '/api/v1/query/logs/fields', {
    body: { query: '{} | logfmt msg | msg != "" | drop note', ...times },
  })
  const names = fields.body.fields.map(({ name }: { name: string }) => name)
  t.ok(names.includes('msg') && names.includes('user.id') && !names.includes('note'))
  const histogram = await service.call('POST', '/api/v1/query/logs/histogram', {
    body: { query: '{} | logfmt | status = 200', ...times },
  })
  const counts = histogram.body.buckets.map(({ count }: { count: number }) => count)
  t.equal(
    counts.reduce((a: number, b: number) => a + b),
    1,
  )
})

t.test('an export has the records as an answer shows them', async t => {
  const query = '{} | logfmt | status >= 500 or took < 2s | drop user_id | line_format "{{.msg}}"'
  const shown = await service.query(`${query} | __error__ = ""`, times)
  t.equal(shown.body.count, 3)
  const exported = await service.exported(`${query} | __error__ = ""`, times)
  // Which of the attributes stages have made is said in answers only.
  const records = shown.body.logs.map(({ made, ...record }: { made: string[] }) => {
    t.same(made, ['level', 'msg', 'status', 'took'])
    return record
  })
  t.same(exported, records)
  t.match(shown.body.logs[0], { message: 'took a while', attributes: { note: '' } })
})

t.test('a tail has new records as an answer shows them', async t => {
  const query = '{} | logfmt | status >= 500 | line_format "{{.msg}}: {{.status}}" | keep status'
  const tail = await openTail(service, { parameters: { query, last: '1' } })
  t.teardown(tail.stop)
  t.match(await tail.records(1), [{ message: 'gave up again: 504' }])
  const messages = ['status=200 msg=fine', 'status=502 msg=bad']
  await send(messages.map(message => ({ time: at + 120_000, message, 'user.id': 'u9' })))
  const [record] = await tail.records(1)
  t.match(record, { message: 'bad: 502', attributes: { status: '502' } })
  t.equal(record.attributes['user.id'], undefined)
})

t.test('stages that make more of a block than a thread may hold are refused', async t => {
  const later = { startTime: at + 600_000, endTime: at + 700_000 }
  const count = limits.queryStagedLengthMax / limits.queryTemplateTextMax + 1
  await send(Array.from({ length: count }, () => ({ time: later.startTime, message: 'm' })))
  const template = `{{ repeat ${limits.queryTemplateTextMax} __line__ }}`
  const query = `{} | label_format x=\`${template}\``
  t.match(await service.query(`count by (x) (${query})`, later), {
    status: 400,
    body: { code: 'query_too_large', detail: /characters of one label/ },
  })
  t.match(await service.query(`${query} | x = ""`, later), { status: 200, body: { count: 0 } })
})

t.test('a query that stages make too large is refused where the bound is', async t => {
  const { status, body } = await service.query(`logs ${'| json '.repeat(101)}`, times)
  t.match({ status, body }, { status: 400, body: { code: 'query_too_large', position: {} } })
})
