import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { encodeColumn } from '../../src/columns/choose.ts'
import type { EncodedColumn } from '../../src/columns/column.ts'
import { encodeDictionary } from '../../src/columns/dictionary.ts'
import { encodeFixedPoint } from '../../src/columns/fixed-point.ts'
import { encodeHex } from '../../src/columns/hex.ts'
import { encodeInteger } from '../../src/columns/integer.ts'
import { encodeNumbers, openNumbers, unpackNumbers } from '../../src/columns/numbers.ts'
import { openColumn } from '../../src/columns/open.ts'
import { encodeText } from '../../src/columns/text.ts'
import { forAll } from '../for-all.ts'
import { bytesOf, columnOf, values } from './arbitraries.ts'
import { chunksOf, reopen } from './reopen.ts'

t.test('a description of another shape is refused', async t => {
  const refuses = (encoding: string, meta: unknown, valueCount = 2) =>
    t.throws(
      () => openColumn(encoding, meta, valueCount, () => Buffer.alloc(0)),
      Error,
      `${encoding} ${JSON.stringify(meta)}`,
    )
  refuses('parquet', [])
  refuses('__proto__', [])
  for (const encoding of ['constant', 'dictionary', 'integer', 'fixed-point', 'hex', 'text']) {
    for (const meta of [undefined, null, 5, 'x', [], [1], ['a', 'b'], [0.5, 1], {}, [1, 2, 3, 4]]) {
      refuses(encoding, meta)
    }
    refuses(encoding, [1, [0, 1]], -1)
    refuses(encoding, Buffer.alloc(1), 1.5)
  }
  refuses('dictionary', [0, 0])
  refuses('dictionary', [65_537, 0])
  refuses('dictionary', [1, -1])
  refuses('integer', [5, 4])
  refuses('integer', [0, 2 ** 54])
  refuses('fixed-point', [0, [0, 5]])
  refuses('fixed-point', [17, [0, 5]])
  refuses('fixed-point', [2, [5, 4]])
  refuses('hex', [0, 3])
  refuses('hex', [1, 15])
  refuses('hex', [2, 16])
  refuses('text', [1, [1]])
})

t.test('a chunk that is cut short or too long is refused, never misread', async () => {
  const cuts = fc.tuple(values, fc.nat(), fc.integer({ min: -4, max: 4 }))
  forAll({ numRuns: 500 }, cuts, ([list, which, change]) => {
    const texts = columnOf(list)
    const encoders = [encodeText, encodeInteger, encodeFixedPoint, encodeHex, encodeDictionary]
    for (const encode of [encodeColumn, ...encoders]) {
      const encoded = encode(texts)
      if (encoded === undefined || encoded.chunks.length === 0) continue
      const damaged = resized(encoded, which % encoded.chunks.length, change)
      if (damaged === undefined) continue
      assert.throws(() => reopen(damaged, list.length).toTextColumn(), Error, encoded.encoding)
    }
  })
})

/** The column with one chunk some bytes longer or shorter, if it can be. */
function resized(encoded: EncodedColumn, index: number, change: number): EncodedColumn | undefined {
  const chunk = encoded.chunks[index]!
  const length = chunk.length + change
  if (length < 0 || change === 0) return undefined
  const other = Buffer.concat([chunk, Buffer.alloc(4)]).subarray(0, length)
  return { ...encoded, chunks: encoded.chunks.with(index, other) }
}

t.test(
  'a changed byte gives other values or an error, never values beyond those described',
  async () => {
    const flips = fc.tuple(values, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }))
    forAll({ numRuns: 500 }, flips, ([list, which, place, flip]) => {
      const encoded = encodeColumn(columnOf(list))
      if (encoded.chunks.length === 0) return
      const index = which % encoded.chunks.length
      const chunk = Buffer.from(encoded.chunks[index]!)
      if (chunk.length === 0) return
      chunk[place % chunk.length]! ^= flip
      const column = reopen({ ...encoded, chunks: encoded.chunks.with(index, chunk) }, list.length)
      try {
        assert.equal(bytesOf(column.toTextColumn()).length, list.length)
      } catch (error) {
        const { message } = error as Error
        // A chunk that is not there is refused by whoever gives chunks.
        const isRefused = / column: |asks for chunk/.test(message)
        assert.ok(error instanceof RangeError || isRefused, message)
      }
    })
  },
)

t.test('numbers outside what is described are refused', async t => {
  const refuses = (meta: unknown, chunk: number[], valueCount: number) => {
    t.throws(() => openNumbers(meta, valueCount, () => Buffer.from(chunk)), Error)
    t.throws(() => unpackNumbers(meta, valueCount, () => Buffer.from(chunk)), Error)
  }
  refuses([0, 5], [6], 1)
  refuses([0, 5, 0, 1, 3], [0, 9], 2)
  refuses([0, 5, 6, 1, 3], [0, 0], 2)
  refuses([0, 5, 0, 3, 1], [0, 0], 2)
  refuses([0, 5, 0, -1, 3], [0, 0], 2)
  refuses([0, 5, 0, -1, 9], [0, 10], 2)
  refuses([0, 5], [1, 1], 1)
  // Twice 2^31, which is 0 in 32 bits.
  refuses([0, 5, 0, 0, 2 ** 31], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x80], 3)
  const spread = encodeNumbers([-(2 ** 53), 2 ** 53])
  t.throws(() => openNumbers(spread.meta, 3, chunksOf(spread)), Error)
})

t.test('lengths that do not add up to the text are refused', async t => {
  const opens = (length: number) => () =>
    openColumn('text', [2, [0, 5]], 1, index => Buffer.from(index === 0 ? 'ab' : [length])).textAt(
      0,
    )
  t.equal(opens(2)(), 'ab')
  t.throws(opens(1), { message: /^text column: lengths add up to 1, not to 2/ })
  t.throws(opens(5), { message: /^text column: lengths add up to 5, not to 2/ })
})

t.test('a code without an entry is refused', async t => {
  const intact = openColumn('dictionary', [2, 2], 2, index =>
    index === 0 ? Buffer.from('\x01\x01ab') : Buffer.of(0, 1),
  )
  t.equal(intact.textAt(1), 'b')
  const beyond = openColumn('dictionary', [2, 2], 2, index =>
    index === 0 ? Buffer.from('\x01\x01ab') : Buffer.of(0, 2),
  )
  t.throws(() => beyond.textAt(1), { message: 'dictionary column: a code has no entry' })
})
