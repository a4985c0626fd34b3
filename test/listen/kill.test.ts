/**
 * `kill -9` while a connection is at work. Syslog and GELF have no acknowledgements: what is there afterwards is
 * what was sent first, each message once, without a hole. Of forward every chunk that was acknowledged is there.
 */
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import t from 'tap'
import { makeCertificate, noOpenssl } from '../service/certificate.ts'
import { type ServiceProcess, startServiceOf } from '../service/service-process.ts'
import { messageOf as forwardMessage, pack } from './forward-messages.ts'
import { connect, recordsOf, startShopListening } from './listening-service.ts'

/** The numbers at the end of all messages, in their order. */
async function numbersIn(service: ServiceProcess): Promise<number[]> {
  const records: { message: string }[] = await service.exported('logs')
  return records.map(({ message }) => Number(message.split(' ').at(-1))).sort((a, b) => a - b)
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

/**
 * Closes the connection when the service has gone. What it had not read makes that a reset; when it had read
 * all, it is an end like any other, after which a half-open connection would wait for ever.
 */
function endWithService(socket: Socket): void {
  socket.on('error', () => {})
  socket.on('end', () => socket.destroy())
  socket.resume()
}

const syslogLine = (number: number) => `<14>1 - - - - - - message ${number}\n`
const gelfMessage = (number: number) =>
  `{"version":"1.1","host":"web-1","short_message":"message ${number}"}\0`

const senders = [
  { protocol: 'syslog', transport: 'tcp', messageOf: syslogLine },
  { protocol: 'syslog', transport: 'tls', messageOf: syslogLine },
  { protocol: 'gelf', transport: 'tcp', messageOf: gelfMessage },
  { protocol: 'gelf', transport: 'tls', messageOf: gelfMessage },
] as const

for (const { protocol, transport, messageOf } of senders) {
  t.test(
    `${protocol} by ${transport}: a beginning is kept, without a hole`,
    { skip: noOpenssl },
    async t => {
      const directory = t.testdir({ data: {} })
      const { cert, key, pem } = makeCertificate(directory)
      const data = join(directory, 'data')
      const flags = ['--listen-tls-cert', cert, '--listen-tls-key', key]
      const service = await startShopListening(t, data, [[protocol, transport]], flags)
      const port = service.port(protocol, transport)
      const socket =
        transport === 'tcp' ? connect(port) : connectTls({ port, host: '127.0.0.1', ca: pem })
      let isOpen = true
      let goOn = () => {}
      endWithService(socket)
      socket.on('drain', () => goOn())
      socket.on('close', () => {
        isOpen = false
        goOn()
      })
      let sent = 0
      const send = async () => {
        while (isOpen) {
          const messages = Array.from({ length: 100 }, () => messageOf(sent++))
          const drained = new Promise<void>(resolve => {
            goOn = resolve
          })
          if (!socket.write(messages.join(''))) await drained
        }
      }
      const sending = send()
      await recordsOf(service, 'logs', 2_000)
      await service.end('SIGKILL')
      await sending
      const again = await startServiceOf(t, data)
      const numbers = await numbersIn(again)
      t.ok(numbers.length >= 2_000 && numbers.length <= sent, `${numbers.length} of ${sent}`)
      t.same(numbers, upTo(numbers.length))
    },
  )
}

t.test('forward: what was acknowledged is there', async t => {
  const data = t.testdir()
  const service = await startShopListening(t, data, [['forward', 'tcp']])
  const socket = connect(service.port('forward', 'tcp'))
  endWithService(socket)
  let acknowledged = 0
  let sent = 0
  const send = () => {
    const time = pack(1_795_212_855)
    const entries = upTo(50).map(() => ({ time, record: { message: `number ${sent++}` } }))
    socket.write(forwardMessage('packed', 'app', entries, { chunk: `${sent}` }))
  }
  const ended = new Promise(resolve => socket.on('close', resolve))
  let killed: Promise<unknown> | undefined
  socket.on('data', bytes => {
    // Each answer is a map of one text: as many as there are names in it.
    const acks = bytes.toString('latin1').split('ack').length - 1
    acknowledged += 50 * acks
    for (let i = 0; i < acks; i++) send()
    if (acknowledged >= 2_000) killed ??= service.end('SIGKILL')
  })
  for (let i = 0; i < 4; i++) send()
  await ended
  await killed
  const again = await startServiceOf(t, data)
  const numbers = await numbersIn(again)
  t.ok(
    acknowledged >= 2_000 && numbers.length >= acknowledged,
    `${numbers.length}, ${acknowledged}`,
  )
  t.same(numbers, upTo(numbers.length))
})
