/**
 * An open segment: reads exact ranges of it and nothing else. Segments never change, so that the same
 * open file may serve any number of queries, also after its name is gone.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { basename } from 'node:path'
import { fileHeaderBytes, numberInHeader } from './file-header.ts'
import { segmentNumberIn } from './files.ts'
import { SegmentCorrupt } from './segment-error.ts'

export class SegmentFile {
  readonly path: string
  /** The number that every checksum in the file must have been made with. */
  readonly number: number
  readonly fileBytes: number
  /** -1 once it is closed: the system gives the number to the next file. */
  #fd: number

  /**
   * Opens a file; `close` it afterwards. Without `number`, the name of the file says it, or, for a
   * file under some other name, its header (a damaged one: SegmentCorrupt).
   */
  constructor(path: string, number?: number) {
    this.path = path
    this.#fd = fs.openSync(path, 'r')
    try {
      this.fileBytes = fs.fstatSync(this.#fd).size
      this.number = number ?? segmentNumberIn(basename(path)) ?? this.#ownNumber()
    } catch (error) {
      this.close()
      throw error
    }
  }

  /**
   * Reads `bytes` bytes at `offset` into memory of their own, aligned for any typed array.
   * Throws SegmentCorrupt when the file does not have them.
   */
  read(offset: number, bytes: number): Buffer {
    assert(this.#fd !== -1, 'a closed segment is not read')
    if (offset + bytes > this.fileBytes) {
      throw new SegmentCorrupt(this.path, offset, `the file ends before ${bytes} bytes`)
    }
    const buffer = Buffer.allocUnsafeSlow(bytes)
    let read = 0
    while (read < bytes) {
      const count = fs.readSync(this.#fd, buffer, read, bytes - read, offset + read)
      if (count === 0) {
        throw new SegmentCorrupt(this.path, offset, `the file ends before ${bytes} bytes`)
      }
      read += count
    }
    return buffer
  }

  /** A second call does nothing. */
  close(): void {
    if (this.#fd === -1) return
    fs.closeSync(this.#fd)
    this.#fd = -1
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
): T {
  const file = new SegmentFile(path, number)
  try {
    return use(file)
  } finally {
    file.close()
  }
}
