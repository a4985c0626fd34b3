/**
 * Records that are appended together, gathered column by column and packed with msgpack.
 *
 * A journal frame holds columns, not rows, because unpacking rows costs ten times more than scanning
 * bytes. The payload, whose reader is `batch-reader.ts`, is one msgpack array:
 *
 *     [ recordCount,
 *       base timestamp, timestamps - base <integers, or float64 with any sign>,
 *       [level…], level of each record <integers>,
 *       [service, environment, …], stream of each record <integers>,
 *       message lengths <integers>, message bytes <bin>,
 *       [ name, valueCount, records that have it <integers, empty when all do>,
 *         value lengths <integers>, value bytes <bin>, … ] ]
 *
 * `<integers>` as in `integers.ts`; lengths count UTF-8 bytes; attribute columns stand in the order
 * in which their names were first met.
 */
import { Packr } from 'msgpackr'
import type { LogRecord, Stream, Timestamp } from '../record.ts'
import { packIntegers } from './integers.ts'

/** What one stream has in a batch: the index keeps these, so that many counts need no scan. */
export interface StreamSummary {
  readonly service: string
  readonly environment: string
  minTimestamp: Timestamp
  maxTimestamp: Timestamp
  recordCount: number
  /** Records per level; only levels that occur. */
  readonly levelCounts: Map<string, number>
}

/** A batch ready for the journal. */
export interface EncodedBatch {
  readonly payload: Buffer
  readonly recordCount: number
  readonly minTimestamp: Timestamp
  readonly maxTimestamp: Timestamp
  readonly streams: readonly StreamSummary[]
}

interface Column {
  readonly rows: number[]
  readonly values: string[]
}

const packr = new Packr({ useRecords: false, moreTypes: false })

/** Gathers records and encodes them once. */
export class BatchWriter {
  /** Roughly the bytes of the encoded batch so far: characters of all texts. */
  approximateBytes = 0
  readonly #timestamps: Timestamp[] = []
  readonly #levels = new Map<string, number>()
  readonly #levelCodes: number[] = []
  readonly #streams = new Map<Stream, number>()
  readonly #summaries: StreamSummary[] = []
  readonly #streamCodes: number[] = []
  readonly #messages: string[] = []
  readonly #columns = new Map<string, Column>()

  get recordCount(): number {
    return this.#timestamps.length
  }

  /** Adds one record. Streams are told apart by identity: hand in the same object for the same stream. */
  add(record: LogRecord, stream: Stream): void {
    const row = this.#timestamps.length
    this.#timestamps.push(record.timestamp)
    this.#messages.push(record.message)
    this.#levelCodes.push(codeOf(this.#levels, record.level))
    this.#streamCodes.push(this.#summarise(record, stream))
    let bytes = record.message.length + 16
    const attributes = record.attributes
    for (let i = 0; i < attributes.length; i += 2) {
      const name = attributes[i]!
      const value = attributes[i + 1]!
      let column = this.#columns.get(name)
      if (column === undefined) {
        column = { rows: [], values: [] }
        this.#columns.set(name, column)
        bytes += name.length
      }
      column.rows.push(row)
      column.values.push(value)
      bytes += value.length + 2
    }
    this.approximateBytes += bytes
  }

  /** Encodes what was added; at least one record. The writer is not to be used afterwards. */
  encode(): EncodedBatch {
    const recordCount = this.recordCount
    let minTimestamp = Number.POSITIVE_INFINITY
    let maxTimestamp = Number.NEGATIVE_INFINITY
    for (const summary of this.#summaries) {
      minTimestamp = Math.min(minTimestamp, summary.minTimestamp)
      maxTimestamp = Math.max(maxTimestamp, summary.maxTimestamp)
    }
    // Beyond 2^53 a difference is no longer exact (a batch with years -200,000 and +200,000).
    const isSpanExact = Number.isSafeInteger(maxTimestamp - minTimestamp)
    const base = isSpanExact ? minTimestamp : 0
    const differences = Float64Array.from(this.#timestamps, timestamp => timestamp - base)
    const attributes: unknown[] = []
    for (const [name, column] of this.#columns) {
      const isDense = column.values.length === recordCount
      const rows = isDense ? emptyBytes : packIntegers(column.rows)
      attributes.push(name, column.values.length, rows, ...encodeTexts(column.values))
    }
    const payload = packr.pack([
      recordCount,
      base,
      isSpanExact ? packIntegers(differences) : Buffer.from(differences.buffer),
      [...this.#levels.keys()],
      packIntegers(this.#levelCodes),
      this.#summaries.flatMap(summary => [summary.service, summary.environment]),
      packIntegers(this.#streamCodes),
      ...encodeTexts(this.#messages),
      attributes,
    ])
    return { payload, recordCount, minTimestamp, maxTimestamp, streams: this.#summaries }
  }

  #summarise(record: LogRecord, stream: Stream): number {
    const code = codeOf(this.#streams, stream)
    let summary = this.#summaries[code]
    if (summary === undefined) {
      summary = {
        service: stream.service,
        environment: stream.environment,
        minTimestamp: record.timestamp,
        maxTimestamp: record.timestamp,
        recordCount: 0,
        levelCounts: new Map(),
      }
      this.#summaries.push(summary)
    }
    summary.recordCount++
    if (record.timestamp < summary.minTimestamp) summary.minTimestamp = record.timestamp
    if (record.timestamp > summary.maxTimestamp) summary.maxTimestamp = record.timestamp
    summary.levelCounts.set(record.level, (summary.levelCounts.get(record.level) ?? 0) + 1)
    return code
  }
}

const emptyBytes = Buffer.alloc(0)

function codeOf<T>(codes: Map<T, number>, value: T): number {
  let code = codes.get(value)
  if (code === undefined) {
    code = codes.size
    codes.set(value, code)
  }
  return code
}

/** Lengths and concatenated UTF-8 bytes of texts. */
function encodeTexts(values: readonly string[]): [lengths: Buffer, bytes: Buffer] {
  // One conversion of the joined text is far cheaper than one per value. When every character is one
  // byte, the lengths in characters are the lengths in bytes.
  const joined = values.length === 1 ? values[0]! : values.join('')
  const bytes = Buffer.from(joined)
  const lengths = new Float64Array(values.length)
  const isAscii = bytes.length === joined.length
  for (let i = 0; i < values.length; i++) {
    lengths[i] = isAscii ? values[i]!.length : Buffer.byteLength(values[i]!)
  }
  return [packIntegers(lengths), bytes]
}
