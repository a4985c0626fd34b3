/**
 * The receipts of a journal file that was sealed, in `receipts/00000012.receipts`: segments have none. The
 * file is durable before the segments are, and the journal file is deleted after these.
 *
 *     ┌─────────────────────┬───────────────┬────────────────┬─────────────┬──────────────────┐
 *     │ magic <8> LSRECEIP  │ version <u32> │ journal <u32>  │ count <u32> │ payload <u32>    │
 *     ├─────────────────────┼───────────────┼────────────────┴─────────────┴──────────────────┘
 *     │ newest time <f64>   │ crc <u32>     │ payload: a msgpack array of `packReceipts`, one a frame
 *     └─────────────────────┴───────────────┘
 *
 * All numbers are little-endian; `crc` is the CRC-32 of the bytes before it and of the payload.
 */
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Packr, Unpackr } from 'msgpackr'
import type { Disk } from '../../disk/disk.ts'
import { readAt } from '../../disk/read.ts'
import { type FrameReceipts, packReceipts, unpackReceipts } from '../../journal/receipts.ts'
import { DurableFile } from '../../segment/durable-file.ts'
import { crashPoint } from '../crash-point.ts'
import { keyCount } from './receipt-table.ts'

export const receiptsMagic = Buffer.from('LSRECEIP', 'latin1')
const formatVersion = 1
const headerBytes = 36
const crcAt = 32

const packr = new Packr({ useRecords: false, moreTypes: false })
const unpackr = new Unpackr({ useRecords: false })

/** What a file says of itself. */
export interface ReceiptFileHeader {
  /** Number of the journal file. */
  readonly journal: number
  readonly count: number
  /** The latest time of receipt, ms since 1970. */
  readonly newestTime: number
}

/** The path of the receipts of journal file `journal`, such as `00000042.receipts`. */
export function receiptPath(directory: string, journal: number): string {
  return join(directory, `${String(journal).padStart(8, '0')}.receipts`)
}

/** Numbers of the journal files whose receipts are in a directory, ascending; none when there is none. */
export function listReceiptFiles(directory: string, disk: Disk): number[] {
  if (disk.sizeSync(directory) === undefined) return []
  return disk
    .listSync(directory)
    .flatMap(name => /^(\d{8,})\.receipts$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

/** Gathers the receipts of a journal file's frames, copies of them. */
export class GatheredReceipts {
  readonly #frames: Buffer[] = []
  #count = 0
  #newestTime = 0

  add(receipts: FrameReceipts): void {
    const { time, eventKeys, requests } = receipts
    this.#frames.push(packReceipts(receipts))
    this.#count += keyCount(eventKeys) + requests.length
    for (const one of [time, ...requests.map(request => request.time)]) {
      this.#newestTime = Math.max(this.#newestTime, one)
    }
  }

  /** Makes the file durable, if there is anything to be in it. Throws SegmentWriteFailed. */
  write(directory: string, journal: number, disk: Disk): void {
    if (this.#frames.length === 0) return
    const payload = packr.pack(this.#frames)
    const header = Buffer.alloc(headerBytes)
    receiptsMagic.copy(header)
    header.writeUInt32LE(formatVersion, 8)
    header.writeUInt32LE(journal, 12)
    header.writeUInt32LE(this.#count, 16)
    header.writeUInt32LE(payload.length, 20)
    header.writeDoubleLE(this.#newestTime, 24)
    header.writeUInt32LE(crc32(payload, crc32(header.subarray(0, crcAt))), crcAt)
    const file = new DurableFile(receiptPath(directory, journal), disk)
    file.append(header)
    file.append(payload)
    file.commit()
    crashPoint('receipts:written')
  }
}

export interface ReadReceiptFile extends ReceiptFileHeader {
  readonly frames: Iterable<FrameReceipts>
}

/** Why a file of receipts cannot be read, in words for people. */
export interface ReceiptFileFault {
  readonly fault: string
  /** Or it is of a version that is not known. */
  readonly isDamage: boolean
}

/** Reads a file of receipts whole, or says what is wrong with it. Throws what the disk says. */
export function readReceiptFile(path: string, disk: Disk): ReadReceiptFile | ReceiptFileFault {
  const input = disk.openSync(path)
  let bytes: Buffer
  try {
    bytes = readAt(input, 0, input.size())
  } finally {
    input.close()
  }
  if (bytes.length < headerBytes) return damage('the file ends inside its header')
  if (!bytes.subarray(0, 8).equals(receiptsMagic)) return damage('the file has no receipts')
  const version = bytes.readUInt32LE(8)
  if (version !== formatVersion) {
    const fault = `the file has format ${version}, known is ${formatVersion}`
    return { fault, isDamage: false }
  }
  const payload = bytes.subarray(headerBytes)
  if (payload.length !== bytes.readUInt32LE(20)) return damage('the file is cut off, or too long')
  const crc = crc32(payload, crc32(bytes.subarray(0, crcAt)))
  if (crc !== bytes.readUInt32LE(crcAt)) return damage('the file is damaged')
  return {
    journal: bytes.readUInt32LE(12),
    count: bytes.readUInt32LE(16),
    newestTime: bytes.readDoubleLE(24),
    frames: framesOf(payload),
  }
}

const damage = (fault: string): ReceiptFileFault => ({ fault, isDamage: true })

function* framesOf(payload: Buffer): Generator<FrameReceipts> {
  for (const packed of unpackr.unpack(payload) as Buffer[]) yield unpackReceipts(packed)
}
