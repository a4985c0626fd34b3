/**
 * Reads a whole index without LMDB, for whoever must know whether it is sound: a start before LMDB opens
 * it, the scrub of a running service in a thread of its own, and `logstrata inspect`.
 */
import { unpack } from 'msgpackr'
import { fromBufferKey } from 'ordered-binary'
import { type LmdbEntries, type LmdbEntry, withLmdbEntries } from '../lmdb/entries.ts'
import { whileUnchanged } from '../lmdb/file.ts'
import { LmdbDamaged } from '../lmdb/tree.ts'
import {
  type BlockKey,
  type BlockValue,
  blockOfEntry,
  databaseNames,
  formatVersion,
  journalChecksum,
  type Retired,
  retiredOf,
  rootKeys,
  type StreamKey,
  type StreamValue,
} from './index-entries.ts'
import { emptySummary, type SegmentSummary, withBlock } from './segment-summary.ts'

/** Numbers in the value of a block, before its levels. */
const blockNumbers = 9

/** Formats in which the notes stand as they do now: an index of an older one is rebuilt with them. */
const formatsOfNotes = [3, formatVersion]

/** What no footer knows, and what an index that is rebuilt takes over. */
export interface IndexNotes {
  readonly retired: Retired | undefined
  readonly journals: readonly number[]
}

export interface IndexContents extends IndexNotes {
  /** Of each segment of which it has a block. */
  readonly segments: ReadonlyMap<number, SegmentSummary>
}

/** The index is of an older or newer version of the service. */
export class IndexFormatUnknown extends Error {
  override readonly name = 'IndexFormatUnknown'
}

/** Throws LmdbDamaged, IndexFormatUnknown, and what the file system throws. */
export function readIndexFile(path: string): IndexContents {
  return whileUnchanged(path, () =>
    withLmdbEntries(path, entries => sensible(() => contentsOf(entries))),
  )
}

/** What can still be used of an index that is going to be rebuilt; nothing when it cannot be read. */
export function readNotes(path: string): IndexNotes {
  try {
    return withLmdbEntries(path, entries => notesOf(entries, formatsOfNotes))
  } catch {
    return { retired: undefined, journals: [] }
  }
}

function contentsOf(entries: LmdbEntries): IndexContents {
  const notes = notesOf(entries, [formatVersion])
  const streams = new Map<number, { service: string; environment: string; spanMsMax: number }>()
  for (const entry of entries.database(databaseNames.streams)) {
    const [[service, environment], numbers] = decoded<StreamKey, StreamValue>(entry)
    const [id, spanMsMax] = integers(numbers)
    streams.set(id, { service, environment, spanMsMax })
  }
  const segments = new Map<number, SegmentSummary>()
  for (const entry of entries.database(databaseNames.blocks)) {
    const [key, value] = decoded<BlockKey, BlockValue>(entry)
    const [id, minTimestamp, segment] = integers(key)
    integers(value.slice(0, blockNumbers))
    const stream = streams.get(id)
    // A query looks no further back than the stream's longest block reaches.
    if (stream === undefined || value[0] - minTimestamp > stream.spanMsMax) {
      throw new LmdbDamaged(`a block of segment ${segment} is of no stream that would lead to it`)
    }
    const block = blockOfEntry(stream, key, value)
    segments.set(segment, withBlock(segments.get(segment) ?? emptySummary, block))
  }
  entries.checkFree()
  return { ...notes, segments }
}

function notesOf(entries: LmdbEntries, formats: readonly unknown[]): IndexNotes {
  const root = new Map(entries.root().map(entry => decoded<string, unknown>(entry)))
  const format = root.get(rootKeys.format)
  if (!formats.includes(format)) throw new IndexFormatUnknown(`it has format ${format}`)
  const written = root.get(rootKeys.retired)
  const retired = retiredOf(written)
  if (written !== undefined && retired === undefined) throw new LmdbDamaged('a note is damaged')
  const journals: number[] = []
  for (const entry of entries.database(databaseNames.journals)) {
    const [file, checksum] = decoded<number, number>(entry)
    if (checksum !== journalChecksum(file)) throw new LmdbDamaged('a note is damaged')
    journals.push(file)
  }
  return { retired, journals }
}

/** The same numbers; what is damaged may be of any type. Throws LmdbDamaged. */
function integers<Numbers extends readonly unknown[]>(numbers: Numbers): Numbers {
  if (numbers.every(Number.isSafeInteger)) return numbers
  throw new LmdbDamaged('an entry makes no sense')
}

/** What `read` makes of values that may be of any type. */
function sensible<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new LmdbDamaged('an entry makes no sense', { cause: error })
  }
}

/** Key and value of an entry, of the types that it was written with if it is not damaged. */
function decoded<Key, Value>({ key, value }: LmdbEntry): [Key, Value] {
  try {
    return [fromBufferKey(key) as Key, unpack(value) as Value]
  } catch (error) {
    throw new LmdbDamaged('an entry cannot be decoded', { cause: error })
  }
}
