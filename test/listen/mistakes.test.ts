/** What a mistake in a decoder costs: the message, datagram or connection that it meets, and nothing else. */
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { DatagramListener } from '../../src/listen/datagram-listener.ts'
import { GatheredIntake } from '../../src/listen/gathered-intake.ts'
import type { Listener } from '../../src/listen/listener.ts'
import { takeOne } from '../../src/listen/protocols/one-message.ts'
import type { Intake, Protocol } from '../../src/listen/protocols/protocol.ts'
import { StreamListener } from '../../src/listen/stream-listener.ts'
import { ProblemError } from '../../src/problems.ts'
import type { LogRecord } from '../../src/record.ts'
import { until } from '../until.ts'
import { listenerOnStandIns, noFiles, portOfListener } from './listener-on-stand-ins.ts'

const recordOf = (message: string): LogRecord => ({
  ...{ timestamp: 1, level: 'info', message, attributes: [] },
})

/** Takes bytes as one message; throws, as no decoder should, where they say so. */
const stumbling = (bytes: Buffer, intake: Intake) => {
  const message = String(bytes)
  if (message.includes('stumble')) throw new TypeError(`cannot read "${message}"`)
  intake.record(recordOf(message))
}

const protocol: Protocol = {
  name: 'stumbling',
  openStream: () => ({ read: stumbling, end: () => {}, heldBytes: 0 }),
  openDatagrams: () => ({ read: (bytes, _peer, intake) => stumbling(bytes, intake) }),
}

/** What a listener of `protocol` has stored, refused and said. */
function listenerOf(protocol: Protocol, transport: 'tcp' | 'udp', store = async () => {}) {
  const stored: string[] = []
  const { listener, refused, said } = listenerOnStandIns(protocol, transport, {
    async records(records) {
      await store()
      stored.push(...records.map(({ message }) => message))
    },
    batch: () => assert.fail('nothing has a body'),
  })
  return { listener, stored, refused, said }
}

async function listening(t: Test, listener: Listener): Promise<number> {
  const isStream = listener.setting.transport === 'tcp'
  const open = isStream ? new StreamListener(listener, noFiles) : new DatagramListener(listener)
  await open.listen()
  t.teardown(() => open.close())
  return portOfListener(listener)
}

/** Sends each as a datagram; the next when the one before has arrived. */
async function sendDatagrams(port: number, texts: readonly string[], arrived: () => number) {
  const socket = createSocket('udp4')
  for (const [i, text] of texts.entries()) {
    socket.send(text, port, '127.0.0.1')
    await until(() => arrived() > i)
  }
  socket.close()
}

t.test('a datagram at which the decoder stumbles is counted, and the next are read', async t => {
  const { listener, stored, refused, said } = listenerOf(protocol, 'udp')
  const port = await listening(t, listener)
  const texts = ['first', 'stumble', 'stumble again', 'last']
  await sendDatagrams(port, texts, () => stored.length + refused.length)
  t.same(stored, ['first', 'last'])
  t.same(refused, ['internal 1', 'internal 1'])
  t.equal(said.length, 1, 'said once a minute')
  t.match(said[0], { reason: 'internal', err: { message: 'cannot read "stumble"', stack: String } })
})

t.test('a mistake while storing costs the datagram', async t => {
  let calls = 0
  const { listener, stored, refused, said } = listenerOf(protocol, 'udp', async () => {
    if (++calls === 1) throw new RangeError('a mistake of the store')
    if (calls === 2) throw new ProblemError('storage_failed', 'the disk is gone')
  })
  const port = await listening(t, listener)
  await sendDatagrams(port, ['a', 'b', 'c'], () => stored.length + refused.length)
  t.same(stored, ['c'])
  t.same(refused, ['internal 1', 'storage 1'])
  t.match(said[0], { err: { message: 'a mistake of the store' } })
})

/** Sends in a connection of its own; resolves with whether the service has ended it in order. */
async function sendInConnection(port: number, text: string): Promise<boolean> {
  const socket = connect(port, '127.0.0.1').resume()
  const isReset = once(socket, 'error').then(() => false)
  const isEnded = once(socket, 'end').then(() => true)
  socket.end(text)
  return Promise.race([isEnded, isReset])
}

t.test('a connection at which the decoder stumbles is reset, and no other', async t => {
  const { listener, stored, refused, said } = listenerOf(protocol, 'tcp')
  const port = await listening(t, listener)
  t.equal(await sendInConnection(port, 'first'), true)
  t.equal(await sendInConnection(port, 'stumble'), false)
  t.equal(await sendInConnection(port, 'last'), true)
  t.same(stored, ['first', 'last'])
  t.same(refused, ['internal 1'])
  t.match(said, [{ reason: 'internal', err: { message: 'cannot read "stumble"' } }])
})

t.test('so is one whose reader cannot even be made', async t => {
  let opened = 0
  const openStream = () => {
    if (++opened === 1) throw new TypeError('no reader')
    return protocol.openStream()
  }
  const { listener, stored, refused } = listenerOf({ ...protocol, openStream }, 'tcp')
  const port = await listening(t, listener)
  t.equal(await sendInConnection(port, 'first'), false)
  t.equal(await sendInConnection(port, 'second'), true)
  t.same(stored, ['second'])
  t.same(refused, ['internal 1'])
})

t.test('of messages in one read, the one at which the decoder stumbles is left out', async t => {
  const intake = new GatheredIntake(1)
  const mistake = new TypeError('a mistake')
  const take = (read: () => LogRecord) => takeOne(intake, read, ({ code }) => code as 'torn')
  take(() => recordOf('first'))
  take(() => {
    throw mistake
  })
  take(() => {
    throw new TypeError('another')
  })
  take(() => {
    throw new ProblemError('json_invalid', 'of its sender')
  })
  take(() => recordOf('last'))
  t.same(
    intake.records.map(({ message }) => message),
    ['first', 'last'],
  )
  t.same(
    [...intake.refusals],
    [
      ['internal', 2],
      ['json_invalid', 1],
    ],
  )
  t.equal(intake.mistake, mistake, 'the first is told')
})
