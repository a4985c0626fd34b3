/**
 * The forward protocol: bodies by its specification (v1), and what npm keeps of its senders,
 * @fluent-org/logger. Fluent Bit is not in Debian.
 */
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { FluentClient } from '@fluent-org/logger'
import { Unpackr } from 'msgpackr'
import t from 'tap'
import { eventTime, messageOf, modes, pack } from './forward-messages.ts'
import {
  connect,
  type ListeningService,
  recordsOf,
  refusedBy,
  sendWhole,
  startShopListening,
} from './listening-service.ts'

const sharedKey = 'a key that both know'
const directory = t.testdir({ open: {}, keyed: {} })
let open: ListeningService
let keyed: ListeningService

t.before(async () => {
  const listener = [['forward', 'tcp']] as const
  const keys = ['--forward-shared-key', sharedKey]
  open = await startShopListening(t, join(directory, 'open'), listener)
  keyed = await startShopListening(t, join(directory, 'keyed'), listener, keys)
})

/** What the service sends, value by value. */
function answersOf(socket: Socket) {
  const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true })
  const waiting: ((value: unknown) => void)[] = []
  const come: unknown[] = []
  socket.on('data', bytes => {
    unpackr.unpackMultiple(bytes, value => {
      const next = waiting.shift()
      if (next === undefined) come.push(value)
      else next(value)
    })
  })
  return () =>
    come.length > 0
      ? Promise.resolve(come.shift())
      : new Promise<unknown>(resolve => waiting.push(resolve))
}

t.test('every mode is taken, and acknowledged when it is on disk', async t => {
  for (const mode of modes) {
    const socket = connect(open.port('forward', 'tcp'))
    const next = answersOf(socket)
    const entries = [0, 1].map(i => ({
      time: eventTime(1_795_212_855, 123_456_789 * i),
      record: { log: `${mode} ${i}`, level: 'warn', id: 2n ** 63n - 1n, nested: { a: [1] } },
    }))
    const bytes = messageOf(mode, `app.${mode}`, entries, { chunk: `c-${mode}` })
    socket.write(bytes)
    t.same(await next(), { ack: `c-${mode}` }, mode)
    const { body } = await open.query(`logs{tag="app.${mode}"}`)
    t.equal(body.count, 2, 'in the very next answer')
    t.match(body.logs[1], {
      timestamp: 1_795_212_855_123,
      log_level: 'warn',
      message: `${mode} 1`,
      attributes: {
        ...{ id: '9223372036854775807', 'nested.a': '[1]', 'service.name': 'shop' },
        timestamp_ns: '1795212855123456789',
      },
    })
    t.ok(await sendWhole(socket, pack(null)), 'a sign of life is none')
  }
})

t.test('a chunk that is sent again counts once, and is acknowledged again', async t => {
  const entries = [{ time: pack(1_795_212_855), record: { msg: 'sent again' } }]
  const bytes = messageOf('packed', 'again', entries, { chunk: 'same' })
  const others = [
    messageOf('packed', 'again', entries, { chunk: 'other' }),
    messageOf('packed', 'again.too', entries, { chunk: 'same' }),
    messageOf('packed', 'again', [...entries, ...entries], { chunk: 'same' }),
  ]
  for (const [i, message] of [bytes, bytes, ...others, bytes].entries()) {
    const socket = connect(open.port('forward', 'tcp'))
    const next = answersOf(socket)
    socket.write(message)
    t.same(await next(), { ack: i === 2 ? 'other' : 'same' })
    socket.end()
  }
  const { body } = await open.query('logs |= "sent again"')
  t.equal(body.count, 1 + 1 + 1 + 2, 'other ids, tags and entries are other chunks')
})

t.test('what is odd costs no more than it must', async t => {
  const port = open.port('forward', 'tcp')
  const bits = Buffer.from([0xff, 0xfe])
  const second = pack(1_795_212_855)
  const metadata = Buffer.concat([Buffer.from([0x92]), second, pack({})])
  const whole = messageOf('packed', 'odd', [
    { time: second, record: { msg: 'seconds', bits, __proto__x: 1 } },
    { time: metadata, record: { msg: 'of Fluent Bit 2' } },
    { time: pack('soon'), record: { msg: 'no time' } },
    { time: second, record: [] },
  ])
  t.ok(await sendWhole(connect(port), whole))
  const { body } = await open.query('logs{tag="odd"}')
  t.equal(body.count, 3)
  t.match(
    body.logs.find((log: { message: string }) => log.message === 'seconds'),
    {
      timestamp: 1_795_212_855_000,
      attributes: { bits: '//4=' },
    },
  )
  const reason = (reason: string) => refusedBy(open, ['forward', 'tcp'], reason)
  t.equal(await reason('unreadable'), 1, 'the record that is no map')
  t.ok(await sendWhole(connect(port), whole.subarray(0, 20)))
  t.equal(await reason('torn'), 1)
  for (const bad of [Buffer.from([0xc1]), pack('text'), pack(['tag']), Buffer.alloc(200, 0x91)]) {
    t.notOk(await sendWhole(connect(port), bad), bad.toString('hex').slice(0, 20))
  }
  const noGzip = messageOf('packed', 'x', [], { compressed: 'gzip', chunk: 'never' })
  noGzip.fill(0, 3, 4)
  const bomb = messageOf('compressed', 'x', [
    { time: second, record: { msg: 'x'.repeat(70 * 1024 * 1024) } },
  ])
  t.notOk(await sendWhole(connect(port), bomb), 'a bomb stops at the decoded limit')
})

t.test('with a shared key, who knows it may send', async t => {
  const send = async (key: string) => {
    const socket = connect(keyed.port('forward', 'tcp'))
    const next = answersOf(socket)
    const [word, { nonce }] = (await next()) as [string, { nonce: string }]
    t.equal(word, 'HELO')
    const hash = createHash('sha512').update(`saltme${nonce}${key}`)
    socket.write(pack(['PING', 'me', 'salt', hash.digest('hex'), '', '']))
    const pong = (await next()) as unknown[]
    const own = createHash('sha512').update(`saltlogstrata${nonce}${key}`).digest('hex')
    return { pong, own, socket }
  }
  const good = await send(sharedKey)
  t.same(good.pong, ['PONG', true, '', 'logstrata', good.own])
  const time = pack(1_795_212_855)
  const message = messageOf('message', 'keyed', [{ time, record: { msg: 'keyed' } }])
  t.ok(await sendWhole(good.socket, message))
  t.equal((await keyed.query('logs{tag="keyed"}')).body.count, 1)

  const bad = await send('another')
  t.match(bad.pong, ['PONG', false, 'shared key mismatch'])
  await sendWhole(bad.socket, message)
  await sendWhole(connect(keyed.port('forward', 'tcp')), message)
  t.equal((await keyed.query('logs{tag="keyed"}')).body.count, 1)
  t.equal(await refusedBy(keyed, ['forward', 'tcp'], 'not_authenticated'), 2)
})

t.test('@fluent-org/logger sends in each of its modes', async t => {
  for (const [service, security] of [
    [open, undefined],
    [keyed, { clientHostname: 'me', sharedKey }],
  ] as const) {
    for (const eventMode of ['Message', 'Forward', 'PackedForward', 'CompressedPackedForward']) {
      const client = new FluentClient(`real.${eventMode}`, {
        eventMode: eventMode as 'Message',
        ack: { ackTimeout: 10_000 },
        socket: { host: '127.0.0.1', port: service.port('forward', 'tcp') },
        ...(security && { security }),
      })
      await client.emit({ message: `hello in ${eventMode}`, order: 81723 })
      const [log] = await recordsOf(service, `logs{tag="real.${eventMode}"}`, 1)
      t.match(log, { message: `hello in ${eventMode}`, attributes: { order: '81723' } })
      await client.shutdown()
    }
  }
})
