/**
 * A name that has one address when it is looked at and another one a moment later, by a resolver of the
 * test's own. 127.0.0.2, which is allowed, stands for a public address, 127.0.0.1 for the private one.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, type Server, type Socket, createServer as socketServer } from 'node:net'
import t, { type Test } from 'tap'
import { Addresses } from '../../src/alerts/deliver/addresses.ts'
import { sendEmail } from '../../src/alerts/deliver/email.ts'
import { post } from '../../src/alerts/deliver/post.ts'

const publicAddress = '127.0.0.2'
const privateAddress = '127.0.0.1'

const web = () => createServer((_, response) => response.end('ok'))

/** Takes any mail. */
const mail = () =>
  socketServer(socket => {
    socket.write('220 here\r\n')
    socket.on('data', data => answerMail(socket, String(data)))
  })

function answerMail(socket: Socket, said: string): void {
  if (/^QUIT/.test(said)) socket.end('221 bye\r\n')
  else socket.write(/^DATA/.test(said) ? '354 go on\r\n' : '250 fine\r\n')
}

/** Servers on one port of both addresses, and a name that is found at the next of `answers` each time. */
async function turning(t: Test, answers: readonly string[], serverOf: () => Server = web) {
  const reached: string[] = []
  const listen = async (address: string, port: number) => {
    const server = serverOf().listen(port, address)
    server.on('connection', () => reached.push(address))
    t.teardown(() => server.close())
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(privateAddress, 0)
  await listen(publicAddress, port)
  let asked = 0
  const addresses = new Addresses([publicAddress], (_host, _options, callback) => {
    callback(null, [{ address: answers[asked++] ?? privateAddress, family: 4 }])
  })
  const wire = { addresses, timeoutMs: 2_000, signal: new AbortController().signal }
  return { port, reached, wire, askedCount: () => asked }
}

t.test('of a name that turns, no webhook goes to where it must not', async t => {
  const { port, reached, wire, askedCount } = await turning(t, [publicAddress])
  const posted = { url: `http://turning.example:${port}/hook`, body: '{}' }
  t.equal(await post(posted, wire), 'ok')
  t.equal(askedCount(), 1, 'it was looked up for the connection, and for nothing else')
  await t.rejects(post(posted, wire), /turning\.example is a private address/)
  t.same(reached, [publicAddress])
})

t.test('nor does any mail', async t => {
  const { port, reached, wire, askedCount } = await turning(t, [publicAddress], mail)
  const base = { host: 'turning.example', port, from: 'a@b', to: ['c@d'] }
  const email = { ...base, tls: 'none' as const }
  const context = { ...wire, publicUrl: '', now: Date.now, resendMs: 1 }
  const rule = { id: 'r', name: 'R', query: 'logs', message: '', windowMs: 1, delayMs: 0 }
  const alert = { state: 'firing', labels: {}, value: 1, startsAt: 0, fingerprint: 'f' }
  const content = { kind: 'alerts', rule, count: 1, alerts: [alert] }
  const notice = { id: '1', key: 'k', createdAt: 0, content, waiting: [] } as never
  await sendEmail(email, notice, context)
  t.same([reached, askedCount()], [[publicAddress], 1], 'on the connection that was looked up')
  await t.rejects(sendEmail(email, notice, context), /turning\.example is a private address/)
  t.same([reached, askedCount()], [[publicAddress], 2])
})

t.test('of several addresses only those are tried that may be reached', async t => {
  const { port, reached, wire } = await turning(t, [])
  const addresses = new Addresses([publicAddress], (_host, _options, callback) => {
    const both = [privateAddress, publicAddress]
    callback(
      null,
      both.map(address => ({ address, family: 4 })),
    )
  })
  t.equal(await post({ url: `http://two.example:${port}/` }, { ...wire, addresses }), 'ok')
  t.same(reached, [publicAddress])
})
