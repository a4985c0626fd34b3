/** GELF by its specification (1.1), and by Debian's python3-graypy, over TCP and UDP. */
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import {
  connect,
  type ListeningService,
  recordsOf,
  refusedBy,
  sendDatagrams,
  sendWhole,
  startShopListening,
} from './listening-service.ts'

let service: ListeningService

t.before(async () => {
  const listeners = ['tcp', 'udp'].map(transport => ['gelf', transport] as const)
  service = await startShopListening(t, t.testdir(), listeners)
})

const message = (text: string, more = {}) =>
  JSON.stringify({
    ...{ version: '1.1', host: 'web-1', short_message: text, timestamp: 1_795_212_855.125 },
    ...{ level: 4, _order: 81723, ...more },
  })

const expected = {
  timestamp: 1_795_212_855_125,
  log_level: 'warning',
  attributes: { host: 'web-1', order: '81723', 'service.name': 'shop' },
}

/** In datagrams of `size` bytes. */
function chunksOf(bytes: Buffer, size: number, id: string): Buffer[] {
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, i) => {
    const head = Buffer.concat([
      Buffer.from([0x1e, 0x0f]),
      Buffer.from(id),
      Buffer.from([i, count]),
    ])
    return Buffer.concat([head, bytes.subarray(i * size, (i + 1) * size)])
  })
}

const refused = (transport: string, reason: string) =>
  refusedBy(service, ['gelf', transport], reason)

t.test('over TCP a NUL ends each message', async t => {
  const bytes = `${message('one')}\0not GELF\0{"version":"1.1"}\0${message('two\nlines')}`
  t.ok(await sendWhole(connect(service.port('gelf', 'tcp')), bytes))
  const { body } = await service.query('logs{host="web-1"}')
  t.match(body.logs, [
    { ...expected, message: 'one' },
    { ...expected, message: 'two\nlines' },
  ])
  t.equal(await refused('tcp', 'unreadable'), 2)
})

t.test('over UDP plain, compressed, in chunks of any order', async t => {
  const port = service.port('gelf', 'udp')
  const long = Buffer.from(message(`chunked ${'x'.repeat(5_000)}`))
  const packed = gzipSync(message('gzip in chunks', { _random: 'abc'.repeat(100) }))
  const chunks = [...chunksOf(long, 1_000, 'aaaaaaaa'), ...chunksOf(packed, 50, 'bbbbbbbb')]
  await sendDatagrams(
    port,
    ...[message('plain'), gzipSync(message('gzip')), deflateSync(message('zlib'))].map(bytes =>
      Buffer.from(bytes),
    ),
    ...[...chunks, chunks[0]!].reverse(),
    Buffer.from([0x1e, 0x0f, 1, 2, 3]),
    ...chunksOf(long, 1_000, 'cccccccc').slice(1),
    Buffer.from(message('odd', { level: { toString: 1 }, timestamp: { valueOf: [] } })),
    gzipSync(message('x'.repeat(2 * 1024 * 1024))),
    Buffer.from([0x1f, 0x8b, 1]),
  )
  for (const text of ['plain', 'gzip', 'zlib', 'gzip in chunks']) {
    t.match(await recordsOf(service, `logs{message="${text}"}`, 1), [expected], text)
  }
  t.equal((await recordsOf(service, 'logs |= "chunked xxx"', 1)).length, 1)
  const odd = await recordsOf(service, 'logs{message="odd"}', 1)
  t.match(odd, [{ log_level: 'info', attributes: { 'level.toString': '1' } }])
  while ((await refused('udp', 'unreadable')) < 2);
  t.equal(await refused('udp', 'too_large'), 1)
})

/** Debian's own Python, which has Debian's packages. */
const python = '/usr/bin/python3'
const noGraypy =
  spawnSync(python, ['-c', 'import graypy']).status !== 0 && 'python3-graypy is not installed'

t.test('graypy sends over TCP and UDP', { skip: noGraypy }, async t => {
  for (const [transport, handler] of [
    ['tcp', 'GELFTCPHandler'],
    ['udp', 'GELFUDPHandler'],
  ] as const) {
    const program = `
import logging, graypy, random
handler = graypy.${handler}("127.0.0.1", ${service.port('gelf', transport)})
log = logging.getLogger("shop")
log.addHandler(handler)
log.warning("disk almost full by %s", "${transport}", extra={"order": 81723})
try:
    1 / 0
except ZeroDivisionError:
    log.exception("graypy by ${transport}: "
        + "".join(chr(random.randrange(0x400, 0x9000)) for _ in range(3000)))
handler.close()`
    await promisify(execFile)(python, ['-c', program])
    const [warning] = await recordsOf(service, `logs |= "full by ${transport}"`, 1)
    t.match(warning, {
      ...{ log_level: 'warning', message: `disk almost full by ${transport}` },
      attributes: { host: /./, order: '81723' },
    })
    const [failure] = await recordsOf(service, `logs |= "graypy by ${transport}"`, 1)
    t.match(failure, { log_level: 'error', attributes: { full_message: /ZeroDivisionError/ } })
    t.equal(failure.message.length, `graypy by ${transport}: `.length + 3_000)
  }
})
