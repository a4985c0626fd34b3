/** One request through several services, whose loggers name its trace each in their own way. */
import t from 'tap'
import type { ServiceProcess } from './service-process.ts'
import { sharedService } from './shared-service.ts'

const traceId = '7c1b2e5d9f0a4e6b8d3c5a1f7e9b2d40'
const began = 1_795_168_800_000
const path = '/api/v1/query/logs/trace'

async function send(
  service: ServiceProcess,
  name: string,
  event: object,
  path = 'event/log?timestamp_field=timestamp',
) {
  const token = await service.makeToken(name)
  const at = path.startsWith('/') ? path : `/api/v1/webhook/${path}`
  const { status } = await service.call('POST', at, { token, body: event })
  t.equal(status, 200, name)
}

t.test('a trace is put together from what all senders log of it', async t => {
  const service = await sharedService()
  await send(service, 'trace-front', { timestamp: began, message: 'a', trace: { id: traceId } })
  const record = {
    timeUnixNano: `${began + 20}000000`,
    severityText: 'ERROR',
    body: { stringValue: 'b' },
    traceId,
    spanId: '00f067aa0ba902b7',
  }
  const otlp = { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }
  await send(service, 'trace-shop', otlp, '/v1/logs')
  await send(service, 'trace-cloud', {
    timestamp: began + 10,
    message: 'c',
    'logging.googleapis.com/trace': `projects/shop/traces/${traceId}`,
  })
  await send(service, 'trace-front', {
    timestamp: began + 30,
    message: 'd',
    'dd.trace_id': traceId,
  })
  await send(service, 'trace-front', { timestamp: began + 40, message: traceId })

  const whole = await service.call('POST', path, { body: { traceId } })
  t.equal(whole.status, 200)
  const { records, services, ...told } = whole.body
  t.match(told, { traceId, count: 4, startTime: began, endTime: began + 30 })
  t.notOk('truncated' in told)
  const messages = records.map(({ message }: { message: string }) => message)
  t.same(messages, ['a', 'c', 'b', 'd'])
  t.same(services, [
    { service: 'trace-front', count: 2, errors: 0, firstAt: began, lastAt: began + 30 },
    { service: 'trace-cloud', count: 1, errors: 0, firstAt: began + 10, lastAt: began + 10 },
    { service: 'trace-shop', count: 1, errors: 1, firstAt: began + 20, lastAt: began + 20 },
  ])

  for (const { id } of records) {
    const { body } = await service.call('POST', path, { body: { id, limit: 1 } })
    t.match(body, { traceId, count: 4, truncated: true, services })
    t.same(body.records, [records[0]])
  }
  const rest = await service.call('POST', path, {
    body: { traceId, startTime: began + 1, endTime: began + 20 },
  })
  t.match(rest.body, { count: 2, startTime: began + 10, endTime: began + 20 })
})

t.test('a record of no trace, an id of none and a trace of nothing are told apart', async t => {
  const service = await sharedService()
  await send(service, 'trace-less', { message: 'no trace', trace_id: '' })
  const { body } = await service.query('logs{service.name="trace-less"}')
  const { id } = body.logs[0]
  const ask = (asked: object) => service.call('POST', path, { body: asked })
  t.match(await ask({ id }), { status: 404, body: { code: 'trace_unknown', field: 'id' } })
  t.match(await ask({ id: 'zzz.zzzzzz' }), { status: 404, body: { code: 'record_unknown' } })
  t.match(await ask({ id: 'no id' }), { status: 400, body: { code: 'field_invalid' } })
  const nothing = await ask({ traceId: 'nobody-logs-this' })
  t.match(nothing, { status: 200, body: { count: 0, records: [], services: [] } })
})
