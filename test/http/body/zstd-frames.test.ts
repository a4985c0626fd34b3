import assert from 'node:assert/strict'
import zlib from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import {
  ZstdFrameError,
  ZstdSplitter,
  zstdContentBytesMax,
  zstdFrames,
} from '../../../src/http/body/zstd-frames.ts'

const { ZSTD_c_checksumFlag, ZSTD_c_contentSizeFlag, ZSTD_c_compressionLevel } = zlib.constants

function skippable(data: Uint8Array, number = 0): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32LE(0x184d2a50 + number)
  header.writeUInt32LE(data.length, 4)
  return Buffer.concat([header, data])
}

interface Frame {
  readonly bytes: Buffer
  /** Undefined for a skippable frame. */
  readonly data: Buffer | undefined
}

const data = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
  // Blocks of every type, and several of them: one has at most 128 KiB.
  fc.nat(400_000).map(length => Buffer.alloc(length, 'a')),
  fc
    .nat(300_000)
    .map(length => Buffer.from(Float64Array.from({ length: length / 8 }, Math.sin).buffer)),
)
const dataFrame = fc
  .tuple(data, fc.nat(1), fc.nat(1), fc.constantFrom(1, 3, 19))
  .map(([data, checksum, contentSize, level]): Frame => {
    const params = {
      [ZSTD_c_checksumFlag]: checksum,
      [ZSTD_c_contentSizeFlag]: contentSize,
      [ZSTD_c_compressionLevel]: level,
    }
    return { bytes: zlib.zstdCompressSync(data, { params }), data }
  })
const skippableFrame = fc
  .tuple(fc.uint8Array({ maxLength: 50 }), fc.nat(15))
  .map(([data, number]): Frame => ({ bytes: skippable(data, number), data: undefined }))
const frames = fc.array(fc.oneof({ weight: 3, arbitrary: dataFrame }, skippableFrame), {
  maxLength: 5,
})

const joined = (frames: readonly Frame[]) => Buffer.concat(frames.map(({ bytes }) => bytes))
const held = (frames: readonly Frame[]) => frames.filter(({ data }) => data !== undefined)

/** The parts of `body` that comes in chunks of these sizes, over and over. */
function split(body: Buffer, sizes: readonly number[]): Buffer[] {
  const splitter = new ZstdSplitter()
  const parts: Buffer[] = []
  for (let offset = 0, i = 0; offset < body.length; i++) {
    const size = sizes[i % sizes.length]!
    parts.push(...splitter.split(body.subarray(offset, offset + size)))
    offset += size
  }
  splitter.end()
  return parts
}

t.test('a body is cut into exactly its frames', async () => {
  const property = fc.property(frames, frames => {
    const expected = held(frames).map(({ bytes }) => bytes)
    assert.deepEqual(zstdFrames(joined(frames)), expected)
  })
  fc.assert(property, { numRuns: 50 })
})

t.test('however a stream is chunked, no part reaches over a frame’s end', async () => {
  const sizes = fc.array(
    fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 9_999 })),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  const property = fc.property(frames, sizes, (frames, sizes) => {
    const parts = split(joined(frames), sizes)
    const found = Buffer.concat(parts)
    assert.ok(found.equals(joined(held(frames))))
    const ends = new Set<number>()
    let end = 0
    for (const part of parts) {
      assert.ok(part.length > 0)
      end += part.length
      ends.add(end)
    }
    end = 0
    for (const { bytes } of held(frames)) {
      end += bytes.length
      assert.ok(ends.has(end), 'a part ends where a frame does')
    }
  })
  fc.assert(property, { numRuns: 50 })
})

t.test('every truncation within a frame is told as one', async t => {
  const params = { [ZSTD_c_checksumFlag]: 1 }
  const parts = [
    zlib.zstdCompressSync('one'),
    skippable(Buffer.from('skipped')),
    zlib.zstdCompressSync('abc '.repeat(50), { params }),
  ]
  const body = Buffer.concat(parts)
  const [first, second] = parts.map(part => part.length) as [number, number]
  const ends = new Set([0, first, first + second])
  for (let length = 0; length < body.length; length++) {
    const cut = body.subarray(0, length)
    for (const read of [() => zstdFrames(cut), () => split(cut, [1])]) {
      if (ends.has(length)) t.doesNotThrow(read, `${length} bytes`)
      else t.throws(read, { name: 'ZstdFrameError', code: 'zstd_cut' }, `${length} bytes`)
    }
  }
})

t.test('what is no frame is told where it begins', async t => {
  const frame = zlib.zstdCompressSync('one')
  const refuses = (behind: string | Buffer) => {
    const body = Buffer.concat([frame, Buffer.from(behind)])
    t.throws(() => zstdFrames(body), { code: 'zstd_foreign' }, JSON.stringify(behind))
    t.throws(() => split(body, [1]), { code: 'zstd_foreign' }, JSON.stringify(behind))
  }

  refuses('more')
  refuses('m')
  refuses('\n')
  refuses('\0'.repeat(512))
  refuses(Buffer.concat([frame.subarray(1), frame]))
  refuses(zlib.gzipSync('two'))

  const splitter = new ZstdSplitter()
  const parts = splitter.split(Buffer.concat([frame, Buffer.from('more')]))
  t.same(parts.next().value, frame, 'the frame before it is given first')
  t.throws(() => parts.next(), ZstdFrameError)
})

t.test('more frames than allowed are refused before all have been found', async t => {
  const body = Buffer.concat(Array.from({ length: 11 }, () => zlib.zstdCompressSync('')))
  t.equal(zstdFrames(body, 11).length, 11)
  t.throws(() => zstdFrames(body, 10), RangeError)
})

t.test('how much a body becomes is read no further than it needs', async t => {
  const isBound = fc.property(
    fc.array(dataFrame, { maxLength: 4 }),
    fc.nat(400_000),
    (parts, enough) => {
      const body = Buffer.concat(parts.map(({ bytes }) => bytes))
      const all = zstdContentBytesMax(body)
      const some = zstdContentBytesMax(body, enough)
      const least = parts.reduce((sum, { data }) => sum + (data?.length ?? 0), 0)
      return all >= least && (all > enough ? some > enough && some <= all : some === all)
    },
  )
  fc.assert(isBound)
  const cut = zlib.zstdCompressSync(Buffer.alloc(60 * 1024 * 1024)).subarray(0, 1_000)
  t.throws(() => zstdContentBytesMax(cut), { code: 'zstd_cut' })
  t.ok(zstdContentBytesMax(cut, 1024 * 1024) > 1024 * 1024, 'its end is not looked at')
})
