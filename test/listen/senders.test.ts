/**
 * Syslog of the programs that send it, over loopback. rsyslog and logger are Debian's packages of these names
 * (`.ci/run` installs them), syslog-ng is where `test/clients/install.sh` unpacks it, since Debian installs it
 * only instead of rsyslog; where one is missing its test is left out, and says so.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { rsyslog, syslogNg as syslogNgSnippet } from '../../src/web/settings/snippets/listeners.ts'
import { findSyslogNg, syslogNgArgs } from '../clients/installed-senders.ts'
import { makeCertificate, noOpenssl } from '../service/certificate.ts'
import { endWithThisProcess } from '../service/end-with-this-process.ts'
import { type ListeningService, recordsOf, startShopListening } from './listening-service.ts'

const run = promisify(execFile)
const facts = { origin: 'http://127.0.0.1:7007', token: 'ing_', stream: 'shop/test' }
const isMissing = (program: string, ...args: string[]) =>
  spawnSync(program, args).error !== undefined && `${program} is not installed`
const noPython = isMissing('python3', '--version')
const noLogger = isMissing('logger', '--version')
const noRsyslog = isMissing('rsyslogd', '-v')
const syslogNg = findSyslogNg()
const noSyslogNg = typeof syslogNg === 'string' && syslogNg

const directory = t.testdir({ data: {} })
let service: ListeningService
let ca = ''

t.before(async () => {
  const secure = noOpenssl === false
  const { cert, key } = secure ? makeCertificate(directory) : { cert: '', key: '' }
  ca = cert
  const transports = secure ? ['tcp', 'udp', 'tls'] : ['tcp', 'udp']
  service = await startShopListening(
    t,
    join(directory, 'data'),
    transports.map(transport => ['syslog', transport] as const),
    secure ? ['--listen-tls-cert', cert, '--listen-tls-key', key] : [],
  )
})

/** Ends it with the test, and waits for what `is` done before. */
async function beside<T>(child: ChildProcess, is: () => Promise<T>): Promise<T> {
  endWithThisProcess(child)
  let said = ''
  for (const output of [child.stdout, child.stderr]) {
    output?.on('data', chunk => {
      said += chunk
    })
  }
  try {
    return await is()
  } catch (error) {
    throw new Error(said, { cause: error })
  } finally {
    child.kill('SIGKILL')
  }
}

t.test('logger, in both forms, over TCP and UDP', { skip: noLogger }, async t => {
  for (const [transport, flag] of [
    ['tcp', '--tcp'],
    ['udp', '--udp'],
  ] as const) {
    for (const form of ['--rfc3164', '--rfc5424', '--octet-count']) {
      if (transport === 'udp' && form === '--octet-count') continue
      const message = `logger by ${transport} ${form.slice(2)}`
      const to = ['-n', '127.0.0.1', '-P', String(service.port('syslog', transport)), flag]
      await run('logger', [...to, form, '-p', 'local3.warning', '-t', 'tool', '--id=77', message])
      const [record] = await recordsOf(service, `logs{message="${message}"}`, 1)
      t.match(record, {
        log_level: 'warning',
        attributes: { facility: 'local3', appname: 'tool', procid: '77', hostname: /./ },
      })
      t.ok(Math.abs(record.timestamp - Date.now()) < 60_000, `${message}: its time is now`)
    }
  }
})

t.test("Python's SysLogHandler, over TCP and UDP", { skip: noPython }, async t => {
  for (const [transport, kind] of [
    ['tcp', 'SOCK_STREAM'],
    ['udp', 'SOCK_DGRAM'],
  ] as const) {
    const program = `
import logging, logging.handlers, socket
handler = logging.handlers.SysLogHandler(("127.0.0.1", ${service.port('syslog', transport)}), "local1", socket.${kind})
log = logging.getLogger()
log.addHandler(handler)
log.critical("python by ${transport}, the first")
log.error("python by ${transport}\\nof two lines")
handler.close()`
    await run('python3', ['-c', program])
    const logs = await recordsOf(service, `logs |= "python by ${transport}"`, 2)
    const found = logs.map(({ message, log_level }: { message: string; log_level: string }) => [
      log_level,
      message,
    ])
    t.same(found.sort(), [
      ['critical', `python by ${transport}, the first`],
      ['error', `python by ${transport}\nof two lines`],
    ])
  }
})

/** What rsyslog needs to send what it reads from a file, and nothing else. */
function rsyslogConfig(action: string, file = 'in.log'): string {
  return `global(workDirectory="${directory}" defaultNetstreamDriverCAFile="${ca}")
module(load="imfile")
input(type="imfile" file="${directory}/${file}" tag="shop:" severity="warning" facility="local5")
${action}
`
}

t.test('rsyslog forwards over TCP, UDP and TLS', { skip: noRsyslog || noOpenssl }, async t => {
  const secure = 'StreamDriver="gtls" StreamDriverMode="1" StreamDriverAuthMode="x509/certvalid"'
  const actions = {
    udp: 'protocol="udp"',
    tcp: 'protocol="tcp"',
    'tcp framed':
      'protocol="tcp" TCP_Framing="octet-counted" template="RSYSLOG_SyslogProtocol23Format"',
    tls: `protocol="tcp" TCP_Framing="octet-counted" ${secure}`,
  }
  writeFileSync(join(directory, 'in.log'), 'one of rsyslog\nuber 2\n')
  const forwards = Object.entries(actions).map(([name, protocol]) => {
    const port = service.port('syslog', name.split(' ')[0]!)
    return `action(type="omfwd" target="127.0.0.1" port="${port}" ${protocol})`
  })
  const path = join(directory, 'rsyslog.conf')
  writeFileSync(path, rsyslogConfig(forwards.join('\n')))
  const args = ['-n', '-f', path, '-i', join(directory, 'rsyslog.pid')]
  await beside(spawn('rsyslogd', args), async () => {
    const logs = await recordsOf(service, 'logs{message="one of rsyslog"}', forwards.length)
    t.equal(logs.length, forwards.length)
    for (const log of logs) {
      t.match(log, {
        log_level: 'warning',
        attributes: { facility: 'local5', appname: 'shop', hostname: /./ },
      })
    }
  })
})

t.test('the snippet for rsyslog sends as it stands', { skip: noRsyslog }, async t => {
  const port = String(service.port('syslog', 'tcp'))
  const action = Object.values(rsyslog(facts).blocks)[1]!.replace('5514', port)
  writeFileSync(join(directory, 'snippet.log'), 'by the snippet\n')
  const path = join(directory, 'snippet.conf')
  writeFileSync(path, rsyslogConfig(action, 'snippet.log'))
  const args = ['-n', '-f', path, '-i', join(directory, 'snippet.pid')]
  await beside(spawn('rsyslogd', args), async () => {
    const logs = await recordsOf(service, 'logs{message="by the snippet"}', 1)
    t.match(logs, [{ log_level: 'warning', attributes: { facility: 'local5', appname: 'shop' } }])
  })
})

t.test('syslog-ng sends over TCP, UDP and TLS', { skip: noSyslogNg || noOpenssl }, async t => {
  if (typeof syslogNg === 'string') return
  writeFileSync(join(directory, 'ng.log'), 'one of syslog-ng\n')
  const to = (transport: string, more = '') =>
    `syslog("127.0.0.1" transport("${transport}") port(${service.port('syslog', transport)}) ${more});`
  const trust = `tls(ca-file("${ca}") peer-verify(optional-trusted))`
  const config = `@version: 3.38
source s { file("${directory}/ng.log" read-old-records(yes) follow-freq(1) flags(no-parse) program-override("ng")); };
destination d { ${to('tcp')} ${to('udp')} ${to('tls', trust)}
  network("127.0.0.1" port(${service.port('syslog', 'tcp')}) persist-name("bsd")); };
log { source(s); destination(d); };
`
  const path = join(directory, 'ng.conf')
  writeFileSync(path, config)
  const { program, args, env } = syslogNg
  const child = spawn(program, [...args, ...syslogNgArgs(directory, path)], { env })
  await beside(child, async () => {
    const logs = await recordsOf(service, 'logs |= "one of syslog-ng"', 4)
    t.same(
      [...new Set(logs.map(({ message }: { message: string }) => message))],
      ['one of syslog-ng'],
    )
    for (const log of logs) t.match(log.attributes, { hostname: /./, appname: 'ng' })
  })
})

t.test('the snippet for syslog-ng sends as it stands', { skip: noSyslogNg }, async t => {
  if (typeof syslogNg === 'string') return
  writeFileSync(join(directory, 'ng-snippet.log'), 'by the snippet of syslog-ng\n')
  const snippet = Object.values(syslogNgSnippet(facts).blocks)[1]!
    .replace('5514', String(service.port('syslog', 'tcp')))
    .replace('/var/lib/syslog-ng', directory)
  // Debian's own has the source, of all that the machine logs.
  const source = `file("${directory}/ng-snippet.log" read-old-records(yes) follow-freq(1) flags(no-parse))`
  const path = join(directory, 'ng-snippet.conf')
  writeFileSync(path, `@version: 3.38\nsource s_src { ${source}; };\n${snippet}`)
  const { program, args, env } = syslogNg
  const child = spawn(program, [...args, ...syslogNgArgs(directory, path)], { env })
  await beside(child, async () => {
    const logs = await recordsOf(service, 'logs |= "by the snippet of syslog-ng"', 1)
    t.match(logs, [{ log_level: 'notice', attributes: { hostname: /./ } }])
  })
  t.ok(existsSync(join(directory, 'syslog-ng-00000.rqf')), 'what waits is on disk')
})
