/**
 * Lists of small non-negative integers in as few bytes as their largest needs: 0 bytes a value when
 * all are zero, else 1, 2, 4 (unsigned, little-endian) or 8 (float64, for what passes 32 bits).
 * The width is not stored: it is the byte length divided by the count, which the reader knows.
 *
 * Typed arrays are used as they lie in memory. Every platform that our prebuilt packages run on is
 * little-endian.
 */

/** Unpacked values; which kind depends on the largest value when they were packed. */
export type Integers = Uint8Array | Uint16Array | Uint32Array | Float64Array

const empty = Buffer.alloc(0)

/** Packs integers from 0 to 2^53 - 1. */
export function packIntegers(values: ArrayLike<number>): Buffer {
  let largest = 0
  for (let i = 0; i < values.length; i++) {
    if (values[i]! > largest) largest = values[i]!
  }
  if (largest === 0) return empty
  const packed = new (arrayFor(widthFor(largest)))(values)
  return Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
}

/** Unpacks `count` integers; the result may share memory with `bytes`. Throws on a wrong length. */
export function unpackIntegers(bytes: Uint8Array, count: number): Integers {
  if (bytes.byteLength === 0) return new Uint8Array(count)
  const width = bytes.byteLength / count
  if (width === 1) return bytes
  if (width !== 2 && width !== 4 && width !== 8) {
    throw new RangeError(`${bytes.byteLength} bytes do not hold ${count} integers`)
  }
  // A copy, because a typed array must be aligned and bytes inside a file are not.
  return new (arrayFor(width))(new Uint8Array(bytes).buffer)
}

/**
 * Unpacks `count` integers, packed in the `length` bytes at `at`, into the beginning of `target`, which
 * has room for them and for values of their size. Throws on a wrong length.
 */
export function unpackIntegersInto(
  target: Uint32Array | Float64Array,
  count: number,
  bytes: Buffer,
  at: number,
  length: number,
): void {
  if (length === 0) target.fill(0, 0, count)
  else if (length === count) for (let i = 0; i < count; i++) target[i] = bytes[at + i]!
  else if (length === 2 * count) {
    for (let i = 0; i < count; i++) target[i] = bytes[at + 2 * i]! | (bytes[at + 2 * i + 1]! << 8)
  } else if (length === 4 * count) {
    for (let i = 0; i < count; i++) target[i] = bytes.readUInt32LE(at + 4 * i)
  } else if (length === 8 * count) {
    for (let i = 0; i < count; i++) target[i] = bytes.readDoubleLE(at + 8 * i)
  } else throw new RangeError(`${length} bytes do not hold ${count} integers`)
}

type Width = 1 | 2 | 4 | 8

function widthFor(largest: number): Width {
  if (largest < 0x100) return 1
  if (largest < 0x10000) return 2
  return largest < 0x100000000 ? 4 : 8
}

function arrayFor(width: Width) {
  if (width === 1) return Uint8Array
  if (width === 2) return Uint16Array
  return width === 4 ? Uint32Array : Float64Array
}
