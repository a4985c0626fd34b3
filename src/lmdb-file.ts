/**
 * A look at a file before LMDB opens it: LMDB trusts what it maps, and a file that is not its own ends
 * the process with a segmentation fault instead of an error.
 */
import fs from 'node:fs'

/** In the meta page, behind the page header of 24 bytes (`MDB_MAGIC` of LMDB's mdb.c). */
const magic = 0xbeefc0de
const magicOffset = 24

/** What lies at a path: nothing (or an empty file), an LMDB file by its mark, or something else. */
export function lmdbFileAt(path: string): 'nothing' | 'lmdb' | 'foreign' {
  let fd: number
  try {
    fd = fs.openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'nothing'
    throw error
  }
  try {
    const start = Buffer.alloc(magicOffset + 4)
    const bytes = fs.readSync(fd, start, 0, start.length, 0)
    if (bytes === 0) return 'nothing'
    return start.readUInt32LE(magicOffset) === magic ? 'lmdb' : 'foreign'
  } finally {
    fs.closeSync(fd)
  }
}
