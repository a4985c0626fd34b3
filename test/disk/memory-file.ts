/** A file to read that is bytes in memory. */
import type { InputFile } from '../../src/disk/disk.ts'

/** `bytesPerRead`: what one call gives at most, as a system may. */
export function fileOf(bytes: Buffer, bytesPerRead = Number.POSITIVE_INFINITY): InputFile {
  return {
    size: () => bytes.length,
    read: (buffer, at, length, offset) =>
      bytes.copy(buffer, at, offset, offset + Math.min(length, bytesPerRead)),
    close: () => {},
  }
}
