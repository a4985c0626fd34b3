/**
 * Snippets for what sends by a socket and not by HTTP. These know no token: the service is told at its start
 * whose records they are.
 */

import { fluentBitFiles } from './collectors.ts'
import { partsOf, type Snippet, type SnippetFacts } from './snippet.ts'

const ports = { syslog: 5514, forward: 24224, gelf: 12201 } as const
type Listener = keyof typeof ports

function startOf(listener: Listener, { stream }: SnippetFacts) {
  const flag = `--${listener} tcp://0.0.0.0:${ports[listener]}=${stream}\n`
  return { 'The service: start it with': flag }
}

const open =
  'Whoever reaches the port may send: open it to your own machines only, or take tls:// with a certificate.'

export function rsyslog(facts: SnippetFacts): Snippet {
  return {
    id: 'rsyslog',
    name: 'Syslog: rsyslog',
    intro: `rsyslog sends all that it gets by TCP, tries again without end, and what waits is on disk. TCP itself loses what is on its way when the connection breaks. ${open}`,
    blocks: {
      ...startOf('syslog', facts),
      '/etc/rsyslog.d/logstrata.conf': `action(
  type="omfwd" protocol="tcp" target="${partsOf(facts).host}" port="${ports.syslog}"
  template="RSYSLOG_SyslogProtocol23Format" TCP_Framing="octet-counted"
  queue.type="LinkedList" queue.filename="logstrata" queue.maxDiskSpace="1g"
  queue.saveOnShutdown="on" action.resumeRetryCount="-1"
)
`,
    },
  }
}

export function syslogNg(facts: SnippetFacts): Snippet {
  return {
    id: 'syslog-ng',
    name: 'Syslog: syslog-ng',
    intro: `syslog-ng sends what its source s_src gets (Debian’s name for all of the machine) by TCP, tries again without end, and what waits is on disk. TCP itself loses what is on its way when the connection breaks. ${open}`,
    blocks: {
      ...startOf('syslog', facts),
      '/etc/syslog-ng/conf.d/logstrata.conf': `destination d_logstrata {
  syslog("${partsOf(facts).host}" transport("tcp") port(${ports.syslog}) time-reopen(5)
    disk-buffer(reliable(yes) disk-buf-size(1073741824) dir("/var/lib/syslog-ng")));
};
log { source(s_src); destination(d_logstrata); };
`,
    },
  }
}

export function fluentForward(facts: SnippetFacts): Snippet {
  return {
    id: 'forward',
    name: 'Fluent Bit, Fluentd: forward',
    intro: `By Fluentd’s own protocol. Put DB and storage.type into your inputs. What waits is on disk, and is sent again until the service has said that it is stored. ${open}`,
    blocks: {
      ...startOf('forward', facts),
      'fluent-bit.conf': `${fluentBitFiles}
[OUTPUT]
    Name             forward
    Match            *
    Host             ${partsOf(facts).host}
    Port             ${ports.forward}
    Require_ack_response true
    Retry_Limit      no_limits
`,
      'fluent.conf, of Fluentd': `<match **>
  @type forward
  require_ack_response true
  <server>
    host ${partsOf(facts).host}
    port ${ports.forward}
  </server>
  <buffer>
    @type file
    path /var/lib/fluentd/logstrata
    retry_forever true
    retry_max_interval 30s
    overflow_action block
  </buffer>
</match>
`,
    },
  }
}

export function gelf(facts: SnippetFacts): Snippet {
  const { host } = partsOf(facts)
  return {
    id: 'gelf',
    name: 'GELF',
    intro: `What sends to Graylog sends here: by HTTP with the token, or by TCP. Docker’s own gelf driver keeps what waits in memory, and loses it in the end. ${open}`,
    blocks: {
      ...startOf('gelf', facts),
      'Shell: by HTTP, which needs no such start': `curl ${facts.origin}/gelf \\
  -H 'Authorization: Bearer ${facts.token}' \\
  -d '{"version":"1.1","host":"web-1","short_message":"hello from GELF","level":6,"_order":81723}'
`,
      'Shell: each container whose output is wanted': `docker run --log-driver gelf \\
  --log-opt gelf-address=tcp://${host}:${ports.gelf} \\
  --log-opt gelf-tcp-max-reconnect=1000 \\
  --log-opt gelf-tcp-reconnect-delay=5 \\
  alpine echo 'hello from Docker'
`,
    },
  }
}
