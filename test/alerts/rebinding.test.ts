/**
 * A name that has one address when it is looked at and another one a moment later, by a resolver of the
 * test's own. 127.0.0.2, which is allowed, stands for a public address, 127.0.0.1 for the private one.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { Addresses } from '../../src/alerts/deliver/addresses.ts'
import { sendEmail } from '../../src/alerts/deliver/email.ts'
import { post } from '../../src/alerts/deliver/post.ts'

const publicAddress = '127.0.0.2'
const privateAddress = '127.0.0.1'

/** Servers on one port of both addresses, and a name that is found at the next of `answers` each time. */
async function turning(t: Test, answers: readonly string[]) {
  const reached: string[] = []
  const listen = async (address: string, port: number) => {
    const server = createServer((_, response) => response.end('ok')).listen(port, address)
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
  const { port, reached, wire, askedCount } = await turning(t, [])
  const email = { host: 'turning.example', port, tls: 'none', from: 'a@b', to: ['c@d'] } as const
  const context = { ...wire, publicUrl: '', now: Date.now, resendMs: 1 }
  await t.rejects(
    sendEmail({ ...email, to: ['c@d'] }, {} as never, context),
    /turning\.example is a private address/,
  )
  t.same([reached, askedCount()], [[], 1])
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
