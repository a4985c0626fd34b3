/** syslog-ng's output by HTTP, in batches of lines of JSON; how it sends syslog is in `test/listen/senders.test.ts`. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { endWithThisProcess } from '../service/end-with-this-process.ts'
import { sharedSender } from '../service/shared-service.ts'
import { findSyslogNg, syslogNgArgs } from './installed-senders.ts'

const syslogNg = findSyslogNg()

/** What it needs to send the lines of a file by `destination`, and nothing else. */
function configOf(file: string, destination: string): string {
  return `@version: 3.38
source lines { file("${file}" read-old-records(yes) follow-freq(1) flags(no-parse)
  program-override("shop")); };
destination service { ${destination} };
log { source(lines); destination(service); };
`
}

t.test('syslog-ng sends by HTTP', { skip: typeof syslogNg === 'string' && syslogNg }, async t => {
  if (typeof syslogNg === 'string') return
  const { service, token } = await sharedSender('syslog-ng')
  const directory = t.testdir({ 'in.log': 'one of syslog-ng\ngrößer "2"\n' })
  const config = join(directory, 'syslog-ng.conf')
  const destination = `http(url("${service.url}/api/v1/webhook/event/logs?timestamp_field=time")
    headers("Authorization: Bearer ${token}", "Content-Type: application/x-ndjson")
    batch-lines(100) batch-timeout(100) delimiter("\\n")
    body('$(format-json --scope rfc5424 time=$ISODATE level=$LEVEL message=$MSG)'));`
  writeFileSync(config, configOf(join(directory, 'in.log'), destination))
  const { program, args, env } = syslogNg
  const child = spawn(program, [...args, ...syslogNgArgs(directory, config)], { env })
  endWithThisProcess(child)
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  t.teardown(() => child.kill('SIGKILL'))
  for (const giveUpAt = Date.now() + 20_000; ; await sleep(50)) {
    const { body } = await service.query('logs{service.name="syslog-ng"}')
    if (body.count >= 2) {
      t.match(body.logs, [
        { log_level: 'notice', message: 'one of syslog-ng', attributes: { PROGRAM: 'shop' } },
        { log_level: 'notice', message: 'größer "2"', attributes: { HOST: /./ } },
      ])
      t.notOk('timestamp_error' in body.logs[0].attributes)
      return
    }
    if (Date.now() > giveUpAt) throw new Error(`${body.count} of 2: ${said}`)
  }
})
