/**
 * Reads the columns that `batch-writer.ts` packed. Nothing is turned into rows: texts stay bytes in
 * the frame's memory, and offsets are computed for a column when it is first asked for.
 */
import { Unpackr } from 'msgpackr'
import type { LogRecord, Stream, Timestamp } from '../record.ts'
import type { StreamSummary } from './batch-writer.ts'
import { type Integers, unpackIntegers } from './integers.ts'

/** Texts end to end: value i is `bytes[offsets[i], offsets[i + 1])`, in UTF-8. */
export interface TextColumn {
  readonly offsets: Uint32Array
  readonly bytes: Buffer
}

/** An attribute's values, one for each record that has it. */
export interface AttributeColumn extends TextColumn {
  /** The record of each value, ascending; undefined when every record has one. */
  readonly rows: Integers | undefined
}

interface PackedAttribute {
  readonly valueCount: number
  readonly rows: Buffer
  readonly lengths: Buffer
  readonly bytes: Buffer
  column: AttributeColumn | undefined
}

type Payload = [
  recordCount: number,
  baseTimestamp: Timestamp,
  differences: Buffer,
  levels: string[],
  levelCodes: Buffer,
  streams: string[],
  streamCodes: Buffer,
  messageLengths: Buffer,
  messageBytes: Buffer,
  attributes: unknown[],
]

const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: false })

/** A decoded batch: columns of `recordCount` records in order of arrival. */
export class Batch {
  readonly recordCount: number
  readonly levels: readonly string[]
  readonly levelCodes: Integers
  readonly streams: readonly Stream[]
  readonly streamCodes: Integers
  readonly #baseTimestamp: Timestamp
  readonly #differences: Integers
  readonly #messageLengths: Buffer
  readonly #messageBytes: Buffer
  #message: TextColumn | undefined
  readonly #attributes = new Map<string, PackedAttribute>()

  /** Throws when the payload is not a batch; its checksum is to be checked before. */
  constructor(payload: Uint8Array) {
    const fields = unpackr.unpack(payload) as Payload
    this.recordCount = fields[0]
    this.#baseTimestamp = fields[1]
    this.#differences = unpackIntegers(fields[2], this.recordCount)
    this.levels = fields[3]
    this.levelCodes = unpackIntegers(fields[4], this.recordCount)
    this.streams = pairUp(fields[5])
    this.streamCodes = unpackIntegers(fields[6], this.recordCount)
    this.#messageLengths = fields[7]
    this.#messageBytes = fields[8]
    const attributes = fields[9]
    for (let i = 0; i < attributes.length; i += 5) {
      this.#attributes.set(attributes[i] as string, {
        valueCount: attributes[i + 1] as number,
        rows: attributes[i + 2] as Buffer,
        lengths: attributes[i + 3] as Buffer,
        bytes: attributes[i + 4] as Buffer,
        column: undefined,
      })
    }
  }

  timestamp(row: number): Timestamp {
    return this.#baseTimestamp + this.#differences[row]!
  }

  get message(): TextColumn {
    this.#message ??= {
      offsets: offsetsFrom(unpackIntegers(this.#messageLengths, this.recordCount)),
      bytes: this.#messageBytes,
    }
    return this.#message
  }

  /** The column of an attribute, or undefined when no record of the batch has it. */
  attribute(name: string): AttributeColumn | undefined {
    const packed = this.#attributes.get(name)
    if (packed === undefined) return undefined
    const isDense = packed.valueCount === this.recordCount
    packed.column ??= {
      rows: isDense ? undefined : unpackIntegers(packed.rows, packed.valueCount),
      offsets: offsetsFrom(unpackIntegers(packed.lengths, packed.valueCount)),
      bytes: packed.bytes,
    }
    return packed.column
  }

  stream(row: number): Stream {
    return this.streams[this.streamCodes[row]!]!
  }

  level(row: number): string {
    return this.levels[this.levelCodes[row]!]!
  }

  /** Rebuilds one record: for the few that are in an answer, never to filter. */
  record(row: number): LogRecord {
    const attributes: string[] = []
    for (const name of this.#attributes.keys()) {
      const column = this.attribute(name)!
      const index = column.rows === undefined ? row : indexOfRow(column.rows, row)
      if (index !== -1) attributes.push(name, textAt(column, index))
    }
    return {
      timestamp: this.timestamp(row),
      level: this.level(row),
      message: textAt(this.message, row),
      attributes,
    }
  }

  /** What each stream has in this batch, as the writer told it when the batch was made. */
  summarise(): StreamSummary[] {
    const summaries: StreamSummary[] = this.streams.map(stream => ({
      ...stream,
      minTimestamp: Number.POSITIVE_INFINITY,
      maxTimestamp: Number.NEGATIVE_INFINITY,
      recordCount: 0,
      levelCounts: new Map(),
    }))
    for (let row = 0; row < this.recordCount; row++) {
      const summary = summaries[this.streamCodes[row]!]!
      const timestamp = this.timestamp(row)
      summary.recordCount++
      if (timestamp < summary.minTimestamp) summary.minTimestamp = timestamp
      if (timestamp > summary.maxTimestamp) summary.maxTimestamp = timestamp
      const level = this.level(row)
      summary.levelCounts.set(level, (summary.levelCounts.get(level) ?? 0) + 1)
    }
    return summaries
  }
}

/** The text of value `index` of a column. */
export function textAt(column: TextColumn, index: number): string {
  return column.bytes.toString('utf8', column.offsets[index]!, column.offsets[index + 1]!)
}

function pairUp(names: readonly string[]): Stream[] {
  const streams: Stream[] = []
  for (let i = 0; i < names.length; i += 2) {
    streams.push({ service: names[i]!, environment: names[i + 1]! })
  }
  return streams
}

function offsetsFrom(lengths: Integers): Uint32Array {
  const offsets = new Uint32Array(lengths.length + 1)
  let offset = 0
  for (let i = 0; i < lengths.length; i++) {
    offset += lengths[i]!
    offsets[i + 1] = offset
  }
  return offsets
}

/** Binary search in ascending rows; -1 when absent. */
function indexOfRow(rows: Integers, row: number): number {
  let low = 0
  let high = rows.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    if (rows[middle]! === row) return middle
    if (rows[middle]! < row) low = middle + 1
    else high = middle - 1
  }
  return -1
}
