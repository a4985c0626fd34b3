import type { Disk } from '../../src/disk/disk.ts'
import { realDisk } from '../../src/disk/real-disk.ts'

/** The disk of this machine, and how often its files were read so far. */
export function countedReads(): { readonly disk: Disk; reads(): number } {
  let reads = 0
  const disk: Disk = {
    ...realDisk,
    openSync(path) {
      const file = realDisk.openSync(path)
      const read: typeof file.read = (...asked) => {
        reads++
        return file.read(...asked)
      }
      return { size: () => file.size(), read, close: () => file.close() }
    },
  }
  return { disk, reads: () => reads }
}
