/**
 * Reads the columns that `batch-writer.ts` packed. Nothing is turned into rows: texts stay bytes in
 * the frame's memory, and offsets are computed for a column when it is first asked for.
 */
import { Unpackr } from 'msgpackr'
import { type Integers, unpackIntegers } from '../columns/integers.ts'
import { offsetsFrom, PlainColumn } from '../columns/plain.ts'
import {
  type AttributeColumn,
  type RecordColumns,
  rebuiltRecord,
} from '../columns/record-columns.ts'
import type { LogRecord, Sequence, Stream, Timestamp } from '../record.ts'
import type { StreamSummary } from './batch-writer.ts'
import type { Frame, FrameHeader } from './frame.ts'

/** An attribute's texts, and the records that have them when not all do. */
export interface PlainAttribute extends AttributeColumn {
  readonly column: PlainColumn
}

interface PackedAttribute {
  readonly valueCount: number
  readonly rows: Buffer
  readonly lengths: Buffer
  readonly bytes: Buffer
  opened: PlainAttribute | undefined
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
  receipts?: unknown,
  /** Of records that did not arrive one after the other. */
  sequences?: Buffer,
]

const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: false })

/** What a batch needs of its frame. */
export interface BatchFrame extends Pick<Frame, 'payload'> {
  readonly header: Pick<FrameHeader, 'firstSequence' | 'minTimestamp' | 'maxTimestamp'>
}

/** A decoded batch: columns of `recordCount` records in order of arrival. */
export class Batch implements RecordColumns {
  readonly recordCount: number
  readonly minTimestamp: Timestamp
  readonly maxTimestamp: Timestamp
  /** In order of arrival, which need not be that of time. */
  readonly isSorted = false
  readonly sortedTimes = undefined
  readonly #firstSequence: Sequence
  readonly #sequences: Float64Array | undefined
  readonly levels: readonly string[]
  readonly levelCodes: Integers
  readonly streams: readonly Stream[]
  readonly streamCodes: Integers
  readonly #baseTimestamp: Timestamp
  readonly #differences: Integers
  readonly #messageLengths: Buffer
  readonly #messageBytes: Buffer
  #message: PlainColumn | undefined
  readonly #attributes = new Map<string, PackedAttribute>()

  /** Throws when the payload is not a batch; its checksum is to be checked before. */
  constructor({ header, payload }: BatchFrame) {
    this.minTimestamp = header.minTimestamp
    this.maxTimestamp = header.maxTimestamp
    this.#firstSequence = header.firstSequence
    const fields = unpackr.unpack(payload) as Payload
    this.recordCount = fields[0]
    this.#sequences = fields[11] && sequencesIn(fields[11])
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
        opened: undefined,
      })
    }
  }

  timestamp(row: number): Timestamp {
    return this.#baseTimestamp + this.#differences[row]!
  }

  sequence(row: number): Sequence {
    return this.#sequences === undefined ? this.#firstSequence + row : this.#sequences[row]!
  }

  /** The names of all attributes that any record has. */
  get attributeNames(): Iterable<string> {
    return this.#attributes.keys()
  }

  attributeValueCount(name: string): number {
    return this.#attributes.get(name)?.valueCount ?? 0
  }

  get message(): PlainColumn {
    this.#message ??= new PlainColumn({
      offsets: offsetsFrom(unpackIntegers(this.#messageLengths, this.recordCount)),
      bytes: this.#messageBytes,
    })
    return this.#message
  }

  /** The column of an attribute, or undefined when no record of the batch has it. */
  attribute(name: string): PlainAttribute | undefined {
    const packed = this.#attributes.get(name)
    if (packed === undefined) return undefined
    const isDense = packed.valueCount === this.recordCount
    packed.opened ??= {
      rows: isDense ? undefined : unpackIntegers(packed.rows, packed.valueCount),
      column: new PlainColumn({
        offsets: offsetsFrom(unpackIntegers(packed.lengths, packed.valueCount)),
        bytes: packed.bytes,
      }),
    }
    return packed.opened
  }

  stream(row: number): Stream {
    return this.streams[this.streamCodes[row]!]!
  }

  level(row: number): string {
    return this.levels[this.levelCodes[row]!]!
  }

  record(row: number): LogRecord {
    return rebuiltRecord(this, row)
  }

  /** What each stream has in this batch, as the writer reported it. */
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

/** A copy: the packed bytes need not lie where numbers of eight bytes may. */
function sequencesIn(bytes: Buffer): Float64Array {
  return new Float64Array(new Uint8Array(bytes).buffer)
}

function pairUp(names: readonly string[]): Stream[] {
  const streams: Stream[] = []
  for (let i = 0; i < names.length; i += 2) {
    streams.push({ service: names[i]!, environment: names[i + 1]! })
  }
  return streams
}
