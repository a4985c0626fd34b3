/** The disk of this machine. Files are their owner's alone (0600, directories 0700). */
import fs from 'node:fs'
import { link, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { AppendFile, Disk, InputFile, OutputFile } from './disk.ts'
import { refuseDirectory } from './refuse-directory.ts'
import { removeInSteps } from './remove-in-steps.ts'
import { syncDirectory } from './sync-directory.ts'

export const realDisk: Disk = {
  create: createFile,
  remove: unlink,
  removeDurably: removeInSteps,
  syncDirectory,
  link,
  copy: copyFile,
  openSync: openInput,
  createSync: createOutput,
  renameSync: fs.renameSync,
  removeSync: path => fs.rmSync(path, { force: true }),
  makeDirectorySync: path => fs.mkdirSync(path, { recursive: true, mode: 0o700 }),
  syncDirectorySync: path => {
    const fd = fs.openSync(path, 'r')
    try {
      fs.fsyncSync(fd)
    } finally {
      fs.closeSync(fd)
    }
  },
  listSync: path => fs.readdirSync(path),
  sizeSync: path => fs.statSync(path, { throwIfNoEntry: false })?.size,
}

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

/** The copy shares its blocks with the file where the file system can. */
async function copyFile(from: string, to: string): Promise<void> {
  const { COPYFILE_EXCL, COPYFILE_FICLONE } = fs.constants
  await fs.promises.copyFile(from, to, COPYFILE_EXCL | COPYFILE_FICLONE)
  await fs.promises.chmod(to, 0o600)
}

function openInput(path: string): InputFile {
  const fd = fs.openSync(path, 'r')
  return {
    size: () => fs.fstatSync(fd).size,
    read: (buffer, at, bytes, offset) => {
      try {
        return fs.readSync(fd, buffer, at, bytes, offset)
      } catch (error) {
        refuseDirectory(path)
        throw error
      }
    },
    close: () => fs.closeSync(fd),
  }
}

function createOutput(path: string): OutputFile {
  const fd = fs.openSync(path, 'w', 0o600)
  return {
    write: bytes => fs.writeSync(fd, bytes),
    datasync: () => fs.fdatasyncSync(fd),
    close: () => fs.closeSync(fd),
  }
}
