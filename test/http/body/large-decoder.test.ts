/** Large bodies are decoded in a thread, into memory that goes round. */
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { Compression } from '../../../src/http/body/decoded-size.ts'
import { LargeDecoder } from '../../../src/http/body/large-decoder.ts'
import { BodyMemory } from '../../../src/ingest/body-memory.ts'
import { opened } from '../../../src/ingest/sealed-body.ts'
import { open, seal } from '../../../src/threads/sealed-memory.ts'

const mib = 1024 * 1024
const { signal } = new AbortController()

function start(t: Test) {
  const { spare, largeWork } = new BodyMemory(256 * mib)
  const decoder = new LargeDecoder(spare, largeWork)
  t.teardown(() => decoder.close())
  const decode = (encoding: Compression, body: Uint8Array, bytesMax: number, until = signal) =>
    decoder.decode(encoding, Buffer.from(new Uint8Array(body).buffer), bytesMax, until)
  return { spare, decode }
}

/** What each encoding makes of a body, in one part or, as most allow, in several. */
const encoders: readonly (readonly [Compression, (parts: readonly Buffer[]) => Buffer])[] = [
  ['gzip', parts => Buffer.concat(parts.map(part => gzipSync(part)))],
  ['zstd', parts => Buffer.concat(parts.map(part => zstdCompressSync(part)))],
  ['deflate', parts => deflateSync(Buffer.concat(parts))],
  ['deflate', parts => deflateRawSync(Buffer.concat(parts))],
]

t.test('what is decoded is not counted for the thread that only passes it on', async t => {
  const { decode } = start(t)
  const plain = Buffer.alloc(40 * mib, 'a body ')
  const decoded = (await decode('gzip', gzipSync(plain), 40 * mib))!
  const before = process.memoryUsage().external
  const body = opened(decoded)
  const more = process.memoryUsage().external - before
  t.ok(more > 30 * mib, `but for the one that opens it: ${more} bytes more`)
  t.ok(body.equals(plain))
})

t.test('bodies come out as they were, in memory that others had before', async t => {
  const { spare, decode } = start(t)
  const part = fc
    .tuple(fc.nat(9 * mib), fc.uint8Array({ minLength: 1, maxLength: 90_000 }))
    .map(([length, content]) => Buffer.alloc(length, content))
  const parts = fc.array(part, { minLength: 1, maxLength: 3 })
  const isUndone = fc.asyncProperty(
    fc.constantFrom(...encoders),
    parts,
    async ([encoding, encode], parts) => {
      const body = Buffer.concat(parts)
      const encoded = encode(parts)
      const tooLarge = body.length > 0 && (await decode(encoding, encoded, body.length - 1))
      const decoded = opened((await decode(encoding, encoded, body.length))!)
      const isSame = decoded.equals(body)
      spare.keep(seal(decoded.buffer))
      return isSame && !tooLarge
    },
  )
  await fc.assert(isUndone, { numRuns: 30 })
})

t.test('the memory of one body is the next one’s, also when the first was refused', async t => {
  const { spare, decode } = start(t)
  const body = Buffer.alloc(20 * mib, 'a body ')
  const encoded = gzipSync(body)
  const broken = Buffer.from(encoded)
  broken[broken.length >> 1]! ^= 0xff
  await t.rejects(decode('gzip', broken, 20 * mib))
  t.equal(spare.bytes, 20 * mib, 'a broken one')
  t.equal(await decode('gzip', encoded, 20 * mib - 1), undefined)
  t.equal(spare.bytes, 20 * mib, 'one that is too large')
  const decoded = (await decode('gzip', encoded, 20 * mib))!
  t.equal(spare.bytes, 0)
  t.ok(opened(decoded).equals(body))
})

t.test('what nobody waits for any more is not decoded to its end', async t => {
  const { spare, decode } = start(t)
  const encoded = gzipSync(Buffer.alloc(60 * mib, 'x'))
  const gone = new AbortController()
  const waiting = decode('gzip', encoded, 60 * mib, gone.signal)
  const reason = new Error('gone')
  gone.abort(reason)
  await t.rejects(waiting, reason)
  t.equal(spare.bytes, 60 * mib, 'its memory is back')
  t.equal(new Uint8Array(open(spare.take(60 * mib)!)).at(-1), 0, 'its end is as it was before')
  await t.rejects(decode('gzip', encoded, 60 * mib, gone.signal), reason)
})
