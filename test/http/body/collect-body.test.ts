import t from 'tap'
import { collectBody } from '../../../src/http/body/collect-body.ts'
import { SharedReading } from '../../../src/http/body/shared-reading.ts'
import { ownMemory } from '../../../src/http/body/spare-buffers.ts'
import { limits } from '../../../src/limits.ts'
import { ProblemError } from '../../../src/problems.ts'
import { collectNow } from '../../../src/threads/garbage.ts'
import { post } from '../call.ts'
import { connectRaw, postHead, readToEnd, sendRaw, statusOf, until } from '../raw-client.ts'
import { config, ingestionSecret, keyOf, startServer } from '../stand-ins.ts'

const one = '/api/v1/webhook/event/log'
const many = '/api/v1/webhook/event/logs'
const headers = {
  Authorization: `Bearer ${ingestionSecret}`,
  'Content-Type': 'application/json',
}

/** A body that is sent in chunks, without a Content-Length. */
function chunked(bytes: number): RequestInit {
  const pieces = [new Uint8Array(Math.floor(bytes / 2)), new Uint8Array(Math.ceil(bytes / 2))]
  return { body: ReadableStream.from(pieces), duplex: 'half' }
}

t.test('a body of exactly the limit is taken, one more byte is 413', async t => {
  const { url, ingested } = await startServer(t)
  const isTaken = async (path: string, bytes: number, body: RequestInit) => {
    const response = await fetch(url + path, { method: 'POST', headers, ...body })
    t.equal(response.status, 200, `${path}, ${bytes} bytes`)
    t.equal(ingested.pop()?.length, bytes)
  }
  const isRefused = async (path: string, bytes: number, body: RequestInit) => {
    const response = await fetch(url + path, { method: 'POST', headers, ...body })
    t.equal(response.status, 413, `${path}, ${bytes} bytes`)
    t.equal(response.headers.get('connection'), 'close')
    t.match(await response.json(), { code: 'body_too_large' })
    t.same(ingested, [])
  }

  for (const [path, limit] of [
    [one, config.eventBytesMax],
    [many, config.batchBytesMax],
  ] as const) {
    await isTaken(path, limit, { body: Buffer.alloc(limit) })
    await isTaken(path, limit, chunked(limit))
    await isRefused(path, limit + 1, { body: Buffer.alloc(limit + 1) })
    await isRefused(path, limit + 1, chunked(limit + 1))
    await isRefused(path, 20 * limit, chunked(20 * limit))
  }
})

t.test('a small body in one piece is lent, and any other has memory of its own', async t => {
  const lentBytesMax = limits.lentBodyBytesMax
  const isLent = (...pieces: number[]) => {
    let give: ((chunk: ArrayBuffer, isLast: boolean) => void) | undefined
    let body: Buffer | undefined
    let isLentNow = false
    const announced = pieces.reduce((a, b) => a + b)
    collectBody(
      {
        onData: handler => {
          give = handler
          return undefined as never
        },
        pause: () => t.fail('so little is read at once'),
        resume: () => t.fail('nothing is paused'),
      },
      {
        announced,
        bytesMax: 1_000_000,
        lentBytesMax,
        turn: {
          lend(chunk) {
            isLentNow = true
            return Buffer.from(chunk)
          },
        },
        sharedReading: new SharedReading(),
        buffers: ownMemory,
        reserve: () => {},
        onBody: whole => {
          body = whole
        },
        onRefused: error => t.fail(String(error)),
      },
    )
    const chunks = pieces.map(bytes => new Uint8Array(bytes).fill(7).buffer)
    for (const [i, chunk] of chunks.entries()) give?.(chunk, i === chunks.length - 1)
    t.same(body, Buffer.alloc(announced, 7))
    return isLentNow
  }
  t.equal(isLent(lentBytesMax), true)
  t.equal(isLent(lentBytesMax + 1), false)
  t.equal(isLent(10, 10), false)
})

t.test('a body that is crowded out is read to its end, and none of it kept', async t => {
  const sharedReading = new SharedReading()
  for (let i = 0; i < 70; i++) {
    sharedReading.add({ pause: () => undefined, resume: () => undefined }, 1024 * 1024, 'kept')
  }
  const refusal = new ProblemError('ingest_overloaded', 'so many came')
  const piece = new Uint8Array(100_000).buffer
  const collect = (bytesMax: number) => {
    let give: ((chunk: ArrayBuffer, isLast: boolean) => void) | undefined
    const refused: [unknown, boolean][] = []
    collectBody(
      {
        onData: handler => {
          give = handler
          return undefined as never
        },
        pause: () => undefined as never,
        resume: () => undefined as never,
      },
      {
        announced: undefined,
        bytesMax,
        lentBytesMax: 0,
        turn: { lend: () => t.fail('it is not small') as never },
        sharedReading,
        buffers: ownMemory,
        reserve: () => t.fail('it needs no room'),
        crowdedOut: () => refusal,
        onBody: () => t.fail('it is not kept'),
        onRefused: (...how) => refused.push(how),
      },
    )
    return { give: (isLast: boolean) => give?.(piece, isLast), refused }
  }
  const whole = collect(1_000_000)
  for (let i = 0; i < 9; i++) whole.give(false)
  t.same(whole.refused, [], 'its sender does not read yet')
  whole.give(true)
  t.same(whole.refused, [[refusal, true]])
  const tooLong = collect(250_000)
  for (let i = 0; i < 4; i++) tooLong.give(false)
  t.match(tooLong.refused, [[{ code: 'body_too_large' }, false]])
})

t.test('of a body of which little has come, no more memory is taken than that', async t => {
  const arrayBytes = () => process.memoryUsage().arrayBuffers
  const announced = 8 * 1024 * 1024
  const first = new Uint8Array(100_000).buffer
  let reservedBytes = 0
  const askedBytes: number[] = []
  const begin = (isRefused: boolean) => {
    let give: ((chunk: ArrayBuffer, isLast: boolean) => void) | undefined
    collectBody(
      {
        onData: handler => {
          give = handler
          return undefined as never
        },
        pause: () => undefined as never,
        resume: () => undefined as never,
      },
      {
        announced,
        bytesMax: isRefused ? first.byteLength : announced,
        lentBytesMax: 0,
        turn: { lend: () => t.fail('it is not small') as never },
        sharedReading: new SharedReading(),
        buffers: {
          ...ownMemory,
          take: bytes => {
            askedBytes.push(bytes)
            return undefined
          },
        },
        reserve: bytes => {
          reservedBytes += bytes
        },
        onBody: () => t.fail('it is not whole'),
        onRefused: error => t.match(error, { code: 'body_too_large' }),
      },
    )
    give?.(first, false)
    return () => give?.(first, false)
  }
  // What others have left in this process is not to go meanwhile: what one collection has found is freed beside
  // all else, at the latest when the next one begins.
  for (let i = 0; i < 3; i++) collectNow('major')
  const beforeBytes = arrayBytes()
  const both = [begin(false), begin(true)]
  t.equal(reservedBytes, 2 * announced, 'room for all of it is asked for')
  const grownBytes = arrayBytes() - beforeBytes
  t.ok(grownBytes <= 3 * first.byteLength, `${grownBytes} bytes`)
  const firstBytes = first.byteLength
  t.same(askedBytes, [firstBytes, firstBytes], 'nor is what others may need for a whole one')
  for (const giveMore of both) giveMore()
  t.equal(askedBytes.at(-1), announced)
  const inAllBytes = arrayBytes() - beforeBytes
  t.ok(
    inAllBytes >= announced && inAllBytes < announced + first.byteLength / 2,
    `${inAllBytes} bytes`,
  )
})

t.test('a body of which half has come is not copied into other memory', async t => {
  let give: ((chunk: ArrayBuffer, isLast: boolean) => void) | undefined
  let body: Buffer | undefined
  const pieces = [Buffer.alloc(600_000, 'first'), Buffer.alloc(400_000, 'last')]
  collectBody(
    {
      onData: handler => {
        give = handler
        return undefined as never
      },
      pause: () => undefined as never,
      resume: () => undefined as never,
    },
    {
      announced: 1_000_000,
      bytesMax: 1_000_000,
      lentBytesMax: 0,
      turn: { lend: () => t.fail('it is not small') as never },
      sharedReading: new SharedReading(),
      buffers: ownMemory,
      reserve: () => {},
      onBody: whole => {
        body = whole
      },
      onRefused: error => t.fail(String(error)),
    },
  )
  const bytesOf = () => process.memoryUsage().arrayBuffers
  const [first, last] = pieces.map(piece => new Uint8Array(piece).buffer)
  const beforeBytes = bytesOf()
  give?.(first!, false)
  t.ok(bytesOf() - beforeBytes >= 1_000_000, 'there is room for all of it')
  const withRoomBytes = bytesOf()
  give?.(last!, true)
  t.equal(bytesOf(), withRoomBytes, 'and none besides')
  t.ok(body?.equals(Buffer.concat(pieces)))
})

t.test('a JSON body has its limit too', async t => {
  const { url } = await startServer(t)
  const ask = (bytes: number) => post(`${url}/api/v1/query/logs`, keyOf.viewer, '1'.padEnd(bytes))
  t.equal((await ask(limits.requestBodyBytesMax)).status, 400)
  t.equal((await ask(limits.requestBodyBytesMax + 1)).status, 413)
})

t.test('an announced length over the limit is refused before any of the body came', async t => {
  const { port } = await startServer(t)
  const head = postHead(one, ingestionSecret, [`Content-Length: ${config.eventBytesMax + 1}`])
  const socket = await connectRaw(port, head)
  const [received] = await new Promise<[string]>(resolve =>
    socket.once('data', data => resolve([String(data)])),
  )
  t.equal(statusOf(received), 413)
  socket.destroy()
})

t.test('of a refused body that is endless, no more is read', async t => {
  const server = await startServer(t)
  const length = `Content-Length: ${10 * limits.refusedBodyBytesMax}`
  const head = postHead(one, 'nobody', [length]).replace('Connection: close\r\n', '')
  const socket = await connectRaw(server.port, head)
  const received = new Promise<string>(resolve => socket.once('data', data => resolve(`${data}`)))
  t.equal(statusOf(await received), 401)
  const pending = 32 * 1024 * 1024
  socket.write(Buffer.alloc(pending))
  const isDrained = () => socket.writableLength === 0
  for (let turns = 0; turns < 100 && !isDrained(); turns += 1) {
    await fetch(`${server.url}/health`) // The server would have had every chance to read.
  }
  t.notOk(isDrained(), 'the rest stays with its sender')
  t.equal(server.underWayCount, 0)
  socket.destroy()
})

t.test('a body arrives as it was sent, whatever pieces it comes in', async t => {
  const { port, ingested } = await startServer(t)
  const body = Buffer.from(JSON.stringify({ text: 'é'.repeat(200), n: 1 }))
  const arrives = async (name: string, framed: Buffer[], extra: string[]) => {
    const socket = await connectRaw(port, postHead(one, ingestionSecret, extra))
    for (const piece of framed) {
      socket.write(piece)
      await new Promise(resolve => setImmediate(resolve))
    }
    t.equal(statusOf(await readToEnd(socket)), 200, name)
    t.same(ingested.pop(), body, name)
  }
  const pieces = (size: number) =>
    Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
      body.subarray(index * size, (index + 1) * size),
    )
  const length = [`Content-Length: ${body.length}`]
  await arrives('whole', [body], length)
  await arrives('byte by byte', pieces(1), length)
  await arrives('in sevens', pieces(7), length)
  const asChunks = (size: number) => [
    ...pieces(size).map(piece =>
      Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
    ),
    Buffer.from('0\r\n\r\n'),
  ]
  const transfer = ['Transfer-Encoding: chunked']
  await arrives('chunked, whole', asChunks(body.length), transfer)
  await arrives('chunked, in sevens', asChunks(7), transfer)
  await arrives('chunked, in one write', [Buffer.concat(asChunks(50))], transfer)
})

t.test('an upload that is cut off is not ingested and leaves nothing behind', async t => {
  const server = await startServer(t)
  const cutOff = async (head: string[], sent: string) => {
    const socket = await connectRaw(server.port, postHead(one, ingestionSecret, head) + sent)
    await until(() => server.underWayCount === 1)
    t.equal(server.awaitedCount, 1, 'who sends waits')
    socket.destroy()
    await until(() => server.underWayCount === 0)
  }
  await cutOff(['Content-Length: 100'], '')
  await cutOff(['Content-Length: 100'], '{"a":')
  await cutOff(['Transfer-Encoding: chunked'], '5\r\n{"a":\r\n')
  await cutOff(['Transfer-Encoding: chunked'], '7\r\n{"a":1}\r\n')
  t.same(server.ingested, [])
  t.match([...server.answers()], [{ method: 'POST', path: one, status: 499, count: 4 }])
})

t.test('while too much waits for the disk, senders are refused before their body came', async t => {
  const checkRoom = () => {
    throw new ProblemError('ingest_overloaded', 'too much waits', { retryAfterSeconds: 7 })
  }
  const { port, ingested } = await startServer(t, { ingest: { checkRoom } })
  for (const path of [one, many]) {
    // Of the announced body nothing is ever sent.
    const head = postHead(path, ingestionSecret, ['Content-Length: 1000'])
    const answer = await readToEnd(await connectRaw(port, head))
    t.equal(statusOf(answer), 429, path)
    t.match(answer, /\r\nRetry-After: 7\r\n/i)
    t.match(answer, /"code":"ingest_overloaded"/)
  }
  t.same(ingested, [])
})

t.test('an event whose body came whole is ingested though its sender left', async t => {
  let finish = () => {}
  const started: string[] = []
  const server = await startServer(t, {
    ingest: {
      one: body => {
        started.push(String(body))
        return new Promise(resolve => {
          finish = resolve
        })
      },
      batch: async () => ({ accepted: 0, rejected: 0, errors: [] }),
    },
  })
  const request = `${postHead(one, ingestionSecret, ['Content-Length: 2'])}{}`
  const socket = await connectRaw(server.port, request)
  await until(() => started.length === 1)
  socket.destroy()
  await sendRaw(server.port, 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  t.equal(server.underWayCount, 1, 'still under way')
  finish()
  await until(() => server.underWayCount === 0)
  t.same(started, ['{}'])
})

t.test('a sender that asks first may go on', async t => {
  const { port, ingested } = await startServer(t)
  const head = postHead(one, ingestionSecret, ['Expect: 100-continue', 'Content-Length: 2'])
  const socket = await connectRaw(port, head)
  const received = readToEnd(socket)
  await new Promise(resolve => socket.once('data', resolve))
  socket.write('{}')
  t.match(await received, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/)
  t.same(ingested.map(String), ['{}'])
})

t.test('bodies that arrive at the same time have a bound in common', async t => {
  const server = await startServer(t, { config: { ...config, pendingBytesMax: 1_500_000 } })
  const post = (body: Buffer) => fetch(server.url + many, { method: 'POST', headers, body })
  t.equal((await post(Buffer.alloc(3_000_000))).status, 200, 'alone, even beyond the bound')

  const upload = `${postHead(many, ingestionSecret, ['Content-Length: 1000000'])}[`
  const socket = await connectRaw(server.port, upload)
  await until(() => server.bodyBytesHeld === 2_000_000) // Itself, and what is made of it.
  const refused = await post(Buffer.alloc(1_000_000))
  t.equal(refused.status, 429)
  t.equal(refused.headers.get('retry-after'), '1')
  t.match(await refused.json(), { code: 'ingest_overloaded' })
  t.equal((await post(Buffer.alloc(1_000))).status, 200, 'a small one is not in the way')

  socket.destroy()
  await until(() => server.underWayCount === 0)
  t.equal(server.bodyBytesHeld, 0)
  t.equal((await post(Buffer.alloc(1_000_000))).status, 200, 'there is room again')
  t.equal(server.bodyBytesHeld, 0)
})
