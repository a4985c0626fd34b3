import { request } from 'node:http'
import t from 'tap'
import { ProblemError } from '../../../src/problems.ts'
import { connectRaw, readToEnd, until } from '../raw-client.ts'
import { connectDeaf, decodeChunks, startStreamServer } from './stream-server.ts'

async function* these(...chunks: readonly (string | Uint8Array)[]) {
  yield* chunks
}

/** Never ends by itself; `chunkBytes` of `x` at a time. */
async function* endless(chunkBytes: number) {
  const chunk = Buffer.alloc(chunkBytes, 'x')
  for (;;) yield chunk
}

async function* failing(error: Error, ...chunks: readonly string[]) {
  yield* chunks
  throw error
}

const never = new Promise<never>(() => undefined)

t.test('a stream arrives whole, texts and bytes of every size', async t => {
  const big = 'µ'.repeat(3_000_000)
  const chunks = ['a', '', new Uint8Array([98]), big, 'x'.repeat(16 * 1024), 'end']
  const server = await startStreamServer(t, () => these(...chunks))
  const response = await fetch(`${server.url}/stream`)
  t.equal(response.headers.get('content-type'), 'text/plain')
  t.equal(response.headers.get('content-length'), null)
  t.ok((await response.text()) === `ab${big}${'x'.repeat(16 * 1024)}end`)
  t.equal((await fetch(`${server.url}/small`)).status, 200, 'the connection goes on')
  t.same(server.seen.returns, 0, 'it ended by itself')
  t.match([...server.answers()], [{ path: '/stream', status: 200, count: 1 }])
})

t.test('a stream without a chunk is an empty body', async t => {
  const server = await startStreamServer(t, () => these())
  const response = await fetch(`${server.url}/stream`)
  t.equal(response.status, 200)
  t.equal(await response.text(), '')
})

t.test('HEAD gets the headers, and lets go of the stream', async t => {
  const server = await startStreamServer(t, () => endless(10))
  const response = await fetch(`${server.url}/stream`, { method: 'HEAD' })
  t.equal(response.status, 200)
  t.equal(response.headers.get('content-type'), 'text/plain')
  t.same([server.seen.nexts, server.seen.returns], [0, 1])
})

t.test('the first chunk leaves at once, though the second never comes', async t => {
  async function* live() {
    yield 'first'
    await never
  }
  const server = await startStreamServer(t, live)
  const leaving = new AbortController()
  const response = await fetch(`${server.url}/stream`, { signal: leaving.signal })
  const { value } = await response.body!.getReader().read()
  t.equal(Buffer.from(value!).toString(), 'first')
  leaving.abort()
})

t.test('a client that does not read is not read for', async t => {
  const chunkBytes = 256 * 1024
  const server = await startStreamServer(t, () => endless(chunkBytes))
  const socket = await connectDeaf(server.port)
  let before = -1
  while (server.seen.nexts !== before || before < 2) {
    before = server.seen.nexts
    await new Promise(resolve => setTimeout(resolve, 100)) // The kernel's buffers grow for a while.
  }
  t.ok(before < 100, `${before} chunks asked for: what the kernel's buffers hold`)
  socket.resume()
  await until(() => server.seen.nexts > before + 100)
  socket.destroy()
  await until(() => server.seen.returns === 1)
})

t.test('a slow reader gets everything', async t => {
  const lengths = [300_000, 10, 70_000, 16_000, 1, 16_385, 65_536 + 16, 9]
  const chunks = Array.from({ length: 200 }, (_, index) =>
    String.fromCharCode(97 + (index % 26)).repeat(lengths[index % lengths.length]!),
  )
  const server = await startStreamServer(t, () => these(...chunks))
  const socket = await connectRaw(server.port, 'GET /stream HTTP/1.1\r\nHost: test\r\n\r\n')
  socket.pause()
  const end = '\r\n0\r\n\r\n'
  const pieces: string[] = []
  // Looked for in what came last: all of it would be copied to one text for each look.
  for (let last = ''; last !== end; ) {
    const piece = (socket.read() ?? '').toString()
    pieces.push(piece)
    last = (last + piece).slice(-end.length)
    await new Promise(resolve => setTimeout(resolve, 3))
  }
  const { body, isWhole } = decodeChunks(pieces.join(''))
  t.ok(isWhole)
  t.ok(body === chunks.join(''))
  socket.destroy()
})

t.test('what a full socket did not take follows also when the stream falls quiet', async t => {
  const chunkBytes = 8 * 1024
  let isQuiet = false
  let yielded = 0
  const server = await startStreamServer(t, async function* () {
    const chunk = Buffer.alloc(chunkBytes, 'x')
    for (; !isQuiet; yielded += chunkBytes) yield chunk
    await never
  })
  const socket = await connectDeaf(server.port)
  for (let before = -1; before < yielded || yielded === 0; ) {
    before = yielded
    await new Promise(resolve => setTimeout(resolve, 100)) // The kernel's buffers grow for a while.
  }
  isQuiet = true
  let length = 0
  socket.on('data', data => {
    length += data.length
  })
  socket.resume()
  // The chunk that was not taken is yielded, too, as soon as the stream is asked for the next one.
  await until(() => length > yielded)
  t.ok(length > yielded, 'all of it, and what HTTP puts around')
  socket.destroy()
})

t.test('an error before the first chunk is a problem like any other', async t => {
  const server = await startStreamServer(t, () =>
    failing(new ProblemError('query_timeout', 'late')),
  )
  const response = await fetch(`${server.url}/stream`)
  t.equal(response.status, 503)
  t.match(await response.json(), { code: 'query_timeout' })
  t.same(server.seen.returns, 0)
  t.same(server.seen.logged, [])
})

t.test('an error after the first chunk breaks the connection off', async t => {
  const failure = new Error('late')
  const server = await startStreamServer(t, () => failing(failure, 'first'))
  const text = async () => (await fetch(`${server.url}/stream`)).text()
  await t.rejects(text(), 'no client takes the part for the whole')
  await until(() => server.underWayCount === 0)
  t.match(server.seen.logged, [{ err: failure, path: '/stream' }])
  t.match([...server.answers()], [{ path: '/stream', status: 500, count: 1 }])

  const raw = await readToEnd(
    await connectRaw(server.port, 'GET /stream HTTP/1.1\r\nHost: test\r\n\r\n'),
  )
  t.equal(decodeChunks(raw).isWhole, false)
})

t.test('a client that goes ends the iterator once, and its request only with it', async t => {
  const released = Promise.withResolvers<void>()
  const signals: AbortSignal[] = []
  const server = await startStreamServer(t, async function* ({ signal }) {
    const aborted = Promise.withResolvers<void>()
    signals.push(signal())
    signal().addEventListener('abort', () => aborted.resolve())
    try {
      yield 'first'
      await aborted.promise
    } finally {
      await released.promise
    }
  })
  const leaving = new AbortController()
  await fetch(`${server.url}/stream`, { signal: leaving.signal })
  leaving.abort()
  await until(() => server.seen.returns === 1)
  t.equal(signals[0]?.aborted, true)
  t.equal(server.underWayCount, 1)
  released.resolve()
  await until(() => server.underWayCount === 0)
  t.equal(server.seen.returns, 1)
  t.match([...server.answers()], [{ path: '/stream', status: 499, count: 1 }])
  t.same(server.seen.logged, [])
})

t.test('a stream that never waits leaves other requests their turns', async t => {
  const server = await startStreamServer(t, () => endless(1))
  const leaving = new AbortController()
  await fetch(`${server.url}/stream`, { signal: leaving.signal })
  t.equal(await (await fetch(`${server.url}/small`)).text(), 'small')
  leaving.abort()
  await until(() => server.underWayCount === 0)
})

t.test('a client that goes while the stream waits for room ends it too', async t => {
  const server = await startStreamServer(t, () => endless(100_000))
  const socket = await connectDeaf(server.port)
  await until(() => server.seen.nexts > 3)
  socket.destroy()
  await until(() => server.underWayCount === 0)
  t.equal(server.seen.returns, 1)
})

t.test('what the iterator throws when it is stopped is logged', async t => {
  const failure = new Error('cannot let go')
  const server = await startStreamServer(t, () => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ value: 'x' }),
      return: () => Promise.reject(failure),
    }),
  }))
  const leaving = new AbortController()
  await fetch(`${server.url}/stream`, { signal: leaving.signal })
  leaving.abort()
  await until(() => server.underWayCount === 0)
  t.match(server.seen.logged, [{ err: failure }])
})

t.test('a reader that takes nothing is cut off after the stall time', async t => {
  const server = await startStreamServer(t, () => endless(100_000), { streamStallMs: 200 })
  const socket = await connectDeaf(server.port)
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.on('close', resolve)
  await until(() => server.seen.nexts > 3)
  await until(() => server.underWayCount === 0)
  t.equal(server.seen.returns, 1)
  t.match([...server.answers()], [{ status: 499, count: 1 }])
  socket.resume()
  await promise
})

t.test('a reader that takes a little at a time is not cut off', async t => {
  const server = await startStreamServer(t, () => endless(100_000), { streamStallMs: 400 })
  const answered = Promise.withResolvers<number>()
  const asked = request(`${server.url}/stream`, response => {
    response.pause()
    let taken = 0
    const timer = setInterval(() => {
      taken += (response.read() ?? '').length
      if (taken > 20_000_000) {
        clearInterval(timer)
        answered.resolve(taken)
      }
    }, 2)
    response.on('error', () => clearInterval(timer))
    response.on('close', () => answered.resolve(-1))
  })
  asked.on('error', () => undefined)
  asked.end()
  t.ok((await answered.promise) > 0)
  asked.destroy()
})
