/** Answers of numbers are read alike wherever they were cut on their way. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { AnswerPieces } from '../../src/store/clickhouse/answer-pieces.ts'
import { BinaryAnswer } from '../../src/store/clickhouse/sql/binary-answer.ts'
import { anyCodePoint } from '../any-code-point.ts'

type Row = readonly [texts: readonly string[], cells: readonly (readonly number[])[]]

const row = fc.tuple(
  fc.array(fc.string({ unit: anyCodePoint, maxLength: 300 }), { maxLength: 4 }),
  fc.array(fc.array(fc.double({ noNaN: true }), { maxLength: 200 }), { maxLength: 4 }),
)

function written(rows: readonly Row[]): Buffer<ArrayBuffer> {
  const parts: Uint8Array[] = []
  const length = (value: number) => {
    const bytes: number[] = []
    for (let rest = value; bytes.push(rest & 0x7f) && rest >= 0x80; rest >>>= 7) {
      bytes[bytes.length - 1]! |= 0x80
    }
    parts.push(Uint8Array.from(bytes))
  }
  for (const [texts, cells] of rows) {
    length(texts.length)
    for (const text of texts) {
      const bytes = Buffer.from(text)
      length(bytes.length)
      parts.push(bytes)
    }
    length(cells.length)
    for (const cell of cells) {
      length(cell.length)
      parts.push(new Uint8Array(Float64Array.from(cell).buffer))
    }
  }
  return Buffer.concat(parts) as Buffer<ArrayBuffer>
}

/** In pieces that have all of their memory, as they must. */
function cut(bytes: Buffer, places: readonly number[]): Buffer<ArrayBuffer>[] {
  const ends = places.map(place => place % (bytes.length + 1)).sort((a, b) => a - b)
  const pieces = [...ends, bytes.length].map((end, i) => {
    const part = bytes.subarray(ends[i - 1] ?? 0, end)
    const own = Buffer.allocUnsafeSlow(part.length)
    part.copy(own)
    return own
  })
  return pieces.filter(({ length }) => length > 0)
}

function read(pieces: readonly Buffer<ArrayBuffer>[]): Row[] {
  const answer = new BinaryAnswer(pieces)
  const rows: Row[] = []
  while (answer.hasMore) {
    rows.push([answer.texts(), answer.array(() => [...answer.numbers()])])
  }
  return rows
}

t.test('an answer says the same wherever it was cut', async () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 4 }), fc.array(fc.nat()), (rows, places) => {
      assert.deepEqual(read(cut(written(rows), places)), rows)
    }),
  )
})

t.test('one that ends too early is an error, and not a shorter answer', async t => {
  const bytes = written([[['checkout'], [[1.5, 2.5]]]])
  for (let end = 1; end < bytes.length; end++) {
    t.throws(() => read(cut(bytes.subarray(0, end), [3])), { message: /ended too early/ }, `${end}`)
  }
})

t.test('numbers of a tuple come one after the other, over all pieces', async t => {
  const pair = Buffer.concat([Buffer.from([2]), new Uint8Array(Float64Array.of(1, 2, 3, 4).buffer)])
  t.same([...new BinaryAnswer(cut(pair, [9, 20])).numbers(2)], [1, 2, 3, 4])
})

t.test('what comes in chunks is joined to pieces, in order, in memory of their own', async () => {
  fc.assert(
    fc.property(fc.array(fc.nat(700_000), { maxLength: 12 }), sizes => {
      const chunks = sizes.map((size, i) => Buffer.alloc(size, i + 1))
      const pieces = new AnswerPieces()
      for (const chunk of chunks) pieces.add(chunk)
      const joined = pieces.end()
      assert.equal(Buffer.compare(Buffer.concat(joined), Buffer.concat(chunks)), 0)
      assert.ok(joined.every(({ length, buffer }) => length === buffer.byteLength && length > 0))
    }),
    { numRuns: 20 },
  )
})

t.test('memory is given back as it is read', async t => {
  const cells = [Array.from({ length: 20_000 }, (_, i) => i)]
  const pieces = cut(written([[[], cells]]), [80_000])
  t.same(read(pieces), [[[], cells]])
  t.same(
    pieces.map(({ length }) => length),
    [0, 0],
  )
})
