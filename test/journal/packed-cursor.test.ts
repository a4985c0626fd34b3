import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Packr } from 'msgpackr'
import t from 'tap'
import { PackedCursor } from '../../src/journal/packed-cursor.ts'
import { forAll } from '../for-all.ts'

const packr = new Packr({ useRecords: false, moreTypes: false })

type Value = number | bigint | string | Buffer | Value[]

/** Reads one value, which must be this one; its bytes end where the cursor is then. */
function assertNext(cursor: PackedCursor, bytes: Buffer, value: Value): void {
  const ended = (length: number) => bytes.subarray(cursor.at - length, cursor.at)
  if (typeof value === 'string') assert.equal(ended(cursor.text()).toString(), value)
  else if (Buffer.isBuffer(value)) assert.deepEqual(ended(cursor.binary()), value)
  else if (!Array.isArray(value)) assert.equal(cursor.number(), Number(value))
  else {
    assert.equal(cursor.list(), value.length)
    for (const member of value) assertNext(cursor, bytes, member)
  }
}

function comesBack(value: Value): void {
  const bytes = Buffer.from(packr.pack(value))
  const cursor = new PackedCursor(bytes)
  assertNext(cursor, bytes, value)
  assert.equal(cursor.at, bytes.length)
}

const leaf: fc.Arbitrary<Value> = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true }).filter(number => !Object.is(number, -0)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc.string({ unit: 'grapheme' }),
  fc.uint8Array().map(bytes => Buffer.from(bytes)),
)

t.test('values that msgpackr packed are read, one after the other', async () => {
  forAll(fc.array(fc.oneof(leaf, fc.array(leaf))), comesBack)
})

t.test('every width of a length and a number is read', async () => {
  for (const edge of [0x20, 0x80, 0x100, 0x8000, 0x10000, 0x80000000, 0x100000000]) {
    for (const number of [edge - 1, edge, -edge, -edge - 1]) comesBack(number)
  }
  for (const length of [0, 15, 16, 31, 32, 255, 256, 65_535, 65_536]) {
    comesBack('x'.repeat(length))
    comesBack(Buffer.alloc(length))
    comesBack(Array.from({ length }, () => 1))
  }
})

t.test('a number of four bytes with a fraction is read', async t => {
  const bytes = Buffer.from([0xca, 0, 0, 0, 0])
  bytes.writeFloatBE(0.5, 1)
  t.equal(new PackedCursor(bytes).number(), 0.5)
})

/** Which of the cursor's methods take a value of such a type, after the specification of msgpack. */
function acceptedBy(type: number) {
  const among = (...spans: [number, number][]) =>
    Number(spans.some(([first, last]) => first <= type && type <= last))
  return {
    number: among([0, 0x7f], [0xca, 0xd3], [0xe0, 0xff]),
    text: among([0xa0, 0xbf], [0xd9, 0xdb]),
    binary: among([0xc4, 0xc6]),
    list: among([0x90, 0x9f], [0xdc, 0xdd]),
  }
}

t.test('a value of another kind, or one that is cut, is refused', async t => {
  for (let type = 0; type <= 0xff; type++) {
    // What the type says is behind it is there: nothing is refused because it is cut.
    const cursor = () => new PackedCursor(Buffer.from([type, ...Buffer.alloc(300)]))
    const accepts = { number: 0, text: 0, binary: 0, list: 0 }
    for (const kind of ['number', 'text', 'binary', 'list'] as const) {
      try {
        cursor()[kind]()
        accepts[kind] = 1
      } catch (error) {
        assert.ok(error instanceof RangeError)
      }
    }
    assert.deepEqual(accepts, acceptedBy(type), `type ${type}`)
  }
  const refuses = (value: Value, read: (cursor: PackedCursor) => number) =>
    t.throws(() => read(new PackedCursor(Buffer.from(packr.pack(value)))), RangeError)
  refuses('text', cursor => cursor.number())
  refuses([1], cursor => cursor.number())
  refuses(1, cursor => cursor.list())
  refuses(Buffer.alloc(1), cursor => cursor.text())
  refuses('text', cursor => cursor.binary())
  const isCut = (value: Value, read: (cursor: PackedCursor) => number) => {
    const bytes = Buffer.from(packr.pack(value))
    for (let length = 0; length < bytes.length; length++) {
      t.throws(() => read(new PackedCursor(bytes.subarray(0, length))), RangeError)
    }
  }
  for (const number of [300, 70_000, 1.5, -300, 2n ** 60n, -(2n ** 60n)]) {
    isCut(number, cursor => cursor.number())
  }
  isCut('some text', cursor => cursor.text())
  isCut(Buffer.alloc(9), cursor => cursor.binary())
})
