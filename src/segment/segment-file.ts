/**
 * An open segment: reads exact ranges of it and nothing else. Segments never change, so that the same
 * open file may serve any number of queries, also after its name is gone.
 */
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import type { Disk, InputFile } from '../disk/disk.ts'
import { readInto } from '../disk/read.ts'
import { realDisk } from '../disk/real-disk.ts'
import { fileHeaderBytes, numberInHeader } from './file-header.ts'
import { segmentNumberIn } from './files.ts'
import { SegmentCorrupt } from './segment-error.ts'

export class SegmentFile {
  readonly path: string
  /** The number that every checksum in the file must have been made with. */
  readonly number: number
  readonly fileBytes: number
  /** Undefined once it is closed. */
  #input: InputFile | undefined

  /**
   * Opens a file; `close` it afterwards. Without `number`, the name of the file says it, or, for a
   * file under some other name, its header (a damaged one: SegmentCorrupt).
   */
  constructor(path: string, number?: number, disk: Disk = realDisk) {
    this.path = path
    this.#input = disk.openSync(path)
    try {
      this.fileBytes = this.#input.size()
      this.number = number ?? segmentNumberIn(basename(path)) ?? this.#ownNumber()
    } catch (error) {
      this.close()
      throw error
    }
  }

  /**
   * Reads `bytes` bytes at `offset` into memory of their own, aligned for any typed array, which `allocate`
   * gives. Throws SegmentCorrupt when the file does not have them.
   */
  read(offset: number, bytes: number, allocate = Buffer.allocUnsafeSlow): Buffer {
    this.#checkRange(offset, bytes)
    const buffer = allocate(bytes)
    this.readOver(buffer, offset)
    return buffer
  }

  /** Fills a buffer from `offset` on. Throws SegmentCorrupt when the file does not have so much. */
  readOver(buffer: Buffer, offset: number): void {
    assert(this.#input !== undefined, 'a closed segment is not read')
    this.#checkRange(offset, buffer.length)
    if (readInto(buffer, this.#input, offset) < buffer.length) {
      throw this.#endsBefore(offset, buffer.length)
    }
  }

  /** A second call does nothing. */
  close(): void {
    this.#input?.close()
    this.#input = undefined
  }

  /** Before there is memory for it: what is damaged may ask for any number of bytes. */
  #checkRange(offset: number, bytes: number): void {
    if (offset + bytes > this.fileBytes) throw this.#endsBefore(offset, bytes)
  }

  #endsBefore(offset: number, bytes: number): SegmentCorrupt {
    return new SegmentCorrupt(this.path, offset, `the file ends before ${bytes} bytes`)
  }

  #ownNumber(): number {
    const bytes = this.read(0, Math.min(fileHeaderBytes, this.fileBytes))
    const number = numberInHeader(bytes)
    if (number === undefined) {
      throw new SegmentCorrupt(this.path, 0, 'neither the name nor the header says the number')
    }
    return number
  }
}

/** Calls `use` with an open segment and closes it, whatever happens. */
export function withSegmentFile<T>(
  path: string,
  number: number | undefined,
  use: (file: SegmentFile) => T,
  disk: Disk = realDisk,
): T {
  const file = new SegmentFile(path, number, disk)
  try {
    return use(file)
  } finally {
    file.close()
  }
}
