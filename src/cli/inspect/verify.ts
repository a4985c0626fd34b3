/** The checks of `logstrata inspect --verify`: of one file, and of a whole data directory or backup. */
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { realDisk } from '../../disk/real-disk.ts'
import { SegmentCorrupt, SegmentVersionUnknown } from '../../segment/segment-error.ts'
import { missingParts } from '../../store/backup-manifest.ts'
import { readReceiptFile } from '../../store/receipts/receipt-file.ts'
import { type Fault, type FileKind, filesBelow, kindOf } from './file.ts'
import { faultsOfIndex } from './index-file.ts'
import { faultsOfJournal } from './journal.ts'
import { faultsOfCatalog } from './lmdb.ts'
import { faultsOfSegment } from './segment.ts'

export interface Verdict {
  readonly path: string
  /** Absent for what is not there, and for what nobody knows. */
  readonly kind?: FileKind
  readonly faults: readonly Fault[]
}

/** A file that is not one of ours. */
export class NotOurs extends Error {}

/** Everything that is wrong with a file. Throws NotOurs, and what reading it throws. */
export function faultsOf(
  path: string,
  kind: FileKind,
): readonly Fault[] | Promise<readonly Fault[]> {
  if (kind === 'segment') return faultsOfSegment(path)
  if (kind === 'journal') return faultsOfJournal(path)
  if (kind === 'receipts') return faultsOfReceipts(path)
  return kind === 'catalog' ? faultsOfCatalog(path) : faultsOfIndex(path)
}

function faultsOfReceipts(path: string): Fault[] {
  const read = readReceiptFile(path, realDisk)
  return 'fault' in read ? [{ offset: 0, what: read.fault }] : []
}

/**
 * All files below a directory, one after the other; of a backup also what it lacks. Others get their turn
 * between two files.
 */
export async function* verifyDirectory(directory: string): AsyncGenerator<Verdict> {
  for (const path of filesBelow(directory)) {
    yield await verifyFile(path)
    await nextTurn()
  }
  for (const { path, what } of missingParts(directory) ?? []) {
    yield {
      path: join(directory, path),
      faults: [{ offset: 0, what: `of this backup, it ${what}` }],
    }
  }
}

async function verifyFile(path: string): Promise<Verdict> {
  try {
    const kind = kindOf(path)
    if (kind === undefined) throw new NotOurs('none of the files of a data directory')
    return { path, kind, faults: await faultsOf(path, kind) }
  } catch (error) {
    return { path, faults: [faultOf(error)] }
  }
}

/** What to say of a file that cannot be read at all. Rethrows what is our own mistake. */
export function faultOf(error: unknown): Fault {
  if (error instanceof SegmentCorrupt) return { offset: error.offset, what: error.what }
  if (error instanceof SegmentVersionUnknown || error instanceof NotOurs) {
    return { offset: 0, what: error.message }
  }
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined) throw error
  return { offset: 0, what: `cannot be read (${code})` }
}

/** One line for a file that is whole, or one for each of its faults. */
export function verdictText({ path, faults }: Verdict): string {
  if (faults.length === 0) return `${path}: whole\n`
  return faults.map(({ offset, what }) => `${path}: offset ${offset}: ${what}\n`).join('')
}
