import { randomBytes } from 'node:crypto'
import zlib from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import {
  type ContentEncoding,
  readContentEncoding,
} from '../../../src/http/body/content-encoding.ts'
import { post } from '../call.ts'
import { ingestionSecret, startServer } from '../stand-ins.ts'
import { decodeBody } from './decode.ts'

const encoders = {
  identity: (body: Buffer) => body,
  gzip: (body: Buffer) => zlib.gzipSync(body),
  deflate: (body: Buffer) => zlib.deflateSync(body),
  zstd: (body: Buffer) => zlib.zstdCompressSync(body),
} satisfies Record<ContentEncoding, (body: Buffer) => Buffer>

const mib = 1024 * 1024
/** No encoding makes it smaller, so that it is decoded in the background. */
const noise = randomBytes(10_000)

const compressions = ['gzip', 'deflate', 'zstd'] as const

t.test('every encoding is undone, at once and in the background', async t => {
  const bytes = fc.uint8Array({ maxLength: 20_000 })
  const encoding = fc.constantFrom(...compressions)
  const isUndone = fc.asyncProperty(
    bytes,
    encoding,
    fc.boolean(),
    async (bytes, encoding, isLarge) => {
      const body = Buffer.concat([bytes, isLarge ? noise : ''].map(part => Buffer.from(part)))
      const decoding = decodeBody(encoding, encoders[encoding](body), mib)
      return (await decoding).equals(body) && (decoding instanceof Promise || !isLarge)
    },
  )
  await t.resolves(fc.assert(isUndone, { numRuns: 60 }))
})

t.test('every truncation of a compressed body is refused', async t => {
  const body = Buffer.from(JSON.stringify({ text: 'abc '.repeat(50), n: 1, id: 'f3a9' }))
  for (const encoding of compressions) {
    const encoded = encoders[encoding](body)
    for (let length = 1; length < encoded.length; length += 1) {
      const cut = encoded.subarray(0, length)
      const name = `${encoding}, ${length} of ${encoded.length} bytes`
      t.throws(() => decodeBody(encoding, cut, mib), { code: 'encoding_broken' }, name)
    }
    const cut = encoders[encoding](noise).subarray(0, -1)
    await t.rejects(async () => decodeBody(encoding, cut, mib), { code: 'encoding_broken' })
  }
})

t.test(
  'several compressed parts are one body, and anything else behind the end is refused',
  async t => {
    const second = Buffer.from('{"a":2}\n')
    for (const first of [Buffer.from('{"a":1}\n'), noise]) {
      for (const encoding of ['gzip', 'zstd'] as const) {
        const encoded = Buffer.concat([encoders[encoding](first), encoders[encoding](second)])
        t.same(await decodeBody(encoding, encoded, mib), Buffer.concat([first, second]), encoding)
      }
      for (const encoding of compressions) {
        const encoded = Buffer.concat([encoders[encoding](first), Buffer.from('more')])
        const decoding = async () => decodeBody(encoding, encoded, mib)
        await t.rejects(decoding, { code: 'encoding_broken' }, encoding)
      }
    }
  },
)

t.test('the limit holds for the decoded size, to the byte', async t => {
  for (const limit of [1_000, 2 * mib]) {
    for (const encoding of compressions) {
      const fits = encoders[encoding](Buffer.alloc(limit, 'a'))
      t.equal((await decodeBody(encoding, fits, limit)).length, limit)
      const tooLarge = encoders[encoding](Buffer.alloc(limit + 1, 'a'))
      const decoding = async () => decodeBody(encoding, tooLarge, limit)
      await t.rejects(decoding, { code: 'body_too_large' }, encoding)
    }
  }
  const half = encoders.zstd(Buffer.alloc(501))
  const both = Buffer.concat([half, half])
  t.throws(() => decodeBody('zstd', both, 1_000), { code: 'body_too_large' }, 'over all frames')
})

t.test(
  'a small body is decoded at once, whatever the limit, unless it becomes a large one',
  async t => {
    for (const encoding of compressions) {
      const small = decodeBody(encoding, encoders[encoding](Buffer.alloc(mib)), 64 * mib)
      t.ok(Buffer.isBuffer(small), encoding)
      const large = decodeBody(encoding, encoders[encoding](Buffer.alloc(mib + 1)), 64 * mib)
      t.ok(large instanceof Promise, encoding)
      t.equal((await large).length, mib + 1, encoding)
    }
  },
)

t.test('what says that it becomes large is not begun on the main thread', async t => {
  const broken = encoders.gzip(Buffer.alloc(2 * mib))
  t.ok(broken.length < 8 * 1024, 'small enough to be decoded at once')
  broken[10]! ^= 0xff // Its first byte behind the header: begun here, it would be refused at once.
  const decoding = decodeBody('gzip', broken, 4 * mib)
  t.ok(decoding instanceof Promise)
  await t.rejects(async () => decoding, { code: 'encoding_broken' })
})

t.test('deflate without its header is taken too', async t => {
  for (const body of [Buffer.from('{"a":1}'), noise]) {
    t.same(await decodeBody('deflate', zlib.deflateRawSync(body), mib), body)
  }
})

t.test('an encoding is known by its name in any case', async t => {
  const reads = (header: string, encoding: ContentEncoding) =>
    t.equal(readContentEncoding(header), encoding, header)

  reads('', 'identity')
  reads('identity', 'identity')
  reads('gzip', 'gzip')
  reads('GZIP', 'gzip')
  reads('x-gzip', 'gzip')
  reads('Deflate', 'deflate')
  reads('zstd', 'zstd')
})

t.test('an unknown encoding is refused', async t => {
  const refuses = (header: string) =>
    t.throws(() => readContentEncoding(header), { code: 'content_encoding' }, header)

  refuses('br')
  refuses('compress')
  refuses('gzip, gzip')
  refuses('gzip;q=1')
  refuses('x'.repeat(3_000))
})

const send = (url: string, encoding: string, body: Buffer, path = 'log') =>
  post(`${url}/api/v1/webhook/event/${path}`, ingestionSecret, body, {
    headers: { 'Content-Encoding': encoding },
  })

t.test('over HTTP, a compressed event is taken as what it decodes to', async t => {
  const { url, ingested } = await startServer(t)
  const body = Buffer.from('{"message":"compressed"}')
  for (const [encoding, encode] of Object.entries(encoders)) {
    t.equal((await send(url, encoding, encode(body))).status, 200, encoding)
    t.same(ingested.pop(), body)
  }
})

t.test('over HTTP, a broken body is 400 and an unknown encoding 415', async t => {
  const { url, ingested } = await startServer(t)
  for (const encoding of compressions) {
    const response = await send(url, encoding, Buffer.from('{"message":"plain"}'))
    t.equal(response.status, 400, encoding)
    t.match(await response.json(), { code: 'encoding_broken', field: 'Content-Encoding' })
  }
  const unknown = await send(url, 'br', zlib.brotliCompressSync('{}'))
  t.equal(unknown.status, 415)
  t.equal(unknown.headers.get('accept-encoding'), 'gzip, deflate, zstd, identity')
  t.match(await unknown.json(), { code: 'content_encoding' })
  t.same(ingested, [])
})

t.test('over HTTP, a bomb is 413 and takes no memory to speak of', async t => {
  const { url, ingested } = await startServer(t)
  const zeros = Buffer.alloc(128 * mib)
  const bombs = { gzip: zlib.gzipSync(zeros), zstd: zlib.zstdCompressSync(zeros) }
  const residentBefore = process.memoryUsage().rss
  for (const [encoding, bomb] of Object.entries(bombs)) {
    t.equal((await send(url, encoding, bomb, 'logs')).status, 413, encoding)
  }
  const small = zlib.zstdCompressSync(Buffer.alloc(10 * mib))
  t.equal((await send(url, 'zstd', small)).status, 413)
  t.ok(process.memoryUsage().rss - residentBefore < 64 * mib)
  t.same(ingested, [])
})

t.test('over HTTP, a body that does not compress has the whole limit', async t => {
  const { url, ingested } = await startServer(t)
  const noise = Buffer.from(Array.from({ length: 1_000 }, (_, index) => (index * index * 31) % 251))
  const stored = zlib.gzipSync(noise, { level: 0 })
  t.ok(stored.length > noise.length)
  t.equal((await send(url, 'gzip', stored)).status, 200)
  t.same(ingested.pop(), noise)
})
