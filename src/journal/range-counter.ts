/**
 * What each stream has in a run of frames, counted from their packed batches: a start reads the whole
 * journal for this. It makes objects for each stream of a run, not for each batch. `Batch.summarise`
 * does the same for one batch in the plain way.
 */
import { Unpackr } from 'msgpackr'
import { unpackIntegersInto } from '../columns/integers.ts'
import type { Stream, Timestamp } from '../record.ts'
import type { StreamSummary } from './batch-writer.ts'
import { PackedCursor } from './packed-cursor.ts'
import { PackedNames } from './packed-names.ts'

/** A stream that was met, and what it has in the run under way. */
interface CountedStream extends Stream {
  /** Whether it is in the run under way; the rest means nothing otherwise. */
  isCounted: boolean
  minTimestamp: Timestamp
  maxTimestamp: Timestamp
  recordCount: number
  /** Records by level, in the order in which levels were met first. */
  readonly levelCounts: number[]
}

const unpackr = new Unpackr({ useRecords: false })

export class RangeCounter {
  /** Names of levels in the order in which they were met first. */
  readonly #levels: string[] = []
  readonly #knownLevels = new PackedNames(packed => this.#levels.push(unpackr.unpack(packed)) - 1)
  readonly #knownStreams = new PackedNames(packed => newStream(packed))
  /** Those in the run under way. */
  #streams: CountedStream[] = []
  // Of the batch under way; used again for the next.
  readonly #batchLevels: number[] = []
  readonly #batchStreams: CountedStream[] = []
  #times = new Float64Array(1024)
  #levelCodes = new Uint32Array(1024)
  #streamCodes = new Uint32Array(1024)

  /**
   * Counts the records of one more batch. Throws when `payload` is not a batch; its checksum is to be
   * checked before.
   */
  add(payload: Buffer): void {
    const cursor = new PackedCursor(payload)
    cursor.list()
    const recordCount = cursor.number()
    this.#makeRoom(recordCount)
    const base = cursor.number()
    const times = this.#times
    readIntegers(cursor, payload, recordCount, times)
    this.#readLevels(cursor, payload)
    const levelCodes = this.#levelCodes
    readIntegers(cursor, payload, recordCount, levelCodes)
    this.#readStreams(cursor, payload)
    const streamCodes = this.#streamCodes
    readIntegers(cursor, payload, recordCount, streamCodes)
    const levels = this.#batchLevels
    const streams = this.#batchStreams
    for (let row = 0; row < recordCount; row++) {
      const stream = streams[streamCodes[row]!]!
      const timestamp = base + times[row]!
      stream.recordCount++
      if (timestamp < stream.minTimestamp) stream.minTimestamp = timestamp
      if (timestamp > stream.maxTimestamp) stream.maxTimestamp = timestamp
      const level = levels[levelCodes[row]!]!
      stream.levelCounts[level] = (stream.levelCounts[level] ?? 0) + 1
    }
  }

  /** Ends the run: what each of its streams has, in the order in which they were met. */
  take(): StreamSummary[] {
    const streams = this.#streams
    this.#streams = []
    return streams.map(stream => {
      stream.isCounted = false
      const { service, environment, minTimestamp, maxTimestamp, recordCount } = stream
      const levelCounts = new Map<string, number>()
      stream.levelCounts.forEach((count, level) => {
        if (count > 0) levelCounts.set(this.#levels[level]!, count)
      })
      return { service, environment, minTimestamp, maxTimestamp, recordCount, levelCounts }
    })
  }

  #makeRoom(recordCount: number): void {
    if (recordCount <= this.#times.length) return
    this.#times = new Float64Array(recordCount)
    this.#levelCodes = new Uint32Array(recordCount)
    this.#streamCodes = new Uint32Array(recordCount)
  }

  #readLevels(cursor: PackedCursor, payload: Buffer): void {
    const count = cursor.list()
    this.#batchLevels.length = count
    for (let i = 0; i < count; i++) {
      const start = cursor.at
      cursor.text()
      this.#batchLevels[i] = this.#knownLevels.find(payload, start, cursor.at)
    }
  }

  #readStreams(cursor: PackedCursor, payload: Buffer): void {
    const count = cursor.list() / 2
    this.#batchStreams.length = count
    for (let i = 0; i < count; i++) {
      const start = cursor.at
      cursor.text()
      cursor.text()
      const stream = this.#knownStreams.find(payload, start, cursor.at)
      if (!stream.isCounted) this.#begin(stream)
      this.#batchStreams[i] = stream
    }
  }

  #begin(stream: CountedStream): void {
    stream.isCounted = true
    stream.minTimestamp = Number.POSITIVE_INFINITY
    stream.maxTimestamp = Number.NEGATIVE_INFINITY
    stream.recordCount = 0
    stream.levelCounts.fill(0)
    this.#streams.push(stream)
  }
}

/** Reads the cursor's next value, packed integers, into the beginning of `target`. */
function readIntegers(
  cursor: PackedCursor,
  payload: Buffer,
  count: number,
  target: Float64Array | Uint32Array,
): void {
  const length = cursor.binary()
  unpackIntegersInto(target, count, payload, cursor.at - length, length)
}

function newStream(packed: Buffer): CountedStream {
  const [service, environment] = unpackr.unpackMultiple(packed) as [string, string]
  return {
    service,
    environment,
    isCounted: false,
    minTimestamp: Number.POSITIVE_INFINITY,
    maxTimestamp: Number.NEGATIVE_INFINITY,
    recordCount: 0,
    levelCounts: [],
  }
}
