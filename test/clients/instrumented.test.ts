/**
 * A program that knows nothing of OpenTelemetry, whose logger is instrumented from outside (NODE_OPTIONS), as
 * `@opentelemetry/auto-instrumentations-node/register` does: its instrumentation of pino alone, because all of
 * them are 228 packages. The variables are those that its users set.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { sharedService } from '../service/shared-service.ts'

const register = `
const { logs } = require('@opentelemetry/api')
const { OTLPLogExporter } = require('@opentelemetry/exporter-logs-otlp-proto')
const { registerInstrumentations } = require('@opentelemetry/instrumentation')
const { PinoInstrumentation } = require('@opentelemetry/instrumentation-pino')
const { BatchLogRecordProcessor, LoggerProvider } = require('@opentelemetry/sdk-logs')
const processor = new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })
const loggerProvider = new LoggerProvider({ processors: [processor] })
logs.setGlobalLoggerProvider(loggerProvider)
registerInstrumentations({ instrumentations: [new PinoInstrumentation()] })
process.once('beforeExit', () => loggerProvider.shutdown())
`
const program = `
const logger = require('pino')()
logger.warn({ order: 81723 }, 'disk almost full')
logger.error(new TypeError('x is not a function'))
`

t.test('a program that is instrumented from outside sends what it logs', async t => {
  const service = await sharedService()
  const token = await service.makeToken('instrumented', 'prod')
  const directory = t.testdir({ 'register.cjs': register, 'program.cjs': program })
  const { stdout } = await promisify(execFile)(process.execPath, [join(directory, 'program.cjs')], {
    env: {
      ...process.env,
      NODE_OPTIONS: `--require=${join(directory, 'register.cjs')}`,
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${service.url}/v1/logs`,
      OTEL_EXPORTER_OTLP_LOGS_HEADERS: `Authorization=Bearer%20${token}`,
    },
  })
  t.match(stdout, /disk almost full/, 'it logs as before, too')
  const { body } = await service.query('logs{service.name="instrumented"}')
  t.match(body.logs, [
    { log_level: 'warn', message: 'disk almost full', attributes: { order: '81723' } },
    { log_level: 'error', message: 'x is not a function' },
  ])
})
