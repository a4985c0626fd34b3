/** Snippets for programs that speak the protocol of another service, which is taken here as it is. */

import type { Snippet, SnippetFacts } from './snippet.ts'

export function dockerSplunk({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'docker-splunk',
    name: 'Docker, without an agent',
    intro:
      'Docker’s own splunk driver sends here, with nothing in between. It tries again, and keeps what waits in memory: up to ten thousand lines, beyond which the oldest is lost, as is all that waits when Docker is stopped. Where nothing may be lost, take the snippet with Fluent Bit.',
    blocks: {
      'Shell: each container whose output is wanted': `docker run --log-driver splunk \\
  --log-opt splunk-url=${origin} \\
  --log-opt splunk-token=${token} \\
  --log-opt splunk-format=json \\
  --log-opt splunk-gzip=true \\
  alpine echo 'hello from Docker'
`,
    },
  }
}

export function splunk({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'splunk',
    name: 'Splunk HEC',
    intro:
      'Whatever sends to Splunk’s HTTP Event Collector sends here when it is given this address and the token. The answer is that of Splunk, when the events are on disk.',
    blocks: {
      'Address and token': `${origin}/services/collector/event\n${token}\n`,
      'Shell: to check that it works': `curl ${origin}/services/collector/event \\
  -H 'Authorization: Splunk ${token}' \\
  -d '{"event":{"level":"info","message":"hello from HEC","order":81723}}'
`,
    },
  }
}

export function elastic({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'elastic',
    name: 'Elasticsearch: Filebeat',
    intro:
      'Whatever sends to Elasticsearch’s bulk API sends here with this address, and the token as the API key or as the password of any user. Filebeat tries again without end, and its queue is on disk. Any index will do: it is not stored.',
    blocks: {
      'filebeat.yml: add to its inputs': `output.elasticsearch:
  hosts: ['${origin}/elastic']
  api_key: 'logstrata:${token}'
  compression_level: 1

queue.disk:
  max_size: 1GB

setup.template.enabled: false
setup.ilm.enabled: false
`,
      'Shell: to check that it works': `curl ${origin}/elastic/_bulk \\
  -H 'Authorization: ApiKey ${token}' \\
  -H 'Content-Type: application/x-ndjson' \\
  --data-binary '{"create":{}}
{"log.level":"info","message":"hello from Elasticsearch","order":81723}
'
`,
    },
  }
}

export function datadog({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'datadog',
    name: 'Datadog Agent',
    intro:
      'The Agent sends its logs here and all else where it went: the token is the key of logs alone. What waits are the log files themselves: the Agent tries again without end, reads no further meanwhile, and keeps on disk how far it came. Tags become attributes. Datadog’s libraries and other senders take the same address and the token as their API key.',
    blocks: {
      '/etc/datadog-agent/datadog.yaml: add to it': `logs_enabled: true
logs_config:
  logs_dd_url: ${origin}
  api_key: ${token}
  force_use_http: true
`,
      'Shell: to check that it works': `curl ${origin}/api/v2/logs \
  -H 'DD-API-KEY: ${token}' \
  -H 'Content-Type: application/json' \
  -d '[{"message":"hello from Datadog","status":"info","ddtags":"order:81723"}]'
`,
    },
  }
}

export function lokiPush({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'loki',
    name: 'Loki: Grafana Alloy',
    intro:
      'Whatever sends to Loki’s push API sends here with this address, and the token as the password of any user. Alloy tries again without end, and what waits is on disk. Labels and structured metadata become attributes.',
    blocks: {
      'config.alloy: send your sources to loki.write.logstrata.receiver': `loki.write "logstrata" {
  endpoint {
    url = "${origin}/loki/api/v1/push"
    basic_auth {
      username = "logstrata"
      password = "${token}"
    }
    max_backoff_retries = 0 // Without end.
  }
  wal {
    enabled = true
  }
}
`,
      'Shell: to check that it works': `curl ${origin}/loki/api/v1/push \\
  -u 'any:${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"streams":[{"stream":{"level":"info","order":"81723"},"values":[["0","hello from Loki"]]}]}'
`,
    },
  }
}

export function journald({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'journald',
    name: 'systemd’s journal',
    intro:
      'systemd-journal-upload (Debian: in systemd-journal-remote) sends the journal as it grows. What waits is in the journal itself, on disk; after a failure it is started again, and goes on where it was. When it fails, its own line in the journal has the address with the token in it.',
    blocks: {
      '/etc/systemd/journal-upload.conf': `[Upload]
URL=${origin.replace('://', `://journal:${token}@`)}
`,
      '/etc/systemd/system/systemd-journal-upload.service.d/again.conf': `[Unit]
StartLimitIntervalSec=0

[Service]
Restart=always
RestartSec=5
`,
      Shell: `systemctl daemon-reload && systemctl enable --now systemd-journal-upload
`,
    },
  }
}
