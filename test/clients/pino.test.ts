import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { pino } from 'pino'
import t from 'tap'
import { builtProgram } from '../built.ts'
import { sharedSender } from '../service/shared-service.ts'

t.test('pino sends through a transport, and its records come back right', async t => {
  const { service, token } = await sharedSender('pino-app', 'prod')
  const transport = pino.transport({
    target: new URL('./pino-transport.ts', import.meta.url).href,
    options: { url: `${service.url}/api/v1/webhook/event/log`, token },
  })
  const logger = pino({ level: 'trace' }, transport)
  logger.trace('tiny')
  logger.info({ order: 81723, user: { id: 'ü-7' } }, 'order placed')
  logger.child({ module: 'db' }).warn('slow query')
  logger.error(new TypeError('x is not a function'))
  logger.fatal({ reqId: 9007199254740991 }, 'out of memory')
  transport.end()
  await once(transport, 'close')

  const { body } = await service.query('logs{service.name="pino-app"}')
  t.equal(body.count, 5)
  const [trace, info, warn, error, fatal] = body.logs
  t.match(trace, { log_level: 'trace', message: 'tiny' })
  t.match(info, {
    log_level: 'info',
    message: 'order placed',
    attributes: { order: '81723', 'user.id': 'ü-7', 'service.name': 'pino-app', pid: /^\d+$/ },
  })
  t.notOk('level' in info.attributes, 'the level is not repeated')
  t.match(warn, { log_level: 'warn', attributes: { module: 'db' } })
  t.match(error, {
    log_level: 'error',
    message: 'x is not a function',
    attributes: { 'err.type': 'TypeError', 'err.stack': /pino\.test\.ts/ },
  })
  t.match(fatal, { log_level: 'fatal', attributes: { reqId: '9007199254740991' } })
})

t.test("pino's output can be piped into the import", async t => {
  const { service, token } = await sharedSender('piped')
  const lines: string[] = []
  const logger = pino(
    { timestamp: pino.stdTimeFunctions.isoTime },
    { write: line => lines.push(line) },
  )
  logger.warn({ a: 1 }, 'first')
  logger.error('second')
  const imported = spawnSync(
    process.execPath,
    [await builtProgram(), 'import', '--url', service.url, '--timestamp-field', 'time', '-'],
    { input: lines.join(''), encoding: 'utf8', env: { ...process.env, LOGSTRATA_TOKEN: token } },
  )
  t.equal(imported.status, 0, imported.stderr)
  const { body } = await service.query('logs{service.name="piped"}')
  t.same(
    body.logs.map((record: { log_level: string; message: string; timestamp: number }) => [
      record.log_level,
      record.message,
      new Date(record.timestamp).toISOString(),
    ]),
    lines.map(line => {
      const { level, msg, time } = JSON.parse(line)
      return [level === 40 ? 'warn' : 'error', msg, time]
    }),
  )
})
