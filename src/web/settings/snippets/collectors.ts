/**
 * Snippets for log collectors that send JSON over HTTP, and for Docker, through one of them.
 *
 * None of them loses anything while the service is away: they try again without end, and what waits is
 * on disk, so that it outlives them too. Neither is a collector's own default.
 */

import { batchPath, partsOf, type Snippet, type SnippetFacts } from './snippet.ts'

export function vector(facts: SnippetFacts): Snippet {
  return {
    id: 'vector',
    name: 'Vector',
    intro:
      'Put the sink into your configuration, and your own source into its inputs. Events are batched and compressed, and keep the time that Vector gave them. What waits is on disk, and is sent again until it is taken.',
    blocks: {
      'vector.yaml': `data_dir: /var/lib/vector # Of the buffer, and of how far each file was read.

sources:
  files:
    type: file
    include: [/var/log/*.log]

${vectorSink(facts)}`,
    },
  }
}

export function fluentBit(facts: SnippetFacts): Snippet {
  return {
    id: 'fluent-bit',
    name: 'Fluent Bit',
    intro:
      'Put service and output into your configuration, and DB and storage.type into your inputs. A line that is JSON becomes an event of its own. What waits is on disk, and is sent again until it is taken.',
    blocks: {
      'fluent-bit.conf': `${fluentBitFiles}
${fluentBitOutput(facts)}`,
    },
  }
}

export function docker(facts: SnippetFacts): Snippet {
  return {
    id: 'docker',
    name: 'Docker',
    intro:
      'Docker’s fluentd driver sends to Fluent Bit on the same machine, and that sends here. What a program logs as JSON becomes an event of its own. What waits is on disk in a volume, and is sent again until it is taken; while Fluent Bit itself is away, Docker keeps it in memory. The driver of the next snippet needs no Fluent Bit, but keeps all that waits in memory.',
    blocks: {
      'fluent-bit.conf': `${fluentBitService}
[INPUT]
    Name             forward
    Listen           127.0.0.1
    Port             24224
    storage.type     filesystem

${fluentBitOutput(facts)}`,
      'Shell: Fluent Bit, once on the machine': `docker run -d --name fluent-bit --restart unless-stopped --network host \\
  -v "$PWD/fluent-bit.conf:/fluent-bit/etc/fluent-bit.conf:ro" \\
  -v fluent-bit:/var/lib/fluent-bit \\
  fluent/fluent-bit
`,
      'Shell: each container whose output is wanted': `docker run --log-driver fluentd \\
  --log-opt fluentd-address=127.0.0.1:24224 \\
  --log-opt fluentd-async=true \\
  --log-opt fluentd-sub-second-precision=true \\
  alpine echo 'hello from Docker'
`,
    },
  }
}

function vectorSink({ origin, token }: SnippetFacts): string {
  return `sinks:
  logstrata:
    type: http
    inputs: [files]
    uri: ${origin}${batchPath}?timestamp_field=timestamp
    method: post
    compression: gzip
    encoding:
      codec: json
    auth:
      strategy: bearer
      token: ${token}
    acknowledgements:
      enabled: true # A file counts as read when its lines have been taken.
    buffer:
      type: disk
      max_size: 1073741824 # Bytes; when it is full, reading waits.
      when_full: block
    request:
      retry_attempts: 9223372036854775807
      retry_max_duration_secs: 30
`
}

const fluentBitService = `[SERVICE]
    storage.path     /var/lib/fluent-bit/buffer
    scheduler.cap    30
`

/** All but where it sends to. */
export const fluentBitFiles = `${fluentBitService}
[INPUT]
    Name             tail
    Path             /var/log/*.log
    DB               /var/lib/fluent-bit/tail.db
    storage.type     filesystem
`

function fluentBitOutput(facts: SnippetFacts): string {
  const { host, port, isSecure } = partsOf(facts)
  return `[OUTPUT]
    Name             http
    Match            *
    Host             ${host}
    Port             ${port}
    Tls              ${isSecure ? 'On' : 'Off'}
    Uri              ${batchPath}?timestamp_field=date&parse=json
    Format           json
    Json_date_format iso8601
    Compress         gzip
    Header           Authorization Bearer ${facts.token}
    Retry_Limit      no_limits
`
}
