/**
 * Snippets for OpenTelemetry, whose protocol (OTLP over HTTP) the service takes. Only logs are
 * sent here: what is set is for logs alone, so that traces and metrics go where they went before.
 */

import { otlpPath, type Snippet, type SnippetFacts } from './snippet.ts'

const names =
  'The token’s names become service.name and environment; the sender’s own service.name is kept as payload.service.name.'

export function otelSdk({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'otel-sdk',
    name: 'OpenTelemetry SDK',
    intro: `The service takes OTLP over HTTP, in protobuf and in JSON. The variables are enough for a program that is set up for OpenTelemetry, in any language; the rest is one from scratch. In Node, @opentelemetry/auto-instrumentations-node sends what pino and bunyan 1 log without a change of the program; winston needs @opentelemetry/winston-transport beside it, and with an SDK from 3 on its provider set for @opentelemetry/api-logs too. The variables are those of logs alone: traces and metrics go where they went. An SDK keeps what waits in memory, and not for long; where nothing may be lost, let it send to a Collector on the same machine. ${names}`,
    blocks: {
      'Environment of the program': `OTEL_LOGS_EXPORTER=otlp
OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=http/protobuf
OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=${origin}${otlpPath}/v1/logs
OTEL_EXPORTER_OTLP_LOGS_HEADERS=Authorization=Bearer%20${token}
`,
      'logger.mjs, after npm install @opentelemetry/api @opentelemetry/sdk-logs @opentelemetry/exporter-logs-otlp-proto': `import { SeverityNumber } from '@opentelemetry/api'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'

// Where to and with which token stands in the environment.
const exporter = new OTLPLogExporter()
const provider = new LoggerProvider({
  processors: [new BatchLogRecordProcessor({ exporter })],
})
process.once('beforeExit', () => provider.shutdown())

export const logger = provider.getLogger('my-program')
logger.emit({
  severityNumber: SeverityNumber.INFO,
  body: 'hello from OpenTelemetry',
  attributes: { order: 81723 },
})
`,
    },
  }
}

export function otelCollector({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'otel-collector',
    name: 'OpenTelemetry Collector',
    intro: `The Collector sends by OTLP over HTTP, in batches, compressed, and again until they are taken; what waits is on disk. The extension for that is part of the distribution otelcol-contrib. Before version 0.144 the exporter is called otlphttp. ${names}`,
    blocks: {
      'Collector: add to its configuration': `extensions:
  file_storage/logstrata:
    directory: /var/lib/otelcol/logstrata
    create_directory: true

exporters:
  otlp_http/logstrata:
    endpoint: ${origin}${otlpPath}
    headers:
      Authorization: Bearer ${token}
    retry_on_failure:
      max_elapsed_time: 0 # Without end.
    sending_queue:
      storage: file_storage/logstrata
      block_on_overflow: true # When it is full, receivers wait.

service:
  extensions: [file_storage/logstrata] # Beside your own.
  pipelines:
    logs:
      receivers: [otlp] # What your logs come from.
      exporters: [otlp_http/logstrata]
`,
    },
  }
}
