/**
 * A disk for the journal's tests that can be held up, full or broken. Files are real, so that what
 * was written can be read back; only the answers are bent.
 */
import fs from 'node:fs'
import type { AppendFile, Disk } from '../../src/disk/disk.ts'
import { realDisk } from '../../src/disk/real-disk.ts'

export class StandInDisk implements Pick<Disk, 'create' | 'remove' | 'syncDirectory'> {
  /** Bytes that still fit; a write beyond them is cut short, as Linux and Node report a full disk. */
  freeBytes = Number.POSITIVE_INFINITY
  /** What the file system says is free. */
  roomBytes = Number.POSITIVE_INFINITY
  /** How a disk says that it is full: a short count, or an error. */
  fullness: 'short' | 'ENOSPC' = 'short'
  syncError: Error | undefined
  writeError: Error | undefined
  syncCount = 0
  /** While set, syncs wait for it. */
  held: Promise<void> | undefined

  /** Holds syncs up from now on, until the function is called that it gives. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.held = promise
    return resolve
  }

  /** Resolves when a sync has begun behind `earlier` others. */
  async syncBegins(earlier = 0): Promise<void> {
    while (this.syncCount === earlier) await new Promise(setImmediate)
  }

  remove = fs.promises.unlink
  syncDirectory = realDisk.syncDirectory

  async create(path: string): Promise<AppendFile> {
    const file = await realDisk.create(path)
    return {
      write: async (buffers, offset) => {
        if (this.writeError) throw this.writeError
        const all = Buffer.concat(buffers)
        const fitting = all.subarray(0, Math.max(0, this.freeBytes))
        if (fitting.length < all.length && this.fullness === 'ENOSPC') throw fullError()
        this.freeBytes -= fitting.length
        return fitting.length === 0 ? 0 : file.write([fitting], offset)
      },
      datasync: async () => {
        this.syncCount++
        await this.held
        if (this.syncError) throw this.syncError
        await file.datasync()
      },
      truncate: bytes => file.truncate(bytes),
      close: () => file.close(),
    }
  }
}

function fullError(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
}
