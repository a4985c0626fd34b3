/**
 * What the writer of segments asks of the file system, and no more, so that tests can stand in a disk
 * that is full or broken. Everything waits: segments are written in threads that do nothing else.
 */
import fs from 'node:fs'

export interface SegmentOutput {
  /** Appends. Returns the bytes written: fewer than asked when the disk is full, with no error. */
  write(bytes: Uint8Array): number
  /** Returns when everything written is on the device. */
  datasync(): void
  close(): void
}

export interface SegmentDisk {
  /** Makes a file, or empties the one that is there. */
  create(path: string): SegmentOutput
  rename(from: string, to: string): void
  /** Does not mind when there is no such file. */
  remove(path: string): void
  /** Makes a directory and what is missing above it. Returns the first one made, if any was. */
  makeDirectory(path: string): string | undefined
  /** Makes the names in a directory durable. */
  syncDirectory(path: string): void
}

export const realSegmentDisk: SegmentDisk = {
  create: path => {
    const fd = fs.openSync(path, 'w', 0o600)
    return {
      write: bytes => fs.writeSync(fd, bytes),
      datasync: () => fs.fdatasyncSync(fd),
      close: () => fs.closeSync(fd),
    }
  },
  rename: fs.renameSync,
  remove: path => fs.rmSync(path, { force: true }),
  makeDirectory: path => fs.mkdirSync(path, { recursive: true, mode: 0o700 }),
  syncDirectory: path => {
    const fd = fs.openSync(path, 'r')
    try {
      fs.fsyncSync(fd)
    } finally {
      fs.closeSync(fd)
    }
  },
}
