/** What kinds of files `logstrata inspect` knows, and what it says about any of them. */
import fs from 'node:fs'
import { basename, join } from 'node:path'
import { isCopyName } from '../../catalog/copies/copy-files.ts'
import { fileMagic as segmentMagic } from '../../segment/file-header.ts'
import { receiptsMagic } from '../../store/receipts/receipt-file.ts'

/** A place in a file where it is not what it should be. */
export interface Fault {
  readonly offset: number
  readonly what: string
}

/** A file of records, as it is shown. */
export interface FileDescription {
  readonly path: string
  readonly number: number
  readonly bytes: number
  readonly recordCount: number
  readonly faults: readonly Fault[]
}

/** A block or a frame of it. */
export interface PartDescription {
  readonly offset: number
  readonly bytes: number
  readonly recordCount: number
  readonly minTimestamp: string
  readonly maxTimestamp: string
}

export type FileKind = 'segment' | 'journal' | 'receipts' | 'catalog' | 'index'

const journalMagic = Buffer.from('LSJOURNL', 'latin1')

/** What a file says that it is, in its first bytes or, when these are damaged, by its name. */
export function kindOf(path: string): FileKind | undefined {
  const start = Buffer.alloc(8)
  const fd = fs.openSync(path, 'r')
  try {
    fs.readSync(fd, start, 0, 8, 0)
  } finally {
    fs.closeSync(fd)
  }
  if (start.equals(segmentMagic)) return 'segment'
  if (start.equals(journalMagic)) return 'journal'
  if (start.equals(receiptsMagic)) return 'receipts'
  return kindByName(basename(path))
}

function kindByName(name: string): FileKind | undefined {
  if (name === 'catalog.lmdb' || isCopyName(name)) return 'catalog'
  if (name === 'index.lmdb') return 'index'
  if (/^\d{8,}\.seg$/.test(name)) return 'segment'
  if (/^\d{8,}\.receipts$/.test(name)) return 'receipts'
  return /^\d{8,}\.log$/.test(name) ? 'journal' : undefined
}

/** All files below a directory that we know, in order of their paths. */
export function filesBelow(directory: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(found => found.isFile() && kindByName(found.name) !== undefined)
    .map(found => join(found.parentPath, found.name))
    .sort()
}

/** A timestamp for people; every Timestamp has one. */
export function iso(timestamp: number): string {
  return new Date(timestamp).toISOString()
}
