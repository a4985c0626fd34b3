import t from 'tap'
import {
  connect,
  type ListeningService,
  recordsOf,
  refusedBy,
  sendDatagrams,
  sendWhole,
  startListening,
} from './listening-service.ts'

let service: ListeningService

t.before(async () => {
  const listeners = [
    ['syslog', 'tcp', 'shop/test'],
    ['syslog', 'udp', 'shop%2Ftest'],
  ] as const
  service = await startListening(t.testdir(), listeners)
})
t.teardown(() => service.end('SIGKILL'))

const octets = (text: string) => `${Buffer.byteLength(text)} ${text}`
const refused = (transport: string, reason: string) =>
  refusedBy(service, ['syslog', transport], reason)

t.test('without its token a listener takes nothing, and says so everywhere', async t => {
  t.match(service.output.stderr, /there is no ingestion token \\?"shop\/test/)
  const health = await service.call('GET', '/health')
  t.match(JSON.stringify(health.body), /listener_without_token: syslog tcp.*syslog udp/)
  const isWhole = await sendWhole(connect(service.port('syslog', 'tcp')), '<13>lost\n')
  t.notOk(isWhole, 'the connection is reset')
  await sendDatagrams(service.port('syslog', 'udp'), Buffer.from('<13>lost'))
  t.equal(await refused('tcp', 'token_unknown'), 1)
  while ((await refused('udp', 'token_unknown')) < 1);
  t.equal((await service.query('logs')).body.count, 0)

  await service.makeToken('shop', 'test')
  const after = await service.call('GET', '/health')
  t.notMatch(JSON.stringify(after.body), /listener_without_token/)
})

t.test('the end of a connection says that all of it is on disk', async t => {
  const rfc5424 =
    '<165>1 2026-11-20T22:14:15.003123Z web-1 pay 4711 ID47 [o@1 ip="::1"] 3 of über 9'
  const tcp = service.port('syslog', 'tcp')
  t.ok(await sendWhole(connect(tcp), octets(rfc5424) + octets('<11>two\nlines')))
  const { body } = await service.query('logs{facility=~".+"}')
  t.equal(body.count, 2, 'at once')
  t.match(body.logs[0], {
    timestamp: Date.UTC(2026, 10, 20, 22, 14, 15, 3),
    log_level: 'notice',
    message: '3 of über 9',
    attributes: {
      ...{ hostname: 'web-1', appname: 'pay', procid: '4711', msgid: 'ID47', facility: 'local4' },
      ...{ 'o@1.ip': '::1', timestamp_ns: '1795212855003123000', 'service.name': 'shop' },
    },
  })
  t.match(body.logs[1], { log_level: 'error', message: 'two\nlines' })

  const lines =
    '<14>a: JSON {}\r\n\n<14>1 - h a - - - {"level":"warn","msg":"in JSON","n":1}\n<15>last'
  t.ok(await sendWhole(connect(tcp), lines))
  t.match((await service.query('logs{n="1"}')).body.logs, [
    { log_level: 'warn', message: 'in JSON', attributes: { severity: 'info', appname: 'a' } },
  ])
  t.equal((await service.query('logs{log_level="debug"} |= "last"')).body.count, 1)
})

t.test('bytes that come one by one are the same messages', async t => {
  const socket = connect(service.port('syslog', 'tcp'))
  socket.setNoDelay(true)
  const whole = sendOneByOne(
    socket,
    octets('<14>one by one: octets') + octets('<14>one by one: two x'),
  )
  await whole
  const logs = await recordsOf(service, 'logs |= "one by one"', 2)
  t.same(
    logs.map(({ message }: { message: string }) => message),
    ['octets', 'two x'].map(text => `one by one: ${text}`),
  )
})

async function sendOneByOne(socket: ReturnType<typeof connect>, text: string) {
  for (const character of text) {
    await new Promise(resolve => socket.write(character, resolve))
  }
  return sendWhole(socket, '')
}

t.test('what cannot be taken is counted, and costs no other message', async t => {
  const tcp = service.port('syslog', 'tcp')
  const large = `<14>${'x'.repeat(1024 * 1024)}`
  t.ok(await sendWhole(connect(tcp), `<14>before large\n${large}\n<14>after large\n`))
  t.ok(await sendWhole(connect(tcp), `${large.length} ${large}15 <14>after large`))
  t.equal((await service.query('logs |= "after large"')).body.count, 2)
  t.equal(await refused('tcp', 'too_large'), 2)
  t.ok(await sendWhole(connect(tcp), '12 <14>a whole 99 <14>torn'))
  t.equal(await refused('tcp', 'torn'), 1)
  t.notOk(await sendWhole(connect(tcp), '9 <14>whole<14>no length'))
  t.equal(await refused('tcp', 'unreadable'), 1)
  t.equal((await service.query('logs |~ "^(a )?whole "')).body.count, 1)
  t.equal((await service.query('logs{message="whole"}')).body.count, 1, 'what came before')
})

t.test('datagrams are messages', async t => {
  await sendDatagrams(
    service.port('syslog', 'udp'),
    Buffer.from('<12>1 2026-11-20T22:14:15Z h udp - - - one datagram\n'),
    Buffer.from('<12>python sends a NUL, one datagram\0'),
    Buffer.from('\n'),
    Buffer.concat([Buffer.from('<12>one datagram in Latin-1: '), Buffer.from([0xe4])]),
  )
  const logs = await recordsOf(service, 'logs |= "one datagram"', 3)
  t.match(logs.map(({ message }: { message: string }) => message).sort(), [
    'one datagram',
    'one datagram in Latin-1: ä',
    'python sends a NUL, one datagram',
  ])
})

t.test('a token that is deleted ends its connections, with the next read', async t => {
  const socket = connect(service.port('syslog', 'tcp'))
  socket.write('<14>while it lives\n')
  await recordsOf(service, 'logs |= "while it lives"', 1)
  const { body } = await service.call('GET', '/api/v1/settings/ingestion-tokens')
  for (const { id } of body.tokens) {
    await service.call('DELETE', `/api/v1/settings/ingestion-tokens/${id}`)
  }
  t.notOk(await sendWhole(socket, '<14>after its end\n'))
  t.equal((await service.query('logs |= "after its end"')).body.count, 0)
  await service.makeToken('shop', 'test')
  t.ok(await sendWhole(connect(service.port('syslog', 'tcp')), '<14>with a new one\n'))
  t.equal((await service.query('logs |= "with a new one"')).body.count, 1)
  t.equal(await service.end(), 0)
})
