/**
 * The index on stream, time and level, in LMDB: one small entry per block of a segment, never one per
 * record (97,000 puts a second would cap ingest). From it a query learns which blocks it must read,
 * and often the answer itself.
 *
 * Databases inside the environment:
 * - `streams`: `[service, environment]` → `[id, longest time span of a block in ms]`
 * - `blocks`: `[stream id, min timestamp, segment, directory offset]` →
 *   `[max timestamp, directory bytes, directory checksum, block bytes, record count, offset, bytes and
 *   checksum of the skip index, number of the block in it, level, count, level, count, …]`
 * - `retired` (in the root): one more than the highest number and sequence of what was deleted
 * - `journals`: numbers of the journal files that are not sealed yet, so that a missing one is noticed
 *
 * The last two have checksums. All else is a cache: it can be made again from the segments' footers, and is
 * when it is missing or does not agree with them (`README.md` says when that is found out).
 */
import type { RootDatabase } from 'lmdb'
import { answered, LmdbSilent, lmdbAnswerMs } from '../lmdb/answer.ts'
import { commitCause } from '../lmdb/file.ts'
import type { Sequence, Stream, Timestamp } from '../record.ts'
import { InTurn } from '../threads/in-turn.ts'
import { allEntries, type EntryFilter, type IndexEntry } from './entry.ts'
import { IndexDatabases, type IndexedBlock } from './index-databases.ts'
import {
  type BlockKey,
  blockOfEntry,
  journalChecksum,
  type Retired,
  type RetiredValue,
  retiredOf,
  retiredValue,
  rootKeys,
} from './index-entries.ts'
import type { IndexNotes } from './index-file.ts'
import { emptySummary, type SegmentSummary, withBlock } from './segment-summary.ts'
import type { BlockRef } from './source.ts'

export type { IndexedBlock } from './index-databases.ts'

/** Blocks by the number of their segment. */
export type BlocksBySegment = ReadonlyMap<number, readonly IndexedBlock[]>

interface IndexedStream extends Stream {
  readonly id: number
  readonly spanMsMax: number
}

interface BlockEntry extends IndexEntry {
  readonly source: BlockRef
}

/** Who goes through the entries of blocks. An object of a class, where it is often: V8 forgets what it has
 *  compiled of a function when there is none of its kind. */
export interface EntryTaker {
  isLive(source: BlockRef): boolean
  take(entry: BlockEntry): void
}

/** The files of an index, for rebuilding it while it is in use. */
export interface IndexFiles {
  /** Opens an empty environment beside the one in use. */
  openBeside(): RootDatabase
  /** Puts it in the place of the other, which is closed. */
  takePlace(): void
  /** Whatever was to be written is: the next start may rely on it. */
  closed(): void
}

export interface BlockIndexOptions {
  /** What a change may take, ms. */
  readonly answerMs?: number
  /** Absent: what is rebuilt is written over what was there. */
  readonly files?: IndexFiles
  /** To be taken over by an index that is new. */
  readonly notes?: IndexNotes
}

/** Entries kept decoded, about 300 bytes each; what is beyond is decoded for each query. */
const keptEntriesMax = 50_000

export class BlockIndex {
  readonly #answerMs: number
  readonly #files: IndexFiles | undefined
  #databases: IndexDatabases
  /** Whether a change was given up: then closing would wait for it. */
  #isSilent = false
  readonly #inTurn = new InTurn()
  #streams = new Map<string, IndexedStream>()
  /** Decoded entries by stream: decoding them again would be most of a small query's time. */
  readonly #kept = new Map<number, readonly BlockEntry[]>()
  #keptCount = 0
  /** As in the databases: an index that is rebuilt has nobody else to ask. */
  readonly #journals: Set<number>
  #retired: Retired

  constructor(
    root: RootDatabase,
    { answerMs = lmdbAnswerMs, files, notes }: BlockIndexOptions = {},
  ) {
    this.#answerMs = answerMs
    this.#files = files
    this.#databases = new IndexDatabases(root)
    const { streams, journals } = this.#databases
    for (const { key, value } of streams.getRange()) {
      const [service, environment] = key
      const stream = { service, environment, id: value[0], spanMsMax: value[1] }
      this.#streams.set(keyOf(stream), stream)
    }
    this.#journals = new Set([...journals.getKeys(), ...(notes?.journals ?? [])])
    const retired = notes?.retired ?? retiredOf(root.get(rootKeys.retired))
    this.#retired = retired ?? { nextNumber: 0, nextSequence: 0 }
    if (notes !== undefined) root.transactionSync(() => this.#putNotes(this.#databases))
  }

  /** What the index says of each segment of which it has a block. Reads all of it. */
  summaries(): Map<number, SegmentSummary> {
    const summaries = new Map<number, SegmentSummary>()
    const take = (entry: BlockEntry) => {
      const { segment, directory, bytes, skip } = entry.source
      const block = { ...entry, directory, blockBytes: bytes, skip }
      summaries.set(segment, withBlock(summaries.get(segment) ?? emptySummary, block))
    }
    this.visit(allEntries, { isLive: () => true, take })
    return summaries
  }

  /** Adds a segment's blocks, all or none. Resolves when committed. */
  addSegment(segment: number, blocks: readonly IndexedBlock[]): Promise<void> {
    return this.addSegments(new Map([[segment, blocks]]))
  }

  /** Adds the blocks of segments, all or none. Resolves when committed. */
  addSegments(segments: BlocksBySegment): Promise<void> {
    return this.#inTurn.run(async () => {
      const streams = streamsWith(segments, this.#streams)
      await this.#commit(this.#databases, () => putSegments(this.#databases, segments, streams))
      // Not before it is committed: a failed write must leave memory as it was.
      this.#streams = streams
      this.#forgetKept()
    })
  }

  /**
   * Rebuilds the index from the blocks of all segments, in an environment of its own, and goes over
   * to it in one turn of the event loop: what is damaged in the old one is not touched. No segment may be
   * added or removed meanwhile.
   */
  rebuild(segments: BlocksBySegment): Promise<void> {
    return this.#inTurn.run(async () => {
      const old = this.#databases
      const files = this.#files
      const fresh = files === undefined ? old : new IndexDatabases(files.openBeside())
      const streams = streamsWith(segments, new Map())
      await this.#commit(fresh, () => {
        fresh.clear()
        putSegments(fresh, segments, streams)
        this.#putNotes(fresh)
      })
      this.#databases = fresh
      this.#streams = streams
      this.#forgetKept()
      if (files === undefined) return
      await answered(old.root.close(), this.#answerMs)
      files.takePlace()
    })
  }

  /** The journal files that were not sealed when this was last said. */
  journals(): number[] {
    return [...this.#journals]
  }

  /** Notes that there is a journal file, or that there is none any more. */
  noteJournal(file: number, isThere: boolean): Promise<void> {
    return this.#inTurn.run(async () => {
      const { journals } = this.#databases
      await this.#commit(this.#databases, () => {
        if (isThere) journals.put(file, journalChecksum(file))
        else journals.remove(file)
      })
      if (isThere) this.#journals.add(file)
      else this.#journals.delete(file)
    })
  }

  /** Numbers from which on no segment and no record that was deleted has ever been. */
  get retired(): Retired {
    return this.#retired
  }

  /** Remembers that there were records up to this one, wherever they are now. Resolves when committed. */
  retire(nextSequence: Sequence): Promise<void> {
    return this.#inTurn.run(async () => {
      const { root } = this.#databases
      const { nextNumber } = this.#retired
      const retired = {
        nextNumber,
        nextSequence: Math.max(this.#retired.nextSequence, nextSequence),
      }
      await this.#commit(this.#databases, () => {
        root.put(rootKeys.retired, retiredValue(retired))
      })
      this.#retired = retired
    })
  }

  /** Takes segments out, whose footers named these blocks. Resolves when committed. */
  removeSegments(segments: BlocksBySegment): Promise<void> {
    return this.#inTurn.run(async () => {
      const { root } = this.#databases
      const retired = retiredWith(this.#retired, segments)
      await this.#commit(this.#databases, () => {
        for (const [segment, blocks] of segments) {
          for (const block of blocks) {
            const { id } = this.#streams.get(keyOf(block.stream)) ?? { id: 0 }
            this.#databases.removeBlock(segment, id, block)
          }
        }
        root.put(rootKeys.retired, retiredValue(retired))
      })
      this.#retired = retired
      this.#forgetKept()
    })
  }

  /**
   * Has `taker` take the entries of blocks that are live, in order of stream and time. No generator: a small
   * question does little else than to go through them.
   */
  visit(filter: EntryFilter, taker: EntryTaker): void {
    const { streams, startTime, endTime } = filter
    for (const stream of this.#streams.values()) {
      if (!streams.matchesStream(stream)) continue
      for (const entry of this.#decoded(stream) ?? this.#range(stream, startTime, endTime)) {
        const overlaps = entry.minTimestamp <= endTime && entry.maxTimestamp >= startTime
        if (overlaps && taker.isLive(entry.source)) taker.take(entry)
      }
    }
  }

  /** All entries of a stream, decoded once and kept while the index does not change. */
  #decoded(stream: IndexedStream): readonly BlockEntry[] | undefined {
    const kept = this.#kept.get(stream.id)
    if (kept !== undefined || this.#keptCount >= keptEntriesMax) return kept
    const entries = [...this.#range(stream, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)]
    this.#kept.set(stream.id, entries)
    this.#keptCount += entries.length
    return entries
  }

  /** Entries of a stream that may overlap a time range, from LMDB. */
  *#range(stream: IndexedStream, startTime: Timestamp, endTime: Timestamp): Generator<BlockEntry> {
    // No block of the stream is longer than its longest, so none that begins earlier reaches in.
    const start: BlockKey = [stream.id, startTime - stream.spanMsMax, 0, 0]
    const end: BlockKey = [stream.id, endTime, Number.MAX_SAFE_INTEGER, 0]
    for (const { key, value } of this.#databases.blocks.getRange({ start, end })) {
      const { directory, blockBytes: bytes, skip, ...facts } = blockOfEntry(stream, key, value)
      const source = { kind: 'block', segment: key[2], directory, bytes, skip } as const
      yield { ...facts, source }
    }
  }

  /** Waits for changes under way, but not for ever: what is not in the index is in the segments. */
  async close(): Promise<void> {
    const closed = async () => {
      await this.#inTurn.settled()
      if (this.#isSilent) return
      await this.#databases.root.close()
      this.#files?.closed()
    }
    if (!this.#isSilent) await answered(closed(), this.#answerMs).catch(unlessSilent)
  }

  async #commit({ root }: IndexDatabases, change: () => void): Promise<void> {
    try {
      if (this.#isSilent) throw new LmdbSilent(this.#answerMs)
      await answered(root.transaction(change).catch(throwCause), this.#answerMs)
    } catch (cause) {
      if (cause instanceof LmdbSilent) this.#isSilent = true
      throw new Error('write the index', { cause })
    }
  }

  /** Within a transaction. */
  #putNotes({ root, journals }: IndexDatabases): void {
    for (const file of this.#journals) journals.put(file, journalChecksum(file))
    root.put(rootKeys.retired, retiredValue(this.#retired) satisfies RetiredValue)
  }

  #forgetKept(): void {
    this.#kept.clear()
    this.#keptCount = 0
  }
}

/** Within a transaction. */
function putSegments(
  databases: IndexDatabases,
  segments: BlocksBySegment,
  streams: ReadonlyMap<string, IndexedStream>,
): void {
  const changed = new Set<IndexedStream>()
  for (const [segment, blocks] of segments) {
    for (const block of blocks) {
      const stream = streams.get(keyOf(block.stream))!
      changed.add(stream)
      databases.putBlock(segment, stream.id, block)
    }
  }
  for (const { service, environment, id, spanMsMax } of changed) {
    databases.streams.put([service, environment], [id, spanMsMax])
  }
}

/** The streams as they are with these blocks: new ones, and longer spans. */
function streamsWith(
  segments: BlocksBySegment,
  known: ReadonlyMap<string, IndexedStream>,
): Map<string, IndexedStream> {
  const streams = new Map(known)
  for (const blocks of segments.values()) {
    for (const { stream, minTimestamp, maxTimestamp } of blocks) {
      const key = keyOf(stream)
      const { service, environment } = stream
      const { id, spanMsMax } = streams.get(key) ?? { id: streams.size + 1, spanMsMax: 0 }
      const spanMs = Math.max(spanMsMax, maxTimestamp - minTimestamp)
      streams.set(key, { service, environment, id, spanMsMax: spanMs })
    }
  }
  return streams
}

function retiredWith(retired: Retired, segments: BlocksBySegment): Retired {
  let { nextNumber, nextSequence } = retired
  for (const [segment, blocks] of segments) {
    nextNumber = Math.max(nextNumber, segment + 1)
    for (const { maxSequence } of blocks) nextSequence = Math.max(nextSequence, maxSequence + 1)
  }
  return { nextNumber, nextSequence }
}

function keyOf({ service, environment }: Stream): string {
  return `${service}\0${environment}`
}

async function throwCause(error: unknown): Promise<never> {
  throw await commitCause(error)
}

function unlessSilent(error: unknown): void {
  if (!(error instanceof LmdbSilent)) throw error
}
