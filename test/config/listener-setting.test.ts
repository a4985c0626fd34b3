import t from 'tap'
import { readConfig } from '../../src/config/config.ts'
import { listeners } from '../../src/config/listener-setting.ts'

const kind = listeners('tcp', 'tls', 'udp')

t.test('listeners are read, and printed so that they are read again', async t => {
  const reads = (text: string, ...expected: readonly object[]) => {
    t.same(kind.read(text), expected, text)
    t.same(kind.read(kind.print(kind.read(text)!)), expected, `${text}, printed`)
  }
  const tcp = { transport: 'tcp', host: '0.0.0.0', port: 5514, tokenName: 'checkout/prod' }
  reads('tcp://0.0.0.0:5514=checkout/prod', tcp)
  reads('udp://[::]:514=a b/c=d', { transport: 'udp', host: '::', port: 514, tokenName: 'a b/c=d' })
  reads('tcp://0.0.0.0:5514=checkout/prod, tls://logs.example:6514=50%25%2C/x', tcp, {
    ...{ transport: 'tls', host: 'logs.example', port: 6514, tokenName: '50%,/x' },
  })
  const given = ['--syslog', 'tcp://0.0.0.0:5514=checkout/prod', '--syslog=udp://h:1=x']
  const udp = { transport: 'udp', host: 'h', port: 1, tokenName: 'x' }
  t.same(readConfig(given, {}).syslog, [tcp, udp], 'a flag that is given twice')
  t.same(readConfig([], { LOGSTRATA_SYSLOG: 'udp://h:1=x' }).syslog, [udp])
})

t.test('what is no listener is refused with what one is', async t => {
  const bad = ['', 'tcp://h:1', 'tcp://h:1=', 'h:1=x', 'tcp://h=x', 'tcp://h:65536=x', 'tcp://:1=x']
  for (const text of [...bad, 'sctp://h:1=x', 'tcp://h:1=%zz', 'tcp://h:1=x,', 'tcp://a/b:1=x']) {
    t.equal(kind.read(text), undefined, text)
  }
  const refuses = (value: string, message: RegExp) =>
    t.throws(() => readConfig(['--syslog', value], {}), { name: 'ConfigError', message })
  refuses('tcp://h:1', /--syslog "tcp:\/\/h:1": expected addresses such as tcp:\/\/0\.0\.0\.0:5514/)
  refuses('tls://h:1=x', /--syslog tls:\/\/… needs --listen-tls-cert or --tls-cert/)
  t.throws(() => readConfig(['--listen-tls-cert', 'x'], {}), {
    message: /--listen-tls-cert needs --listen-tls-key or LOGSTRATA_LISTEN_TLS_KEY/,
  })
})
