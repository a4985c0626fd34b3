/** The client of the benchmarks, against servers that answer as a service does, or wrongly. */
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { Client } from '../../bench/client.ts'
import { listening } from '../listening.ts'

async function clientOf(t: Test, answer: RequestListener, connections?: number) {
  const server = createServer(answer)
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket))
  const { url } = await listening(t, server)
  const client = new Client(url, connections)
  t.teardown(() => client.close())
  return { client, sockets }
}

t.test('a request goes out whole, and its answer comes back, on one connection', async t => {
  const { client, sockets } = await clientOf(t, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { authorization, 'content-type': type, 'content-encoding': encoding } = request.headers
    const body = Buffer.concat(chunks).toString()
    const { method, url } = request
    response.end(JSON.stringify({ method, url, authorization, type, encoding, body }))
  })
  const body = 'α'.repeat(200_000)
  const headers = { method: 'POST', url: '/x?y=1', authorization: 'Bearer secret' }
  t.same(JSON.parse(await client.post('/x?y=1', 'secret', 'text/plain', body)), {
    ...headers,
    type: 'text/plain',
    body,
  })
  const bytes = Buffer.from(body)
  t.same(JSON.parse(await client.post('/x?y=1', 'secret', 'text/plain', bytes, 'gzip')), {
    ...headers,
    type: 'text/plain',
    encoding: 'gzip',
    body,
  })
  t.match(await client.postJson('/x', 'secret', { a: 1 }), { body: '{"a":1}' })
  t.same(JSON.parse(await client.get('/ready')), { method: 'GET', url: '/ready', body: '' })
  const got = { method: 'GET', url: '/x', authorization: 'Bearer secret', body: '' }
  t.same(JSON.parse(await client.get('/x', 'secret')), got)
  t.equal(sockets.size, 1)
})

t.test('what is not 2xx fails, and says what was answered', async t => {
  const { client } = await clientOf(t, (_, response) => {
    response.writeHead(503).end('no room')
  })
  await t.rejects(client.get('/ready'), { message: 'GET /ready was answered 503: no room' })
})

t.test('as many requests as there are connections are under way, others wait', async t => {
  const held: ServerResponse[] = []
  let most = 0
  const answerThree = () => {
    most = Math.max(most, held.length)
    if (held.length >= 3) for (const response of held.splice(0)) response.end('done')
  }
  const hold: RequestListener = (_, response) => {
    held.push(response)
    setImmediate(() => setImmediate(answerThree)) // A fourth would be here by then.
  }
  const { client, sockets } = await clientOf(t, hold, 3)
  const answers = await Promise.all(Array.from({ length: 21 }, () => client.get('/')))
  t.same(new Set(answers), new Set(['done']))
  t.equal(most, 3)
  t.equal(sockets.size, 3)
})

t.test('a connection that the service closed while nobody asked is replaced', async t => {
  const { client, sockets } = await clientOf(t, (_, response) => response.end('here'))
  await client.get('/')
  const closed = [...sockets].map(socket => once(socket, 'close'))
  for (const socket of sockets) socket.end()
  await Promise.all(closed)
  t.equal(await client.get('/'), 'here')
  t.equal(sockets.size, 2)
})

t.test('so is one whose answer said that it is the last', async t => {
  const { client, sockets } = await clientOf(t, (_, response) => {
    response.writeHead(200, { Connection: 'close' }).end('here')
  })
  t.same(await Promise.all([client.get('/'), client.get('/')]), ['here', 'here'])
  t.equal(sockets.size, 2)
})

/** Writes these texts to whoever asks, and then closes the connection. */
async function clientToldOf(t: Test, ...texts: readonly string[]) {
  const server = createSocketServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => {
      for (const text of texts) socket.write(text)
      socket.end()
    })
  })
  const { url } = await listening(t, server)
  const client = new Client(url)
  t.teardown(() => client.close())
  return client
}

t.test('what is no whole answer fails', async t => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n'
  const fails = async (message: RegExp, ...texts: readonly string[]) =>
    t.rejects((await clientToldOf(t, ...texts)).get('/'), { message })
  t.equal(await (await clientToldOf(t, `${head}abc`)).get('/'), 'abc')
  await fails(/closed the connection/, `${head}ab`)
  await fails(/closed the connection/)
  await fails(/2 bytes came behind an answer/, `${head}abcde`)
  await fails(/an answer began "SSH-2"/, 'SSH-2\r\n\r\n')
})

t.test('what is under way when the client is closed fails, and so does what waits', async t => {
  const { client } = await clientOf(t, () => {})
  const asked = [client.get('/'), client.get('/')]
  client.close()
  for (const one of asked) await t.rejects(one, { message: 'the client was closed' })
})
