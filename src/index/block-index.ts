/**
 * The index on stream, time and level, in LMDB: one small entry per block of a segment, never one per
 * record (97,000 puts a second would cap ingest). From it a query learns which blocks it must read,
 * and often the answer itself.
 *
 * Databases inside the environment:
 * - `streams`: `[service, environment]` → `[id, longest time span of a block in ms]`
 * - `blocks`: `[stream id, min timestamp, segment, directory offset]` →
 *   `[max timestamp, directory bytes, directory checksum, block bytes, record count,
 *   level, count, level, count, …]`
 * - `segments`: segment number → the checksum of its footer, by which it is known again
 * - `retired` (in the root): one more than the highest number and sequence of what was deleted
 * - `journals`: numbers of the journal files that are not sealed yet, so that a missing one is noticed
 *
 * It is a cache: everything in it can be made again from the segments' footers, and is when it is
 * missing or does not agree with them.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import type { Logger } from 'pino'
import { answered, LmdbSilent, lmdbAnswerMs } from '../lmdb-answer.ts'
import { commitCause, lmdbFileAt } from '../lmdb-file.ts'
import type { BlockRef } from '../query/source.ts'
import type { Sequence, Stream, Timestamp } from '../record.ts'
import type { BlockSummary } from '../segment/footer.ts'
import { allEntries, type EntryFilter, type IndexEntry } from './entry.ts'

/** What the index takes of a block, as its segment's footer tells it. */
export type IndexedBlock = Pick<
  BlockSummary,
  | 'stream'
  | 'minTimestamp'
  | 'maxTimestamp'
  | 'recordCount'
  | 'levelCounts'
  | 'maxSequence'
  | 'directory'
  | 'blockBytes'
>

/** What tells a block of a segment from every other. */
export type BlockIdentity = Pick<IndexedBlock, 'stream' | 'minTimestamp' | 'directory'>

type BlockKey = [stream: number, minTimestamp: Timestamp, segment: number, directoryOffset: number]
type BlockValue = [
  maxTimestamp: Timestamp,
  directoryBytes: number,
  directoryChecksum: number,
  blockBytes: number,
  recordCount: number,
  ...levelCounts: (string | number)[],
]

interface IndexedStream extends Stream {
  readonly id: number
  readonly spanMsMax: number
}

interface BlockEntry extends IndexEntry {
  readonly source: BlockRef
}

/** Entries kept decoded, about 300 bytes each; what is beyond is decoded for each query. */
const keptEntriesMax = 50_000

const formatVersion = 2

/**
 * Opens the index in the data directory, making it anew when it is missing, not LMDB's, cut, of another
 * format, or broken.
 *
 * LMDB has no checksums, and may end the process on a page that is damaged. So a mark stands beside
 * the index while it is opened and read through once: a start that finds the mark knows that the one
 * before did not survive this, and throws the index away.
 */
export async function openBlockIndex(
  dataDir: string,
  logger: Logger,
  answerMs = lmdbAnswerMs,
): Promise<BlockIndex> {
  const path = join(dataDir, 'index.lmdb')
  const mark = join(dataDir, 'index.opening')
  const state = lmdbFileAt(path)
  const isDoubtful = fs.existsSync(mark)
  if (isDoubtful || (state !== 'nothing' && state !== 'lmdb')) {
    logger.warn(`the index is ${isDoubtful ? 'doubtful' : state}; building it anew`)
    removeIndex(path)
  }
  fs.writeFileSync(mark, '')
  let index: BlockIndex
  try {
    index = openAndReadThrough(path, answerMs)
  } catch (error) {
    logger.warn({ err: error }, 'the index is broken; building it anew')
    removeIndex(path)
    index = openAndReadThrough(path, answerMs)
  }
  fs.rmSync(mark)
  return index
}

function removeIndex(path: string): void {
  fs.rmSync(path, { force: true })
  fs.rmSync(`${path}-lock`, { force: true })
}

function openAndReadThrough(path: string, answerMs: number): BlockIndex {
  const root = open({
    path,
    maxDbs: 8,
    noSubdir: true,
    permissionsMode: 0o600, // Not in lmdb's types; it is in its `env.cpp`.
    // With lmdb's batching by event turns a failed commit (a full disk) ends the process, because
    // a promise that nobody can reach rejects.
    eventTurnBatching: false,
  } as RootDatabaseOptionsWithPath)
  const index = new BlockIndex(root, answerMs)
  for (const _entry of index.entries(allEntries, () => true));
  return index
}

export class BlockIndex {
  readonly #root: RootDatabase
  readonly #answerMs: number
  /** Whether a change was given up: then closing would wait for it. */
  #isSilent = false
  readonly #blocks: Database<BlockValue, BlockKey>
  readonly #streamIds: Database<[id: number, spanMsMax: number], [string, string]>
  readonly #segments: Database<number, number>
  readonly #journals: Database<true, number>
  readonly #streams = new Map<string, IndexedStream>()
  /** Decoded entries by stream: decoding them anew would be most of a small query's time. */
  readonly #kept = new Map<number, readonly BlockEntry[]>()
  #keptCount = 0

  /** `answerMs`: what a change may take. */
  constructor(root: RootDatabase, answerMs = lmdbAnswerMs) {
    this.#root = root
    this.#answerMs = answerMs
    this.#blocks = root.openDB({ name: 'blocks' })
    this.#streamIds = root.openDB({ name: 'streams' })
    this.#segments = root.openDB({ name: 'segments' })
    this.#journals = root.openDB({ name: 'journals' })
    if (root.get('format') !== formatVersion) this.clear()
    for (const { key, value } of this.#streamIds.getRange()) {
      const [service, environment] = key
      const stream = { service, environment, id: value[0], spanMsMax: value[1] }
      this.#streams.set(keyOf(stream), stream)
    }
  }

  /** Forgets everything, so that it can be built again from the footers. */
  clear(): void {
    this.#root.transactionSync(() => {
      this.#blocks.clearSync()
      this.#streamIds.clearSync()
      this.#segments.clearSync()
      this.#journals.clearSync()
      this.#root.put('format', formatVersion)
    })
    this.#streams.clear()
    this.#forgetKept()
  }

  /** The footer's checksum of each segment whose blocks are in the index, by segment number. */
  segments(): Map<number, number> {
    return new Map([...this.#segments.getRange()].map(({ key, value }) => [key, value]))
  }

  /** Adds a segment's blocks, all or none. Resolves when committed. */
  async addSegment(
    segment: number,
    footerChecksum: number,
    blocks: readonly IndexedBlock[],
  ): Promise<void> {
    const streams = this.#streamsWith(blocks)
    await this.#commit(() => {
      for (const { service, environment, id, spanMsMax } of streams.values()) {
        this.#streamIds.put([service, environment], [id, spanMsMax])
      }
      for (const block of blocks) this.#put(segment, streams.get(keyOf(block.stream))!.id, block)
      this.#segments.put(segment, footerChecksum)
    })
    // Not before it is committed: a failed write must leave memory as it was.
    for (const [key, stream] of streams) this.#streams.set(key, stream)
  }

  /** The journal files that were not sealed when this was last said. */
  journals(): number[] {
    return [...this.#journals.getKeys()]
  }

  /** Notes that there is a journal file, or that there is none any more. */
  async noteJournal(file: number, isThere: boolean): Promise<void> {
    await this.#commit(() => {
      if (isThere) this.#journals.put(file, true)
      else this.#journals.remove(file)
    })
  }

  /** Numbers from which on no segment and no record that was deleted has ever been. */
  get retired(): { readonly nextNumber: number; readonly nextSequence: Sequence } {
    const [nextNumber, nextSequence] = this.#root.get('retired') ?? [0, 0]
    return { nextNumber, nextSequence }
  }

  /** Takes segments out, whose footers named these blocks. Resolves when committed. */
  async removeSegments(segments: ReadonlyMap<number, readonly IndexedBlock[]>): Promise<void> {
    await this.#commit(() => {
      let { nextNumber, nextSequence } = this.retired
      for (const [segment, blocks] of segments) {
        for (const block of blocks) {
          this.#remove(segment, block)
          nextSequence = Math.max(nextSequence, block.maxSequence + 1)
        }
        this.#segments.remove(segment)
        nextNumber = Math.max(nextNumber, segment + 1)
      }
      this.#root.put('retired', [nextNumber, nextSequence])
    })
  }

  /** Takes one block out, because its bytes are damaged. Resolves when committed. */
  async removeBlock(segment: number, block: BlockIdentity): Promise<void> {
    await this.#commit(() => this.#remove(segment, block))
  }

  /** Entries of blocks in segments that `isLive`, in order of stream and time. */
  *entries(filter: EntryFilter, isLive: (segment: number) => boolean): Generator<IndexEntry> {
    const { wantsStream, startTime, endTime } = filter
    for (const stream of this.#streams.values()) {
      if (!wantsStream(stream)) continue
      for (const entry of this.#decoded(stream) ?? this.#range(stream, startTime, endTime)) {
        const overlaps = entry.minTimestamp <= endTime && entry.maxTimestamp >= startTime
        if (overlaps && isLive(entry.source.segment)) yield entry
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
    for (const { key, value } of this.#blocks.getRange({ start, end })) {
      const [, minTimestamp, segment, offset] = key
      const [maxTimestamp, directoryBytes, crc, bytes, recordCount, ...levelCounts] = value
      const directory = { offset, bytes: directoryBytes, crc }
      const source = { kind: 'block', segment, directory, bytes } as const
      yield { stream, minTimestamp, maxTimestamp, recordCount, levelCounts, source }
    }
  }

  /** Waits for changes under way, but not for ever: what is not in the index is in the segments. */
  async close(): Promise<void> {
    if (this.#isSilent) return
    await answered(this.#root.close(), this.#answerMs).catch(unlessSilent)
  }

  async #commit(change: () => void): Promise<void> {
    try {
      await answered(this.#root.transaction(change).catch(throwCause), this.#answerMs)
      this.#forgetKept()
    } catch (cause) {
      if (cause instanceof LmdbSilent) this.#isSilent = true
      throw new Error('write the index', { cause })
    }
  }

  #forgetKept(): void {
    this.#kept.clear()
    this.#keptCount = 0
  }

  /** The streams of some blocks as they will be with them: new ones, and longer spans. */
  #streamsWith(blocks: readonly IndexedBlock[]): Map<string, IndexedStream> {
    const streams = new Map<string, IndexedStream>()
    let nextId = this.#streams.size + 1
    for (const { stream, minTimestamp, maxTimestamp } of blocks) {
      const key = keyOf(stream)
      const { service, environment } = stream
      const known = streams.get(key) ?? this.#streams.get(key)
      const { id, spanMsMax } = known ?? { id: nextId++, spanMsMax: 0 }
      const spanMs = Math.max(spanMsMax, maxTimestamp - minTimestamp)
      streams.set(key, { service, environment, id, spanMsMax: spanMs })
    }
    return streams
  }

  #put(segment: number, stream: number, block: IndexedBlock): void {
    const { minTimestamp, maxTimestamp, directory, blockBytes, recordCount, levelCounts } = block
    this.#blocks.put(
      [stream, minTimestamp, segment, directory.offset],
      [
        maxTimestamp,
        directory.bytes,
        directory.crc,
        blockBytes,
        recordCount,
        ...levelCounts.flat(),
      ],
    )
  }

  #remove(segment: number, { stream, minTimestamp, directory }: BlockIdentity): void {
    const { id } = this.#streams.get(keyOf(stream)) ?? { id: 0 }
    this.#blocks.remove([id, minTimestamp, segment, directory.offset])
  }
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
