/** Reads of a wanted length: one call of the system may give less. */
import type { InputFile } from './disk.ts'

/** Reads up to `bytes` bytes at `offset` into new memory; fewer at the end of the file. */
export function readAt(file: InputFile, offset: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes)
  return buffer.subarray(0, readInto(buffer, file, offset))
}

/** Fills a buffer from `offset` on. Returns its bytes that are filled: fewer at the end of the file. */
export function readInto(buffer: Buffer, file: InputFile, offset: number): number {
  let read = 0
  while (read < buffer.length) {
    const count = file.read(buffer, read, buffer.length - read, offset + read)
    if (count === 0) break
    read += count
  }
  return read
}
