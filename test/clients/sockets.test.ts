/** Transports of Node's loggers that send by sockets, as they are: pino-socket, winston-syslog. */
import { once } from 'node:events'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import winston from 'winston'
import { Syslog } from 'winston-syslog'
import { recordsOf, startShopListening } from '../listen/listening-service.ts'

/** A service of this test alone, whose listener takes syslog for the token `shop/test`. */
async function listening(t: Test, transport: 'tcp' | 'udp') {
  const service = await startShopListening(t, t.testdir(), [['syslog', transport]])
  return { service, port: service.port('syslog', transport) }
}

t.test("pino-socket's lines of JSON become events", async t => {
  const { service, port } = await listening(t, 'tcp')
  const options = { mode: 'tcp', address: '127.0.0.1', port, reconnect: true, echo: false }
  const transport = pino.transport({ target: 'pino-socket', options })
  const logger = pino({ level: 'trace' }, transport)
  logger.warn({ order: 81723, user: { id: 'ü-7' } }, 'from pino-socket')
  logger.error(new TypeError('x is not a function'))
  const records = await recordsOf(service, 'logs', 2)
  transport.end()
  await once(transport, 'close')
  t.match(records, [
    { log_level: 'warn', message: 'from pino-socket', attributes: { order: '81723' } },
    { log_level: 'error', attributes: { 'err.type': 'TypeError' } },
  ])
})

for (const [type, transport] of [
  ['5424', 'tcp'],
  ['BSD', 'udp'],
] as const) {
  t.test(`winston-syslog sends ${type} by ${transport}, and is read right`, async t => {
    const { service, port } = await listening(t, transport)
    const syslog = new Syslog({
      ...{ host: '127.0.0.1', port, protocol: transport === 'tcp' ? 'tcp4' : 'udp4', type },
      ...{ localhost: 'web-1', app_name: 'checkout', eol: transport === 'tcp' ? '\n' : undefined },
    })
    const logger = winston.createLogger({
      levels: winston.config.syslog.levels,
      transports: [syslog],
    })
    t.teardown(() => {
      // It would connect again whenever it is closed, for as long as this process lives.
      syslog.socket?.removeAllListeners('close')
      logger.close()
    })
    logger.warning('disk almost full', { order: 81723 })
    logger.error('größe')
    const records = await recordsOf(service, 'logs', 2)
    const warning = records.find((record: { message: string }) => /disk/.test(record.message))
    t.match(warning, {
      log_level: 'warning',
      attributes: { appname: 'checkout', hostname: 'web-1', facility: 'local0', order: '81723' },
    })
    t.match(
      records.find((record: { message: string }) => /größe/.test(record.message)),
      {
        log_level: 'error',
      },
    )
    t.ok(Math.abs(warning.timestamp - Date.now()) < 86_400_000)
  })
}
