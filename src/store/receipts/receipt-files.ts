/** The files of receipts of a store: read at the start, and deleted when all of them are forgotten. */
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import type { Disk } from '../../disk/disk.ts'
import { crashPoint } from '../crash-point.ts'
import {
  listReceiptFiles,
  type ReceiptFileFault,
  type ReceiptFileHeader,
  readReceiptFile,
  receiptPath,
} from './receipt-file.ts'
import type { Receipts, ReceiptsOptions } from './receipts.ts'

export interface ReceiptFilesParts extends ReceiptsOptions {
  readonly paths: { readonly receipts: string; readonly quarantine: string }
  readonly disk: Disk
  readonly logger: Logger
}

export class ReceiptFiles {
  readonly #parts: ReceiptFilesParts
  /** By the number of their journal file; `undefined`: of one that cannot be read. */
  readonly #headers = new Map<number, ReceiptFileHeader | undefined>()

  constructor(parts: ReceiptFilesParts) {
    this.#parts = parts
  }

  /** Reads what is there into `receipts`, oldest first. What cannot be read is said, and kept. */
  readInto(receipts: Receipts): void {
    const { paths, disk } = this.#parts
    for (const journal of listReceiptFiles(paths.receipts, disk)) {
      const read = this.#read(journal)
      if (read === undefined) continue
      try {
        for (const frame of read.frames) receipts.note(frame)
      } catch {
        // Under a checksum that holds: whoever wrote it was mistaken. It costs its keys, and no start.
        this.#leaveOut(journal, { fault: 'what it holds are none', isDamage: true })
      }
    }
  }

  /** Deletes files of which nothing is remembered any more: too old, or too many keys came after them. */
  async prune(): Promise<void> {
    const { paths, disk, countMax, ageMsMax, now } = this.#parts
    let newerKeys = 0
    for (const journal of listReceiptFiles(paths.receipts, disk).reverse()) {
      const header = this.#headers.get(journal) ?? this.#read(journal)
      if (header === undefined) continue
      const isOver = newerKeys >= countMax || now() - header.newestTime > ageMsMax
      newerKeys += header.count
      if (!isOver) continue
      this.#headers.delete(journal)
      await disk.removeDurably(receiptPath(paths.receipts, journal))
      crashPoint('receipts:removed-one')
    }
  }

  /** Of a file that cannot be read: nothing, and one that is damaged is moved to the quarantine. */
  #read(journal: number) {
    const { paths, disk } = this.#parts
    const read = readReceiptFile(receiptPath(paths.receipts, journal), disk)
    if ('fault' in read) {
      this.#leaveOut(journal, read)
      return undefined
    }
    const { count, newestTime } = read
    this.#headers.set(journal, { journal, count, newestTime })
    return read
  }

  #leaveOut(journal: number, { fault, isDamage }: ReceiptFileFault): void {
    const { paths, disk, logger } = this.#parts
    const path = receiptPath(paths.receipts, journal)
    this.#headers.delete(journal)
    const name = basename(path)
    const text = `receipts cannot be read (${fault}): retries of what they are of may be stored twice`
    if (isDamage) {
      disk.makeDirectorySync(paths.quarantine)
      disk.renameSync(path, join(paths.quarantine, name))
    }
    logger.warn({ file: name, ...(isDamage && { keptAs: `quarantine/${name}` }) }, text)
  }
}
