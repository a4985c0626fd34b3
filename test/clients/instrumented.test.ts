/**
 * A program that knows nothing of OpenTelemetry, whose logger is instrumented from outside (NODE_OPTIONS), as
 * `@opentelemetry/auto-instrumentations-node/register` does: its instrumentations of loggers alone, because all
 * of them are 228 packages. The variables are those that its users set.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { otelSdk } from '../../src/web/settings/snippets/otel.ts'
import { sharedSender } from '../service/shared-service.ts'
import { findPackage, installed } from './installed-senders.ts'

const run = promisify(execFile)

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
  const { service, token } = await sharedSender('instrumented', 'prod')
  const directory = t.testdir({ 'register.cjs': register, 'program.cjs': program })
  const { stdout } = await run(process.execPath, [join(directory, 'program.cjs')], {
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

/** As `register` of the auto-instrumentations has it, for the two loggers. */
const registerBoth = `
const { logs } = require('@opentelemetry/api')
const { BunyanInstrumentation } = require('@opentelemetry/instrumentation-bunyan')
const { WinstonInstrumentation } = require('@opentelemetry/instrumentation-winston')
const { NodeSDK } = require('@opentelemetry/sdk-node')
const instrumentations = [new WinstonInstrumentation(), new BunyanInstrumentation()]
const sdk = new NodeSDK({ instrumentations })
sdk.start()
// winston's transport (0.34.0) still looks for the provider where SDKs before 3 have put it.
require('@opentelemetry/api-logs').logs.setGlobalLoggerProvider(logs.getLoggerProvider())
process.once('beforeExit', () => sdk.shutdown())
`
const programOfBoth = `
const winston = require('winston')
const logger = winston.createLogger({ transports: [new winston.transports.Console()] })
logger.warn('of winston', { order: 81723 })
require('bunyan').createLogger({ name: 'shop' }).error({ order: 81724 }, 'of bunyan')
`

const load = findPackage('@opentelemetry/sdk-node')

t.test(
  'winston and bunyan send, with the variables of the snippet and nothing else',
  { skip: typeof load === 'string' && load },
  async t => {
    const { service, token } = await sharedSender('instrumented-both', 'prod')
    const snippet = otelSdk({ origin: service.url, token, stream: 'instrumented-both/prod' })
    const lines = Object.values(snippet.blocks)[0]!.trim().split('\n')
    const variables = lines.map(line => [line.split('=', 1)[0]!, line.replace(/^\w+=/, '')])
    const directory = mkdtempSync(join(installed, 'instrumented-')) // Beside their packages, not ours.
    t.teardown(() => rmSync(directory, { recursive: true }))
    writeFileSync(join(directory, 'register.cjs'), registerBoth)
    writeFileSync(join(directory, 'program.cjs'), programOfBoth)
    await run(process.execPath, [join(directory, 'program.cjs')], {
      env: {
        ...{ PATH: process.env.PATH, NODE_OPTIONS: `--require=${join(directory, 'register.cjs')}` },
        ...{ OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' },
        ...Object.fromEntries(variables),
      },
    })
    const { body } = await service.query('logs{service.name="instrumented-both"}')
    const found = (message: string) =>
      body.logs.find((log: { readonly message: string }) => log.message === message)
    t.match(found('of winston'), { log_level: 'warn', attributes: { order: '81723' } })
    t.match(found('of bunyan'), { log_level: 'error', attributes: { order: '81724' } })
    t.equal(body.count, 2)
  },
)
