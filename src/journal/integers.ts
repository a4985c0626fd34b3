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
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  return new (arrayFor(width))(copy as ArrayBuffer)
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
