/**
 * Removes a large file without making others wait. A file system that is mounted with `discard` tells
 * the device of each piece of space that comes back, and no sync of another file is answered meanwhile:
 * to unlink a journal file of 32 MiB took 50 ms, in which the next group of events waited up to 39.
 * So the name goes first, and the content is cut off bit by bit. (RocksDB does the same for the same
 * reason: its `DeleteScheduler`, option `bytes_max_delete_chunk`.)
 */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { syncDirectory } from './sync-directory.ts'

/** Freed at once: 2 to 3 ms with `discard`. */
const stepBytes = 1024 * 1024
/** Time for others between two steps. */
const pauseMs = 5

/** See `Disk.removeDurably`. */
export async function removeInSteps(path: string): Promise<void> {
  const file = await open(path, 'r+').catch(() => undefined) // Then all of it goes at once.
  try {
    await rm(path, { force: true })
    // A power cut before this may bring the name back, and then all of the content must be there.
    await syncDirectory(dirname(path))
  } catch (error) {
    await file?.close()
    throw error
  }
  // Nobody waits for the space; and what cannot be cut off goes when the file is closed.
  if (file !== undefined) freeInSteps(file).catch(() => {})
}

async function freeInSteps(file: FileHandle): Promise<void> {
  try {
    const { size, nlink } = await file.stat()
    if (nlink > 0) return // A snapshot has it under another name.
    for (let left = size - stepBytes; left > 0; left -= stepBytes) {
      await file.truncate(left)
      await pause(pauseMs, undefined, { ref: false })
    }
  } finally {
    await file.close()
  }
}
