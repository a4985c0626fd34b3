/**
 * Fetches records from ClickHouse for one query and puts them down in a file laid out as one of the journal,
 * which scan threads read as they read the journal: so every question of the language is answered by the same
 * code. In a thread of its own; memory is a batch and what the socket gives.
 */
import fs from 'node:fs'
import { ShortWrite } from '../../disk/disk-full.ts'
import { BatchWriter } from '../../journal/batch-writer.ts'
import { encodeFileHeader, fileHeaderBytes } from '../../journal/files.ts'
import { encodeFrameHeader, frameHeaderBytes } from '../../journal/frame.ts'
import { batchBytesTarget } from '../../journal/journal.ts'
import { goesOn, type JournalRange, RangeBuilder } from '../../journal/range.ts'
import { type Connection, failureOf, type Statement } from './connection.ts'
import { RowReader } from './row-reader.ts'

export interface FetchTask {
  readonly url: string
  readonly statement: Omit<Statement, 'signal'>
  /** Made; the caller removes it. `file`: its number, of `fetchedFilesFrom` on. */
  readonly path: string
  readonly file: number
  readonly bytesMax: number
  /** One integer in shared memory; not zero: the answer is no longer wanted. */
  readonly cancelled: Int32Array
}

/** What was put down: plain data. */
export type Fetched = { readonly ranges: readonly JournalRange[] } | FetchRefused
export type FetchRefused = 'too-large' | 'cancelled'

/** Records of a batch at most: a bound on the sequences that are kept beside. */
const batchRecordsMax = 65_536

/** Throws ClickHouseFailed, or an Error of the disk. */
export async function fetchRecords(
  task: FetchTask,
  connection: Pick<Connection, 'bytes'>,
): Promise<Fetched> {
  const abort = new AbortController()
  const file = new FetchedFile(task.path, task.file)
  try {
    const stream = await connection.bytes({ ...task.statement, signal: abort.signal })
    const reader = new RowReader(file.writer, sequence => file.note(sequence))
    try {
      for await (const chunk of stream) {
        reader.add(chunk)
        if (Atomics.load(task.cancelled, 0) !== 0) return 'cancelled'
        if (file.bytes > task.bytesMax) return 'too-large'
      }
    } catch (error) {
      throw failureOf(error)
    }
    reader.end()
    return { ranges: file.end() }
  } finally {
    abort.abort()
    file.close()
  }
}

class FetchedFile {
  readonly writer = new BatchWriter()
  readonly #fd: number
  readonly #file: number
  readonly #sequences = new Float64Array(batchRecordsMax)
  readonly #ranges: RangeBuilder[] = []
  #bytes = fileHeaderBytes

  constructor(path: string, file: number) {
    this.#fd = fs.openSync(path, 'wx', 0o600)
    this.#file = file
    fs.writeSync(this.#fd, encodeFileHeader(file))
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The last record of the batch under way arrived as this one. */
  note(sequence: number): void {
    const { recordCount, approximateBytes } = this.writer
    this.#sequences[recordCount - 1] = sequence
    if (recordCount === batchRecordsMax || approximateBytes >= batchBytesTarget) this.#putDown()
  }

  /** Ends the file; what is in it. */
  end(): JournalRange[] {
    if (this.writer.recordCount > 0) this.#putDown()
    return this.#ranges.map(range => ({
      file: range.file,
      offset: range.offset,
      bytes: range.bytes,
      recordCount: range.recordCount,
      maxSequence: range.maxSequence,
      streams: [...range.streams],
    }))
  }

  close(): void {
    fs.closeSync(this.#fd)
  }

  #putDown(): void {
    const sequences = this.#sequences.subarray(0, this.writer.recordCount)
    const batch = this.writer.encodeFetched(sequences)
    const { payload, recordCount, minTimestamp, maxTimestamp, streams } = batch
    const place = { file: this.#file, offset: this.#bytes }
    const header = {
      ...{ payloadBytes: payload.length, recordCount, minTimestamp, maxTimestamp },
      firstSequence: sequences[0]!,
    }
    const written = fs.writevSync(this.#fd, [encodeFrameHeader(header, payload, place), payload])
    const bytes = frameHeaderBytes + payload.length
    if (written < bytes)
      throw new ShortWrite('no space is left on the disk for records of ClickHouse')
    this.#bytes += bytes
    const frame = { ...place, bytes, header, streams }
    const last = this.#ranges.at(-1)
    if (last !== undefined && goesOn(last, frame)) last.add(frame)
    else {
      const range = new RangeBuilder(place.file, place.offset)
      range.add(frame)
      this.#ranges.push(range)
    }
  }
}
