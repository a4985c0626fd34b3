/**
 * The JavaScript SDK of OpenTelemetry as it is, with both of its exporters over HTTP, set up by the
 * environment variables that its users set.
 */
import {
  type DiagLogFunction,
  DiagLogLevel,
  diag,
  type LogRecord,
  ROOT_CONTEXT,
  SeverityNumber,
  trace,
} from '@opentelemetry/api'
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import t from 'tap'
import { serviceOfProcess } from '../service/shared-service.ts'

const service = await serviceOfProcess('otel')

/** What the SDK tells its user. */
const told: string[] = []
const tell: DiagLogFunction = (...words) => {
  told.push(words.map(word => (word instanceof Error ? word.stack : JSON.stringify(word))).join())
}
const quiet = () => undefined
diag.setLogger(
  { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet },
  { logLevel: DiagLogLevel.WARN },
)

const exporters = { json: JsonExporter, protobuf: ProtobufExporter } as const
type Encoding = keyof typeof exporters

/** Sends `records` as a program would, and waits until the SDK is done with them. */
async function emit(encoding: Encoding, token: string, records: readonly LogRecord[]) {
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${service.url}/api/v1/otlp/v1/logs`,
    OTEL_EXPORTER_OTLP_LOGS_HEADERS: `Authorization=Bearer%20${token}`,
    OTEL_EXPORTER_OTLP_LOGS_COMPRESSION: encoding === 'json' ? 'none' : 'gzip',
  })
  const exporter = new exporters[encoding]()
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ 'service.name': 'theirs', 'host.name': 'web-1' }),
    processors: [new BatchLogRecordProcessor({ exporter })],
  })
  const logger = provider.getLogger('payments', '1.2.3')
  for (const record of records) logger.emit(record)
  await provider.shutdown()
}

const spanContext = {
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  traceFlags: 1,
}

for (const encoding of ['json', 'protobuf'] as const) {
  t.test(`the SDK sends in ${encoding}, and its records come back right`, async t => {
    told.length = 0
    const token = await service.makeToken(`sdk-${encoding}`, 'prod')
    const before = Date.now()
    await emit(encoding, token, [
      {
        severityNumber: SeverityNumber.WARN,
        severityText: 'WARN',
        body: 'grüße aus Köln',
        timestamp: new Date('2026-11-20T14:03:22.118Z'),
        context: trace.setSpanContext(ROOT_CONTEXT, spanContext),
        attributes: {
          order: 81723,
          ratio: 0.5,
          ok: true,
          tags: ['a', 'b'],
          nested: { a: { b: 1 } },
        },
      },
      { severityNumber: SeverityNumber.ERROR3, body: { reason: 'declined', codes: [1, 2.5] } },
      { eventName: 'shop.closed', attributes: { bytes: new Uint8Array([1, 2, 3]) } },
    ])
    t.same(told, [], 'the SDK has nothing to complain of')

    const { body } = await service.query(`logs{service.name="sdk-${encoding}"}`)
    t.equal(body.count, 3)
    const shared = {
      'service.name': `sdk-${encoding}`,
      environment: 'prod',
      'payload.service.name': 'theirs',
      'host.name': 'web-1',
      'otel.scope.name': 'payments',
      'otel.scope.version': '1.2.3',
    }
    const find = (start: string) =>
      body.logs.find(({ message }: { message: string }) => message.startsWith(start))
    t.match(find('grüße'), {
      message: 'grüße aus Köln',
      timestamp: Date.parse('2026-11-20T14:03:22.118Z'),
      log_level: 'warn',
    })
    t.same(find('grüße').attributes, {
      ...shared,
      order: '81723',
      ratio: '0.5',
      ok: 'true',
      tags: '["a","b"]',
      'nested.a.b': '1',
      trace_id: spanContext.traceId,
      span_id: spanContext.spanId,
    })
    t.equal(find('{').message, '{"reason":"declined","codes":[1,2.5]}')
    t.equal(find('{').log_level, 'error')
    t.same(find('{').attributes, { ...shared, severity_number: '19' })
    t.equal(find('shop').log_level, 'info')
    t.same(find('shop').attributes, { ...shared, bytes: 'AQID', event_name: 'shop.closed' })
    t.ok(find('shop').timestamp >= before && find('shop').timestamp <= Date.now())
  })

  t.test(`the SDK tells what was refused of ${encoding}`, async t => {
    told.length = 0
    const token = await service.makeToken(`partly-${encoding}`)
    await emit(encoding, token, [
      { body: 'good' },
      { body: 'bad', attributes: { much: 'x'.repeat(300_000) } },
    ])
    t.match(told.join('\n'), /partial success.*attribute_too_large/is)
    t.equal((await service.query(`count(logs{service.name="partly-${encoding}"})`)).body.count, 1)

    told.length = 0
    await emit(encoding, 'ing_deleted', [{ body: 'x' }])
    t.match(told.join('\n'), /401|Unauthorized/)
  })
}
