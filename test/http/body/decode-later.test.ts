/** What a body that is not decoded at once waits for, and what it is told before it is read. */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { freeMemory } from '../../../src/columns/growing-array.ts'
import { decodeLater } from '../../../src/http/body/decode-later.ts'
import { overloaded } from '../../../src/ingest/body-memory.ts'
import { opened } from '../../../src/ingest/sealed-body.ts'
import { seal } from '../../../src/threads/sealed-memory.ts'

const mib = 1024 * 1024
const { signal } = new AbortController()

/** Begins with a body; `asked` is what it has asked for so far, in order. */
function begin(encoding: 'gzip' | 'zstd', encoded: Uint8Array, isRefused: boolean) {
  const body = Buffer.from(new Uint8Array(encoded).buffer)
  const asked: string[] = []
  const { promise: ownTurn, resolve: giveTurn } = Promise.withResolvers<void>()
  const decoding = decodeLater(encoding, body, {
    bytesMax: 64 * mib,
    ownTurn: () => {
      asked.push('own turn')
      return ownTurn
    },
    checkPlace: kind => {
      asked.push(`place for a ${kind} one`)
      if (isRefused) throw overloaded('others wait')
    },
    takeTurn: async (kind, bytes) => {
      asked.push(`turn of a ${kind} one for ${bytes}`)
      return () => {}
    },
    signal: () => signal,
    giveBack: freeMemory,
    largeDecoder: {
      decode: async () => {
        asked.push('decoder')
        return { memory: seal(new ArrayBuffer(1)), length: 1 }
      },
    },
  })
  decoding.catch(() => {})
  return { body, asked, giveTurn, decoding }
}

t.test('a body waits for a turn of its own, then for a place, then for its decoder', async t => {
  const { asked, giveTurn, decoding } = begin('gzip', gzipSync(Buffer.alloc(60 * mib)), false)
  await new Promise(resolve => setImmediate(resolve))
  t.same(asked, ['own turn'])
  giveTurn()
  await decoding
  t.same(asked.slice(1), [
    'place for a large one',
    `turn of a large one for ${60 * mib}`,
    'decoder',
  ])
})

t.test('one that is refused is not read to its end, and its memory is freed', async t => {
  // Whoever reads it to its end says what is wrong with that.
  const broken = Buffer.concat([
    zstdCompressSync(Buffer.alloc(60 * mib)),
    Buffer.alloc(32 * 1024, 0xff),
  ])
  const { body, asked, giveTurn, decoding } = begin('zstd', broken, true)
  giveTurn()
  await t.rejects(decoding, { code: 'ingest_overloaded' })
  t.same(asked, ['own turn', 'place for a large one'])
  t.ok(body.buffer.detached)
})

t.test('one that becomes very much more than it was is decoded as a large one', async t => {
  const { asked, giveTurn, decoding } = begin(
    'gzip',
    gzipSync(Buffer.alloc(3 * mib, '{}\n')),
    false,
  )
  giveTurn()
  await decoding
  t.same(asked.slice(1), ['place for a large one', `turn of a large one for ${3 * mib}`, 'decoder'])
})

t.test('one of log lines is not, nor one that becomes little', async t => {
  const lines = Array.from({ length: 40_000 }, (_, i) => `{"message":"took ${i} ms"}\n`).join('')
  const little = Buffer.alloc(mib - 1, 'x')
  for (const plain of [Buffer.from(lines), little]) {
    const { asked, giveTurn, decoding } = begin('gzip', gzipSync(plain), false)
    giveTurn()
    const size = plain.length
    t.ok(plain.equals(opened(await decoding)))
    t.same(asked.slice(1), ['place for a small one', `turn of a small one for ${size}`])
  }
})
