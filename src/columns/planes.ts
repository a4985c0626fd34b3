/**
 * Non-negative integers as byte planes: the lowest bytes of all values, then the next bytes, and so
 * on, as many as the largest value needs (0 to 7).
 *
 * zstd models each plane for itself: the lower planes of most figures are noise, the upper ones are
 * nearly empty. Against integers side by side this took 20 % off numbers of 20 bits, 19 % off
 * differences of timestamps, 10 % off dictionary codes. Each plane is a chunk of its own, unless all
 * together are so small that the directory's entries would cost more than they gain.
 */

import type { ChunkSource } from './column.ts'
import type { Integers } from './integers.ts'
import { checkLength } from './shape.ts'

/** Bytes of all planes up to which they share one chunk. */
const sharedChunkBytesMax = 4_096

/** Bytes that an integer from 0 to 2^53 - 1 takes; none for 0. */
export function byteWidth(largest: number): number {
  let width = 0
  for (let rest = largest; rest >= 1; rest /= 256) width++
  return width
}

/** Splits integers from 0 to `largest` into chunks of planes. */
export function splitPlanes(values: Uint16Array | Float64Array, largest: number): Buffer[] {
  const count = values.length
  const width = byteWidth(largest)
  if (width * count === 0) return []
  const planes = Buffer.allocUnsafeSlow(width * count)
  for (let plane = 0; plane < width; plane++) {
    const start = plane * count
    if (plane < 4) {
      const shift = 8 * plane
      for (let i = 0; i < count; i++) planes[start + i] = values[i]! >>> shift
    } else {
      const scale = 256 ** plane
      for (let i = 0; i < count; i++) planes[start + i] = Math.floor(values[i]! / scale)
    }
  }
  if (planes.length <= sharedChunkBytesMax) return [planes]
  return Array.from({ length: width }, (_, plane) =>
    planes.subarray(plane * count, (plane + 1) * count),
  )
}

/** Joins what `splitPlanes` made, in the narrowest array that takes `largest`. */
export function joinPlanes(count: number, largest: number, chunk: ChunkSource): Integers {
  const width = byteWidth(largest)
  if (width * count === 0) return new Uint8Array(count)
  const planes = planesOf(count, largest, chunk)
  if (width === 1) return planes[0]!
  if (width === 2) return joinTwo(planes[0]!, planes[1]!)
  return width <= 4 ? joinNarrow(planes, count) : joinWide(planes, count)
}

/**
 * The planes that `splitPlanes` made, lowest first. They are plain Uint8Arrays: a Buffer among them
 * would make the loops over them slower.
 */
export function planesOf(count: number, largest: number, chunk: ChunkSource): Uint8Array[] {
  const width = byteWidth(largest)
  const isShared = width * count <= sharedChunkBytesMax
  const shared = isShared && width * count > 0 ? chunk(0) : undefined
  if (shared !== undefined) checkLength('integer', shared, width * count)
  return Array.from({ length: width }, (_, plane) => {
    if (count === 0) return new Uint8Array(0)
    const bytes = shared?.subarray(plane * count, (plane + 1) * count) ?? chunk(plane)
    checkLength('integer', bytes, count)
    return new Uint8Array(bytes.buffer, bytes.byteOffset, count)
  })
}

function joinTwo(low: Uint8Array, high: Uint8Array): Uint16Array {
  const values = new Uint16Array(low.length)
  for (let i = 0; i < values.length; i++) values[i] = low[i]! | (high[i]! << 8)
  return values
}

function joinNarrow(planes: readonly Uint8Array[], count: number): Uint32Array {
  const values = new Uint32Array(count)
  planes.forEach((plane, index) => {
    const shift = 8 * index
    for (let i = 0; i < count; i++) values[i] = values[i]! | (plane[i]! << shift)
  })
  return values
}

function joinWide(planes: readonly Uint8Array[], count: number): Float64Array {
  const values = new Float64Array(count)
  planes.forEach((plane, index) => {
    const scale = 256 ** index
    for (let i = 0; i < count; i++) values[i] = values[i]! + plane[i]! * scale
  })
  return values
}
