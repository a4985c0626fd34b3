/**
 * Snippets for log collectors that send JSON over HTTP. Docker has no log driver for that; Fluent
 * Bit, which one of its drivers sends to, has.
 */

import { manyPath, partsOf, type Snippet, type SnippetFacts } from './snippet.ts'

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

${vectorSink(facts)}`,
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

function vectorSink({ origin, token }: SnippetFacts): string {
  return `sinks:
  logstrata:
    type: http
    inputs: [files]
    uri: ${origin}${manyPath}?timestamp_field=timestamp
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
