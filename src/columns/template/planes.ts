/**
 * Integers from 0 to 2^53 - 1 as byte planes: the lowest bytes of all, then the second bytes, and so
 * on, as many planes as the largest needs. Against integers side by side, zstd makes 4 % less of
 * random numbers and 20 % less of the numbers in real logs.
 */
import type { Integers } from '../integers.ts'

/** Bytes that the largest of some integers needs; 0 for 0. */
export function planeCount(largest: number): number {
  let count = 0
  for (let rest = largest; rest > 0; rest = Math.floor(rest / 256)) count++
  return count
}

/** Writes the planes of `values` into the front of `target`. */
export function packPlanes(values: ArrayLike<number>, planes: number, target: Uint8Array): void {
  const count = values.length
  for (let plane = 0; plane < planes; plane++) {
    const into = plane * count
    if (plane < 4) {
      const shift = 8 * plane
      for (let i = 0; i < count; i++) target[into + i] = values[i]! >>> shift
    } else {
      const factor = 256 ** plane
      for (let i = 0; i < count; i++) target[into + i] = Math.floor(values[i]! / factor)
    }
  }
}

/** Reads `count` integers of `planes` planes. One plane is not copied but shares memory. */
export function unpackPlanes(bytes: Uint8Array, count: number, planes: number): Integers {
  // Never a Buffer: loops over several kinds of arrays are fast only while they are few.
  if (planes === 1) return new Uint8Array(bytes.buffer, bytes.byteOffset, count)
  if (planes === 0) return new Uint8Array(count)
  const values =
    planes === 2
      ? new Uint16Array(count)
      : planes <= 4
        ? new Uint32Array(count)
        : new Float64Array(count)
  for (let plane = 0; plane < planes; plane++) {
    const from = plane * count
    const factor = 256 ** plane
    for (let i = 0; i < count; i++) values[i] = values[i]! + bytes[from + i]! * factor
  }
  return values
}
