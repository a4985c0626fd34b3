/**
 * The journal's files: their names, and the header that each begins with.
 *
 *     ┌────────────────────┬────────────────┬──────────────────┬───────────┐
 *     │ magic <8> LSJOURNL │ version <u32>  │ file number <u32>│ crc <u32> │
 *     └────────────────────┴────────────────┴──────────────────┴───────────┘
 *
 * `crc` is the CRC-32 of the 16 bytes before it. Frames follow, see `frame.ts`. A file is never
 * written again after the process that made it has ended: each start begins a new one.
 */
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Disk } from '../disk/disk.ts'
import { realDisk } from '../disk/real-disk.ts'

export const fileHeaderBytes = 20

/**
 * Numbers from here to 2^32 are of files in which records of another store were put down for a query: these
 * did not arrive one after the other, and each batch says when its own did. The journal's begin at 1.
 */
export const fetchedFilesFrom = 2 ** 31

const magic = Buffer.from('LSJOURNL', 'latin1')
const formatVersion = 1

/** The path of journal file `file`, from 1 on, such as `00000042.log`. */
export function journalPath(directory: string, file: number): string {
  return join(directory, `${String(file).padStart(8, '0')}.log`)
}

/** Numbers of the journal files in a directory, ascending. Other names are left alone. */
export function listJournalFiles(directory: string, disk: Disk = realDisk): number[] {
  const numbers: number[] = []
  for (const name of disk.listSync(directory)) {
    const match = /^(\d{8,})\.log$/.exec(name)
    if (match) numbers.push(Number(match[1]))
  }
  return numbers.sort((a, b) => a - b)
}

/** The header of journal file `file`, which is less than 2^32. */
export function encodeFileHeader(file: number): Buffer {
  const bytes = Buffer.alloc(fileHeaderBytes)
  magic.copy(bytes, 0)
  bytes.writeUInt32LE(formatVersion, 8)
  bytes.writeUInt32LE(file, 12)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 16)), 16)
  return bytes
}

/** What is wrong with a file's header, in words for the log; undefined when nothing is. */
export function faultOfFileHeader(bytes: Buffer, file: number): string | undefined {
  if (bytes.length < fileHeaderBytes) return 'the file ends inside its header'
  if (!bytes.subarray(0, 8).equals(magic)) return 'the file is not a journal file'
  if (crc32(bytes.subarray(0, 16)) !== bytes.readUInt32LE(16)) return 'the header is damaged'
  const version = bytes.readUInt32LE(8)
  if (version !== formatVersion) return `the file has format ${version}, known is ${formatVersion}`
  const number = bytes.readUInt32LE(12)
  if (number !== file) return `the file is number ${number} under the name of ${file}`
  return undefined
}
