/**
 * The index on stream, time and level, in LMDB: one small entry per stream and run of records on
 * disk, never one per record. From it a query learns which parts of the files it must read, and often
 * the answer itself.
 *
 * Databases inside the environment:
 * - `streams`: `[service, environment]` → `[id, longest time span of an entry in ms]`
 * - `entries`: `[stream id, min timestamp, file, offset]` →
 *   `[max timestamp, bytes of the range, record count, level, count, level, count, …]`
 * - `files`: journal file number → `[bytes indexed, 1 when no frames will come, next sequence]`
 *
 * It is a cache: everything in it can be made again from the files, and is when it is missing or does
 * not agree with them.
 */
import fs from 'node:fs'
import { type Database, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import type { JournalRange } from '../journal/range.ts'
import { lmdbFileAt } from '../lmdb-file.ts'
import type { Sequence, Stream, Timestamp } from '../record.ts'

/** What one stream has in one range of a journal file. */
export interface IndexEntry {
  readonly stream: Stream
  readonly minTimestamp: Timestamp
  readonly maxTimestamp: Timestamp
  readonly recordCount: number
  /** Level and count in turn; only levels that occur. */
  readonly levelCounts: readonly (string | number)[]
  readonly file: number
  readonly offset: number
  /** Bytes of the whole range, which holds other streams too. */
  readonly bytes: number
}

/** How far a journal file is in the index. */
export interface FileProgress {
  readonly indexedBytes: number
  /** No frames will come: the process that wrote it has ended, or it was rotated. */
  readonly isClosed: boolean
  /** One more than the last record's sequence, of all files up to this one. */
  readonly nextSequence: Sequence
}

type EntryKey = [stream: number, minTimestamp: Timestamp, file: number, offset: number]
type EntryValue = [
  maxTimestamp: Timestamp,
  bytes: number,
  recordCount: number,
  ...levelCounts: (string | number)[],
]

interface IndexedStream extends Stream {
  readonly id: number
  spanMsMax: number
}

const formatVersion = 1

/** Opens the index at `path`, making it anew when it is missing, not LMDB's, or of another format. */
export function openBlockIndex(path: string): BlockIndex {
  if (lmdbFileAt(path) === 'foreign') fs.rmSync(path)
  return new BlockIndex(
    open({
      path,
      maxDbs: 8,
      noSubdir: true,
      permissionsMode: 0o600, // Not in lmdb's types; it is in its `env.cpp`.
      // With lmdb's batching by event turns a failed commit (a full disk) ends the process, because
      // a promise that nobody can reach rejects.
      eventTurnBatching: false,
    } as RootDatabaseOptionsWithPath),
  )
}

export class BlockIndex {
  readonly #root: RootDatabase
  readonly #entries: Database<EntryValue, EntryKey>
  readonly #streamIds: Database<[id: number, spanMsMax: number], [string, string]>
  readonly #files: Database<[indexedBytes: number, isClosed: 0 | 1, Sequence], number>
  readonly #streams = new Map<string, IndexedStream>()

  constructor(root: RootDatabase) {
    this.#root = root
    this.#entries = root.openDB({ name: 'entries' })
    this.#streamIds = root.openDB({ name: 'streams' })
    this.#files = root.openDB({ name: 'files' })
    if (root.get('format') !== formatVersion) this.clear()
    for (const { key, value } of this.#streamIds.getRange()) {
      const [service, environment] = key
      this.#remember({ service, environment, id: value[0], spanMsMax: value[1] })
    }
  }

  /** Forgets everything, so that it can be built again from the files. */
  clear(): void {
    this.#root.transactionSync(() => {
      this.#entries.clearSync()
      this.#streamIds.clearSync()
      this.#files.clearSync()
      this.#root.put('format', formatVersion)
    })
    this.#streams.clear()
  }

  get streams(): Iterable<Stream> {
    return this.#streams.values()
  }

  /** How far each journal file is indexed, by file number. */
  fileProgress(): Map<number, FileProgress> {
    const progress = new Map<number, FileProgress>()
    for (const { key, value } of this.#files.getRange()) {
      const [indexedBytes, isClosed, nextSequence] = value
      progress.set(key, { indexedBytes, isClosed: isClosed === 1, nextSequence })
    }
    return progress
  }

  /**
   * Adds ranges and notes how far their file is indexed, all or nothing. Resolves when committed;
   * what is added together or one after the other is committed in that order.
   */
  async add(ranges: readonly JournalRange[], file: number, progress: FileProgress): Promise<void> {
    await this.#root.transaction(() => {
      for (const range of ranges) this.#put(range)
      const isClosed = progress.isClosed ? 1 : 0
      this.#files.put(file, [progress.indexedBytes, isClosed, progress.nextSequence])
    })
  }

  /**
   * Entries of the streams that `isWanted`, with a time in common with `[startTime, endTime]`, in
   * order of stream and time.
   */
  *entries(
    isWanted: (stream: Stream) => boolean,
    startTime: Timestamp,
    endTime: Timestamp,
  ): Generator<IndexEntry> {
    for (const stream of this.#streams.values()) {
      if (!isWanted(stream)) continue
      // No entry of the stream is longer than its longest, so none that begins earlier reaches in.
      const start: EntryKey = [stream.id, startTime - stream.spanMsMax, 0, 0]
      const end: EntryKey = [stream.id, endTime, Number.MAX_SAFE_INTEGER, 0]
      for (const { key, value } of this.#entries.getRange({ start, end })) {
        const [maxTimestamp, bytes, recordCount, ...levelCounts] = value
        if (maxTimestamp < startTime) continue
        const [, minTimestamp, file, offset] = key
        yield {
          stream,
          minTimestamp,
          maxTimestamp,
          recordCount,
          levelCounts,
          file,
          offset,
          bytes,
        }
      }
    }
  }

  async close(): Promise<void> {
    await this.#root.close()
  }

  #put(range: JournalRange): void {
    for (const summary of range.streams) {
      const stream = this.#streamFor(summary)
      const spanMs = summary.maxTimestamp - summary.minTimestamp
      if (spanMs > stream.spanMsMax) {
        stream.spanMsMax = spanMs
        this.#streamIds.put([stream.service, stream.environment], [stream.id, spanMs])
      }
      const key: EntryKey = [stream.id, summary.minTimestamp, range.file, range.offset]
      const levelCounts = [...summary.levelCounts].flat()
      this.#entries.put(key, [
        summary.maxTimestamp,
        range.bytes,
        summary.recordCount,
        ...levelCounts,
      ])
    }
  }

  #streamFor({ service, environment }: Stream): IndexedStream {
    const known = this.#streams.get(streamKey(service, environment))
    if (known !== undefined) return known
    const stream = { service, environment, id: this.#streams.size + 1, spanMsMax: 0 }
    this.#streamIds.put([service, environment], [stream.id, 0])
    this.#remember(stream)
    return stream
  }

  #remember(stream: IndexedStream): void {
    this.#streams.set(streamKey(stream.service, stream.environment), stream)
  }
}

function streamKey(service: string, environment: string): string {
  return `${service}\0${environment}`
}
