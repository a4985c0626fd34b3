/** Forward and GELF over TLS: as without it, and what speaks no TLS there is refused. */
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { Unpackr } from 'msgpackr'
import t from 'tap'
import { makeCertificate, noOpenssl } from '../service/certificate.ts'
import { messageOf, pack } from './forward-messages.ts'
import {
  connect,
  type ListeningService,
  recordsOf,
  refusedBy,
  sendWhole,
  startShopListening,
} from './listening-service.ts'

const directory = t.testdir({ data: {} })
let service: ListeningService
let ca = ''

t.before(async () => {
  if (noOpenssl !== false) return
  const { cert, key, pem } = makeCertificate(directory)
  ca = pem
  service = await startShopListening(
    t,
    join(directory, 'data'),
    ['forward', 'gelf'].map(protocol => [protocol, 'tls'] as const),
    ['--listen-tls-cert', cert, '--listen-tls-key', key],
  )
})

const connectSecurely = (protocol: string) =>
  connectTls({
    ...{ port: service.port(protocol, 'tls'), host: '127.0.0.1', ca, allowHalfOpen: true },
  }).on('error', () => {})

t.test('forward: a chunk is acknowledged over TLS', { skip: noOpenssl }, async t => {
  const socket = connectSecurely('forward')
  const answer = new Promise<Buffer>(resolve => socket.once('data', resolve))
  const entries = [{ time: pack(1_795_212_855), record: { message: 'forward by TLS' } }]
  socket.write(messageOf('packed', 'app', entries, { chunk: 'c1' }))
  t.same(new Unpackr({ useRecords: false }).unpack(await answer), { ack: 'c1' })
  const [record] = await recordsOf(service, 'logs{message="forward by TLS"}', 1)
  t.match(record, { attributes: { tag: 'app', 'service.name': 'shop' } })
  socket.destroy()
})

t.test(
  'GELF: messages come by TLS, and an end in order says they are stored',
  { skip: noOpenssl },
  async t => {
    const gelf = (text: string) => `{"version":"1.1","host":"web-1","short_message":"${text}"}\0`
    t.ok(
      await sendWhole(connectSecurely('gelf'), gelf('gelf by TLS, one') + gelf('gelf by TLS, two')),
    )
    const logs = await recordsOf(service, 'logs |= "gelf by TLS"', 2)
    t.match(logs[0], { attributes: { host: 'web-1' } })
  },
)

t.test('a sender without TLS is reset, and counted', { skip: noOpenssl }, async t => {
  for (const protocol of ['forward', 'gelf']) {
    const port = service.port(protocol, 'tls')
    const isInOrder = await sendWhole(connect(port), '{"short_message":"plain"}\0')
    t.notOk(isInOrder, 'an end in order would say that it is stored')
    t.equal(await refusedBy(service, [protocol, 'tls'], 'not_authenticated'), 1)
  }
  t.equal((await service.query('logs |= "plain"')).body.count, 0)
})
