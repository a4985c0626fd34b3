/**
 * The checksum of everything in a segment: CRC-32 of the bytes and of the place that they were
 * written for. Because the place counts, bytes that a file system put elsewhere, or that show through
 * from another file, are never taken for ours.
 */
import { crc32 } from 'node:zlib'

const place = Buffer.alloc(12)

/** `number`: the segment's; `offset`: where the first of the parts begins in the file. */
export function checksumAt(
  number: number,
  offset: number,
  ...parts: readonly Uint8Array[]
): number {
  place.writeUInt32LE(number, 0)
  place.writeUInt32LE(offset % 0x1_0000_0000, 4)
  place.writeUInt32LE(Math.floor(offset / 0x1_0000_0000), 8)
  let crc = crc32(place)
  for (const part of parts) {
    // Of a part of empty memory zlib makes 0, but of most empty parts what there was before.
    if (part.length > 0) crc = crc32(part, crc)
  }
  return crc
}
