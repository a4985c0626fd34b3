/** The loggers' own transports for Elasticsearch: pino-elasticsearch 9 and winston-elasticsearch 0.19. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type DestinationStream, pino } from 'pino'
import t from 'tap'
import winston from 'winston'
import type TransportStream from 'winston-transport'
import type { ServiceProcess } from '../service/service-process.ts'
import { sharedService } from '../service/shared-service.ts'
import { findPackage } from './installed-senders.ts'

const load = findPackage('pino-elasticsearch')
const skip = typeof load === 'string' && load

/** Each makes a transport. */
function transportOf<T>(name: string): (options: object) => T {
  const loaded = typeof load === 'string' ? undefined : load(name)
  return loaded as (options: object) => T
}

async function recordsOf(service: ServiceProcess, name: string, count: number) {
  for (const giveUpAt = Date.now() + 15_000; ; await sleep(20)) {
    const { body } = await service.query(`logs{service.name="${name}"}`)
    if (body.count >= count) return body.logs
    if (Date.now() > giveUpAt) throw new Error(`${body.count} of ${count} records`)
  }
}

for (const opType of [undefined, 'create']) {
  t.test(`pino-elasticsearch sends, as it is and told to ${opType}`, { skip }, async t => {
    const service = await sharedService()
    const name = `pino-elasticsearch-${opType}`
    const password = await service.makeToken(name)
    const stream = transportOf<DestinationStream & NodeJS.EventEmitter>('pino-elasticsearch')({
      ...{ node: `${service.url}/elastic`, auth: { username: 'any', password } },
      ...{ index: 'app-%{DATE}', opType, flushBytes: 10, flushInterval: 50 },
    })
    const failures: unknown[] = []
    for (const event of ['error', 'insertError', 'unknown']) {
      stream.on(event, failure => failures.push(failure))
    }
    const time = Date.now()
    const logger = pino({ timestamp: () => `,"time":${time}` }, stream)
    logger.warn({ order: 81723 }, 'disk almost full')
    logger.error(new TypeError('x is no function'))
    const inserted = new Promise(resolve => stream.once('insert', resolve))
    ;(stream as unknown as NodeJS.WritableStream).end()
    t.match(await inserted, { total: 2, successful: 2, failed: 0 })
    t.same(failures, [])
    t.match(await recordsOf(service, name, 2), [
      {
        ...{ timestamp: time, log_level: 'warn', message: 'disk almost full' },
        attributes: { order: '81723', hostname: /./ },
      },
      {
        ...{ timestamp: time, log_level: 'error', message: 'x is no function' },
        attributes: { 'err.type': 'TypeError' },
      },
    ])
  })
}

interface ElasticTransport extends TransportStream {
  readonly client: { close(): Promise<void> }
  readonly bulkWriter: { stop(): void }
}

for (const dataStream of [false, true]) {
  const where = dataStream ? 'a data stream' : 'an index'
  t.test(`winston-elasticsearch sends to ${where}, after all that it asks`, { skip }, async t => {
    const service = await sharedService()
    const name = `winston-elasticsearch-${dataStream}`
    const apiKey = await service.makeToken(name)
    const { ElasticsearchTransport } = transportOf('winston-elasticsearch') as unknown as {
      ElasticsearchTransport: new (options: object) => ElasticTransport
    }
    const complaints: unknown[] = []
    const transport = new ElasticsearchTransport({
      ...{ clientOpts: { node: `${service.url}/elastic`, auth: { apiKey } } },
      ...{ dataStream, flushInterval: 50, retryLimit: 2 },
      internalLogger: (...complaint: unknown[]) => complaints.push(complaint),
    })
    transport.on('warning', warning => complaints.push(warning))
    const logger = winston.createLogger({ transports: [transport] })
    logger.warn('disk almost full', { order: 81723 })
    logger.error('größer "2"')
    const logs = await recordsOf(service, name, 2)
    t.match(
      logs.find(({ log_level }: { log_level: string }) => log_level === 'warn'),
      {
        message: 'disk almost full',
        attributes: { 'fields.order': '81723' },
      },
    )
    t.match(
      logs.find(({ log_level }: { log_level: string }) => log_level === 'error'),
      {
        message: 'größer "2"',
      },
    )
    transport.bulkWriter.stop() // It would look for more for ever.
    await transport.client.close()
    t.same(complaints, [])
  })
}
