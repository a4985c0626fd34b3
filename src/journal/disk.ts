/**
 * What the journal asks of the file system, and no more, so that tests can stand in a disk that is
 * full, slow or broken.
 */
import fs from 'node:fs'
import { unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { syncDirectory } from '../sync-directory.ts'

/** A file that only grows, but for `truncate` after a failed write. */
export interface AppendFile {
  /**
   * Writes the buffers one after the other at `offset`. Resolves to the bytes written, which are
   * fewer than asked when the disk is full: Node reports that with no error.
   */
  write(buffers: readonly Buffer[], offset: number): Promise<number>
  /** Resolves when everything written is on the device. A failure is final: see `journal.ts`. */
  datasync(): Promise<void>
  truncate(bytes: number): Promise<void>
  close(): Promise<void>
}

export interface Disk {
  /** Makes a new file; fails when it exists. */
  create(path: string): Promise<AppendFile>
  remove(path: string): Promise<void>
  /** Makes the names in a directory durable. */
  syncDirectory(path: string): Promise<void>
}

export const realDisk: Disk = { create: createFile, remove: unlink, syncDirectory }

const openFile = promisify(fs.open)

async function createFile(path: string): Promise<AppendFile> {
  const fd = await openFile(path, 'wx', 0o600)
  // The callback API: a FileHandle's promises cost more than the write of a small batch.
  return {
    write: (buffers, offset) =>
      new Promise((resolve, reject) => {
        fs.writev(fd, buffers, offset, (error, bytesWritten) =>
          error ? reject(error) : resolve(bytesWritten),
        )
      }),
    datasync: () => settle(done => fs.fdatasync(fd, done)),
    truncate: bytes => settle(done => fs.ftruncate(fd, bytes, done)),
    close: () => settle(done => fs.close(fd, done)),
  }
}

/** Calls a function that takes a callback, and makes a promise of it. */
function settle(call: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call(error => (error ? reject(error) : resolve()))
  })
}
