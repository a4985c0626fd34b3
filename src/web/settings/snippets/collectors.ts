/**
 * Snippets for log collectors. The service takes JSON over HTTP and does not speak OTLP or Docker's
 * protocols itself; where a sender speaks only those, Vector or Fluent Bit translates, and the words say so.
 */

import { manyPath, partsOf, type Snippet, type SnippetBlock, type SnippetFacts } from './snippet.ts'

export function vector(facts: SnippetFacts): Snippet {
  return {
    id: 'vector',
    name: 'Vector',
    intro:
      'Put the sink into your configuration, and your own source into its inputs. Events are batched and compressed, and keep the time that Vector gave them.',
    blocks: [
      {
        title: 'vector.yaml',
        text: `sources:
  files:
    type: file
    include: [/var/log/*.log]

${vectorSink(facts, 'files', 'timestamp')}`,
      },
    ],
  }
}

export function fluentBit(facts: SnippetFacts): Snippet {
  return {
    id: 'fluent-bit',
    name: 'Fluent Bit',
    intro:
      'Put the output into your configuration. Fluent Bit names the text of a line “log”; the filter calls it “message”, as records do here.',
    blocks: [
      {
        title: 'fluent-bit.conf',
        text: `[INPUT]
    Name             tail
    Path             /var/log/*.log

${fluentBitOutput(facts)}`,
      },
    ],
  }
}

export function docker(facts: SnippetFacts): Snippet {
  return {
    id: 'docker',
    name: 'Docker',
    intro:
      'Docker has no log driver for plain HTTP. Its fluentd driver sends to Fluent Bit on the same machine, and that sends here.',
    blocks: [
      {
        title: 'fluent-bit.conf',
        text: `[INPUT]
    Name             forward
    Listen           127.0.0.1
    Port             24224

${fluentBitOutput(facts)}`,
      },
      {
        title: 'Shell: Fluent Bit, once on the machine',
        text: `docker run -d --name fluent-bit --restart unless-stopped --network host \\
  -v "$PWD/fluent-bit.conf:/fluent-bit/etc/fluent-bit.conf:ro" \\
  fluent/fluent-bit
`,
      },
      {
        title: 'Shell: each container whose output is wanted',
        text: `docker run --log-driver fluentd \\
  --log-opt fluentd-address=127.0.0.1:24224 \\
  --log-opt fluentd-async=true \\
  alpine echo 'hello from Docker'
`,
      },
    ],
  }
}

export function otelSdk(facts: SnippetFacts): Snippet {
  return {
    id: 'otel-sdk',
    name: 'OpenTelemetry SDK',
    intro:
      'The service does not take OTLP itself. Vector does, and sends it on as JSON: run it beside the program, and point the SDK to it. The token’s names become service.name and environment; those of the SDK stay among the resources.',
    blocks: [
      vectorForOtel(facts),
      {
        title: 'Environment of the program',
        text: `OTEL_LOGS_EXPORTER=otlp
OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=http://127.0.0.1:4318/v1/logs
`,
      },
    ],
  }
}

export function otelCollector(facts: SnippetFacts): Snippet {
  return {
    id: 'otel-collector',
    name: 'OpenTelemetry Collector',
    intro:
      'The service does not take OTLP itself. Vector does, and sends it on as JSON: run it beside the Collector, and let the Collector export to it.',
    blocks: [
      vectorForOtel(facts),
      {
        title: 'Collector: add to its configuration',
        text: `exporters:
  otlphttp/logstrata:
    logs_endpoint: http://127.0.0.1:4318/v1/logs

service:
  pipelines:
    logs:
      receivers: [otlp] # What your logs come from.
      exporters: [otlphttp/logstrata]
`,
      },
    ],
  }
}

function vectorForOtel(facts: SnippetFacts): SnippetBlock {
  return {
    title: 'vector.yaml',
    text: `sources:
  otel:
    type: opentelemetry
    grpc:
      address: 127.0.0.1:4317
    http:
      address: 127.0.0.1:4318

transforms:
  otel_levels:
    type: remap
    inputs: [otel.logs]
    source: |
      if exists(.severity_text) { .severity = del(.severity_text) }

${vectorSink(facts, 'otel_levels', 'timestamp')}`,
  }
}

function vectorSink({ origin, token }: SnippetFacts, input: string, timeField: string): string {
  return `sinks:
  logstrata:
    type: http
    inputs: [${input}]
    uri: ${origin}${manyPath}?timestamp_field=${timeField}
    method: post
    compression: gzip
    encoding:
      codec: json
    auth:
      strategy: bearer
      token: ${token}
`
}

function fluentBitOutput(facts: SnippetFacts): string {
  const { host, port, isSecure } = partsOf(facts)
  return `[FILTER]
    Name             modify
    Match            *
    Rename           log message

[OUTPUT]
    Name             http
    Match            *
    Host             ${host}
    Port             ${port}
    Tls              ${isSecure ? 'On' : 'Off'}
    Uri              ${manyPath}?timestamp_field=date
    Format           json
    Json_date_format iso8601
    Compress         gzip
    Header           Authorization Bearer ${facts.token}
`
}
