/** What common senders post, over HTTP, and what of it comes back. */
import t from 'tap'
import { serviceOfProcess, sharedSender, sharedService } from '../service/shared-service.ts'

const one = '/api/v1/webhook/event/log'
const many = '/api/v1/webhook/event/logs'

t.test('events of many loggers come back with level, message, time and all the rest', async t => {
  const service = await sharedService()
  const json = await service.call('POST', '/api/v1/settings/ingestion-tokens', {
    body: { serviceName: 'docker', environment: 'test', parse: 'json' },
  })
  t.match(json, { status: 201, body: { parse: 'json' } })
  const timestamp = Date.parse('2026-11-20T13:55:36.123Z')
  const iso = '2026-11-20T13:55:36.123Z'

  const comesBack = async (name: string, sent: readonly [string, unknown], expected: object) => {
    const token = name === 'docker' ? json.body.token : await service.makeToken(name)
    const [path, body] = sent
    t.match(await service.call('POST', path, { token, body }), { status: 200 }, name)
    const { body: found } = await service.query(`logs{service.name="${name}"}`)
    t.match(found.logs.at(-1), expected, name)
  }

  const clef = { '@t': iso, '@m': 'signed in', '@l': 'Information' }
  await comesBack('serilog', [`${one}?timestamp_field=@t`, clef], {
    ...{ timestamp, log_level: 'info', message: 'signed in', attributes: { '@l': 'Information' } },
  })
  const journal = { PRIORITY: '3', MESSAGE: 'failed', __REALTIME_TIMESTAMP: '1795182936123456' }
  await comesBack('systemd', [`${many}?timestamp_field=__REALTIME_TIMESTAMP`, [journal]], {
    ...{ timestamp, log_level: 'error', message: 'failed' },
    attributes: { PRIORITY: '3', timestamp_ns: '1795182936123456000' },
  })
  const nginx = { log: 'GET /', time_local: '20/Nov/2026:13:55:36 +0000', status: 200 }
  await comesBack('nginx', [`${many}?timestamp_field=time_local`, [nginx]], {
    ...{ timestamp: timestamp - 123, log_level: 'info', message: 'GET /' },
    attributes: { status: '200' },
  })
  const ecs = { message: 'm', log: { level: 'WARN' }, environment: { name: 'mine' } }
  await comesBack('ecs', [one, ecs], {
    ...{ log_level: 'warn', attributes: { 'environment.name': 'mine', environment: 'test' } },
  })
  const line = '{"level":"WARN+2","msg":"slow","time":"2026-11-20 13:55:36,123"}\n'
  await comesBack('docker', [`${many}?timestamp_field=time`, [{ log: line, source: 'stdout' }]], {
    ...{ timestamp, log_level: 'warn', message: 'slow' },
    attributes: { level: 'WARN+2', source: 'stdout' },
  })
  await comesBack(
    'pino-http-send',
    [
      many,
      {
        logs: [
          { level: 30, msg: 'a' },
          { level: 50, msg: 'b' },
        ],
      },
    ],
    {
      ...{ log_level: 'error', message: 'b' },
    },
  )
  await comesBack('odd', [one, { b: 1, '1': 2, error: '' }], { log_level: 'info' })
})

t.test('a time that cannot be read is counted, and a mistaken parameter is named', async t => {
  const service = await serviceOfProcess('late') // What it counts is of no other.
  const token = await service.makeToken('late')
  const before = Date.now()
  const event = { msg: 'm', time: 'soon' }
  const path = `${one}?timestamp_field=time&timestmp=time`
  const answer = await service.call('POST', path, { token, body: event })
  t.equal(answer.status, 200)
  const query = await service.query('logs{timestamp_error!=""}')
  t.match(query.body.logs, [{ message: 'm', attributes: { time: 'soon' } }])
  t.ok(query.body.logs[0].timestamp >= before, 'the time of receipt')
  t.equal(
    (await service.call('POST', `${many}?timestamp_field=time`, { token, body: [event, event] }))
      .status,
    200,
  )
  const { body: metrics } = await service.call('GET', '/metrics')
  t.match(metrics, /^logstrata_events_time_unreadable_total 3$/m)
})

t.test('the payload comes back in the order in which it was sent', async t => {
  const { service, token } = await sharedSender('order')
  const body = '{"b":1,"1":2,"a":[{"z":0,"0":1}]}'
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
  }
  const answer = await fetch(`${service.url}${one}?_msg_field=x`, { method: 'POST', headers, body })
  t.match(answer.headers.get('warning'), /^299 - "[^"]*_msg_field[^"]*"$/)
  const { body: found } = await service.query('logs{service.name="order"}')
  t.equal(found.logs[0].message, body)
  t.equal(found.logs[0].attributes.a, '[{"z":0,"0":1}]')
})
