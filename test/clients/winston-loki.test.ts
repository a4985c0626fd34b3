/** winston-loki as it is, in both of its encodings: what it makes itself of protobuf and snappy is taken, too. */
import t from 'tap'
import winston from 'winston'
import LokiTransport from 'winston-loki'
import { sharedService } from '../service/shared-service.ts'

for (const encoding of ['json', 'protobuf'] as const) {
  t.test(`winston-loki sends in ${encoding}, and its records come back right`, async t => {
    const service = await sharedService()
    const name = `winston-loki-${encoding}`
    const token = await service.makeToken(name, 'prod')
    const errors: unknown[] = []
    const transport = new LokiTransport({
      host: service.url,
      basicAuth: `any:${token}`,
      json: encoding === 'json',
      labels: { app: 'shop' },
      format: winston.format.json(),
      replaceTimestamp: false,
      gracefulShutdown: false,
      batching: false,
      onConnectionError: error => errors.push(error),
    })
    const logger = winston.createLogger({ transports: [transport] })
    const timestamp = Date.parse('2026-11-20T13:55:36.123Z')
    logger.warn('grüße aus Köln', { order: 81723, timestamp })
    logger.error('a second one', { timestamp: timestamp + 1 })
    await transport.flush()
    t.same(errors, [])

    const { body } = await service.query(`logs{service.name="${name}"}`)
    t.match(body.logs, [
      { timestamp, log_level: 'warn', message: /grüße aus Köln/, attributes: { app: 'shop' } },
      { timestamp: timestamp + 1, log_level: 'error', message: /a second one/ },
    ])
  })
}
