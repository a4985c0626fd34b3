/** Frames that are decompressed by the context that is kept, compared with Node's own function. */
import assert from 'node:assert/strict'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { decompressFrame, isOneFrame } from '../../src/segment/zstd-frame.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'

/** Of one to three blocks of zstd, that repeat themselves, are chance, or one byte. */
const arbitraryContent = fc
  .tuple(
    fc.uint8Array({ minLength: 1, maxLength: 200 }),
    fc.integer({ min: 1, max: 2_000 }),
    fc.integer({ min: 1, max: 300_000 }),
  )
  .map(([bytes, times, lengthMax]) =>
    Buffer.concat(Array.from({ length: times }, () => bytes)).subarray(0, lengthMax),
  )

const arbitraryFrame = fc
  .tuple(arbitraryContent, fc.integer({ min: -3, max: 12 }), fc.boolean())
  .map(([content, level, hasChecksum]) => {
    const params = {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_checksumFlag]: hasChecksum ? 1 : 0,
    }
    return { content, frame: zstdCompressSync(content, { params }) }
  })

/** What comes out, or that it throws. */
function outcome(decompress: () => Buffer): string {
  try {
    return decompress().toString('latin1')
  } catch (error) {
    assert.ok(error instanceof Error)
    return `throws ${(error as NodeJS.ErrnoException).code}`
  }
}

/** Node's function, as it is. Which error a damaged frame gives depends on the room that there is. */
function plainly(frame: Buffer, rawBytes: number): Buffer {
  const chunkSize = Math.max(rawBytes + 1, constants.Z_MIN_CHUNK)
  return zstdDecompressSync(frame, { maxOutputLength: rawBytes, chunkSize })
}

t.test('what was compressed comes out, one frame after the other', async () => {
  forAll(longRuns(300), arbitraryFrame, ({ content, frame }) => {
    assert.ok(isOneFrame(frame, content.length), 'the context that is kept takes it')
    assert.ok(decompressFrame(frame, content.length).equals(content))
  })
})

t.test('a damaged frame gives what Node gives, and harms none after it', async () => {
  const good = Buffer.from('what comes after a damaged frame, '.repeat(20))
  const goodFrame = zstdCompressSync(good)
  const arbitraryDamage = fc.record({
    at: fc.nat(),
    byte: fc.nat({ max: 255 }),
    cut: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -30, max: 30 })),
    lengthMore: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -9, max: 9 })),
  })
  let failures = 0
  forAll(longRuns(600), arbitraryFrame, arbitraryDamage, ({ content, frame }, damage) => {
    const changed = Buffer.concat([frame, Buffer.alloc(Math.max(0, damage.cut))])
    changed[damage.at % frame.length] = damage.byte
    const damaged = changed.subarray(0, frame.length + damage.cut)
    const rawBytes = Math.max(1, content.length + damage.lengthMore)
    const seen = outcome(() => decompressFrame(damaged, rawBytes))
    assert.equal(
      seen,
      outcome(() => plainly(damaged, rawBytes)),
    )
    if (seen.startsWith('throws')) failures++
    assert.ok(decompressFrame(goodFrame, good.length).equals(good))
  })
  t.ok(failures > 20, `${failures} could not be decompressed`)
})

t.test('what is no single whole frame is left to Node', async t => {
  const content = Buffer.from('0123456789'.repeat(100))
  const frame = zstdCompressSync(content)
  t.ok(isOneFrame(frame, content.length))
  t.notOk(isOneFrame(frame, content.length + 1), 'of another length')
  t.notOk(isOneFrame(Buffer.concat([frame, frame]), content.length), 'two frames')
  for (let bytes = 0; bytes < frame.length; bytes++) {
    t.notOk(isOneFrame(frame.subarray(0, bytes), content.length), `its first ${bytes} bytes`)
  }
  const twice = Buffer.concat([frame, frame])
  t.equal(
    outcome(() => decompressFrame(twice, 2 * content.length)),
    outcome(() => plainly(twice, 2 * content.length)),
  )
  t.equal(decompressFrame(zstdCompressSync(Buffer.alloc(1)), 1).length, 1)
})
