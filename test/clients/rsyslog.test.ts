/**
 * rsyslog's ways to send by HTTP: its output for Elasticsearch (Debian's `rsyslog-elasticsearch`), and a
 * program of one's own behind omprog, which confirms each line when it is stored. What is missing is left
 * out, and said.
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { endWithThisProcess } from '../service/end-with-this-process.ts'
import type { ServiceProcess } from '../service/service-process.ts'
import { sharedSender } from '../service/shared-service.ts'

const noRsyslog = spawnSync('rsyslogd', ['-v']).error !== undefined && 'rsyslogd is not installed'
const modules = ['/usr/lib/x86_64-linux-gnu/rsyslog', '/usr/lib/aarch64-linux-gnu/rsyslog']
const noElastic =
  !modules.some(folder => existsSync(join(folder, 'omelasticsearch.so'))) &&
  'rsyslog-elasticsearch is not installed'

/** Has rsyslog send what stands in a file by `action`, until there are `count` records of the service. */
async function sendByRsyslog(
  service: ServiceProcess,
  directory: string,
  { lines, action, name }: { lines: readonly string[]; action: string; name: string },
) {
  writeFileSync(join(directory, 'in.log'), `${lines.join('\n')}\n`)
  const config = join(directory, 'rsyslog.conf')
  writeFileSync(
    config,
    `global(workDirectory="${directory}")
module(load="imfile")
input(type="imfile" file="${directory}/in.log" tag="shop:" severity="warning" facility="local5")
${action}
`,
  )
  const args = ['-n', '-f', config, '-i', join(directory, 'rsyslog.pid')]
  const rsyslog = spawn('rsyslogd', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  endWithThisProcess(rsyslog)
  let said = ''
  rsyslog.stderr.on('data', chunk => {
    said += chunk
  })
  try {
    for (const giveUpAt = Date.now() + 20_000; ; await sleep(50)) {
      const { body } = await service.query(`logs{service.name="${name}"}`)
      if (body.count >= lines.length) return body.logs
      if (Date.now() > giveUpAt) throw new Error(`${body.count} of ${lines.length}: ${said}`)
    }
  } finally {
    rsyslog.kill('SIGKILL')
  }
}

t.test('omelasticsearch sends in bulk', { skip: noRsyslog || noElastic }, async t => {
  const { service, token } = await sharedSender('rsyslog-elastic')
  const action = `module(load="omelasticsearch")
template(name="ecs" type="list" option.jsonf="on") {
  property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf")
  property(outname="message" name="msg" format="jsonf")
  property(outname="log.level" name="syslogseverity-text" format="jsonf")
  property(outname="host.name" name="hostname" format="jsonf")
}
action(type="omelasticsearch" server="${service.url}/elastic" uid="any" pwd="${token}"
  searchIndex="logs" searchType="" bulkmode="on" template="ecs" action.resumeRetryCount="-1")`
  const logs = await sendByRsyslog(service, t.testdir(), {
    ...{ lines: ['by omelasticsearch', 'größer "2"'], action, name: 'rsyslog-elastic' },
  })
  t.match(logs, [
    { log_level: 'warning', message: 'by omelasticsearch', attributes: { 'host.name': /./ } },
    { log_level: 'warning', message: 'größer "2"' },
  ])
})

t.test('a program behind omprog confirms what is stored', { skip: noRsyslog }, async t => {
  const { service, token } = await sharedSender('rsyslog-program')
  const directory = t.testdir()
  const program = join(directory, 'send')
  writeFileSync(
    program,
    `#!/bin/sh
echo OK
while IFS= read -r line; do
  printf '%s' "$line" | curl -sf ${service.url}/api/v1/webhook/event/log -o ${directory}/answer \\
    -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' --data-binary @- \\
    && echo OK || echo 'not stored'
done
`,
  )
  chmodSync(program, 0o755)
  const action = `module(load="omprog")
template(name="json" type="string" string="{\\"severity\\":%syslogseverity%,\\"message\\":\\"%msg:::json%\\"}\\n")
action(type="omprog" binary="${program}" template="json" confirmMessages="on")`
  const logs = await sendByRsyslog(service, directory, {
    ...{ lines: ['by omprog', 'größer "2"'], action, name: 'rsyslog-program' },
  })
  t.match(logs, [
    { log_level: 'warning', message: 'by omprog' },
    { log_level: 'warning', message: 'größer "2"' },
  ])
})
