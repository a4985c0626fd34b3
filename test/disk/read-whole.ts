import type { Disk } from '../../src/disk/disk.ts'
import { readInto } from '../../src/disk/read.ts'

/** All bytes of a file, in memory of their own. */
export function readWhole(disk: Disk, path: string): Buffer {
  const file = disk.openSync(path)
  try {
    const buffer = Buffer.allocUnsafeSlow(file.size())
    return buffer.subarray(0, readInto(buffer, file, 0))
  } finally {
    file.close()
  }
}
