import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import winston from 'winston'
import { sharedSender } from '../service/shared-service.ts'

t.test("winston's HTTP transport sends, and its records come back right", async t => {
  const { service, token } = await sharedSender('winston-app', 'prod')
  const { hostname, port } = new URL(service.url)
  const transport = new winston.transports.Http({
    host: hostname,
    port: Number(port),
    path: '/api/v1/webhook/event/log',
    headers: { Authorization: `Bearer ${token}` },
  })
  const warnings: unknown[] = []
  transport.on('warn', warning => warnings.push(warning))
  let logged = 0
  transport.on('logged', () => {
    logged++
  })
  const logger = winston.createLogger({
    level: 'silly',
    format: winston.format.combine(winston.format.timestamp(), winston.format.splat()),
    transports: [transport],
  })
  logger.info('user %s signed in', 'ada', { ip: '10.0.0.1' })
  logger.warn('disk almost full', { free: { bytes: 1024, paths: ['/', '/var'] } })
  logger.error('grüße aus Köln')
  logger.log('silly', 'a level that only winston knows')
  while (logged < 4 && warnings.length === 0) await sleep(5)
  t.same(warnings, [], 'the transport is content with the answers')

  const { body } = await service.query('logs{service.name="winston-app"}')
  t.equal(body.count, 4)
  const byMessage = (start: string) =>
    body.logs.find((record: { message: string }) => record.message.startsWith(start))
  t.match(byMessage('user'), {
    log_level: 'info',
    message: 'user ada signed in',
    attributes: { ip: '10.0.0.1', environment: 'prod', timestamp: /^20/ },
  })
  t.match(byMessage('disk'), {
    log_level: 'warn',
    attributes: { 'free.bytes': '1024', 'free.paths': '["/","/var"]' },
  })
  t.match(byMessage('grüße'), { log_level: 'error' })
  t.match(byMessage('a level'), { log_level: 'trace', attributes: { level: 'silly' } })
})

t.test("winston's bulk mode sends arrays to the path for many", async t => {
  const { service, token } = await sharedSender('winston-bulk')
  const { hostname, port } = new URL(service.url)
  const transport = new winston.transports.Http({
    host: hostname,
    port: Number(port),
    path: '/api/v1/webhook/event/logs',
    headers: { Authorization: `Bearer ${token}` },
    batch: true,
    batchCount: 10,
    batchInterval: 50,
  })
  const logger = winston.createLogger({ transports: [transport] })
  for (let i = 0; i < 20; i++) logger.info(`line ${i}`)
  let count = 0
  for (const giveUpAt = Date.now() + 10_000; count < 20 && Date.now() < giveUpAt; ) {
    count = (await service.query('logs{service.name="winston-bulk"}')).body.count
    await sleep(10)
  }
  t.equal(count, 20)
})
