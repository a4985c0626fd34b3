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
 * An eleventh value, receipts, may follow (`receipts.ts`).
 *
 * `<integers>` as in `integers.ts`; lengths count UTF-8 bytes; attribute columns are in the order
 * in which their names were first met.
 */
import { Packr, RESET_BUFFER_MODE } from 'msgpackr'
import { freeMemory, ownCopy, withRoom } from '../columns/growing-array.ts'
import { packIntegers } from '../columns/integers.ts'
import { limits } from '../limits.ts'
import type { LogRecord, RecordTimes, Stream, Timestamp } from '../record.ts'
import { ColumnWriter } from './column-writer.ts'
import type { FrameReceipts } from './receipts.ts'

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
export interface EncodedBatch extends RecordTimes {
  readonly payloadBytes: number
  /** May be fetched from elsewhere when it is first asked for. */
  readonly payload: Buffer
  readonly streams: readonly StreamSummary[]
  /** Under which keys its records were sent; written behind the payload. */
  readonly receipts?: FrameReceipts
}

/** A batch whose payload is all of its memory. */
export interface OwnBatch extends EncodedBatch {
  readonly payload: Buffer<ArrayBuffer>
}

/** What one stream has in the batch so far. */
interface StreamCounts
  extends Pick<StreamSummary, 'minTimestamp' | 'maxTimestamp' | 'recordCount'> {
  readonly stream: Stream
  /** Records per level, by the level's code; holes where there are none. */
  readonly levelCounts: number[]
}

const noBytes = Buffer.alloc(0)

const packr = new Packr({ useRecords: false, moreTypes: false })

/**
 * Of the packer's memory, which is kept for the next batch; larger ones are packed in memory of their own.
 */
const packerBytesMax = 1024 * 1024
const packerBytesMin = 64 * 1024
let packerBytes = 0
/** Free bytes that the packer needs after what it writes: three times a name, and a little. */
const packerReserveBytes = 3 * limits.attributeNameBytesMax + 4096

/**
 * The packer is given room beforehand: left alone, it takes four times what it needs, again and again,
 * and leaves what it had before to the collector.
 */
function packOwn(value: unknown): Buffer<ArrayBuffer> {
  const bytesMax = packedBytesMax(value) + packerReserveBytes
  if (bytesMax > packerBytesMax) return packOdd(value, bytesMax)
  if (bytesMax > packerBytes) {
    packerBytes = packerBytesMax
    packr.useBuffer(Buffer.allocUnsafeSlow(packerBytes))
  }
  return ownCopy(packr.pack(value, RESET_BUFFER_MODE))
}

/** Packs in memory that is gone afterwards. */
function packOdd(value: unknown, bytesMax: number): Buffer<ArrayBuffer> {
  const memory = Buffer.allocUnsafeSlow(bytesMax)
  packr.useBuffer(memory)
  const own = ownCopy(packr.pack(value, RESET_BUFFER_MODE))
  packerBytes = packerBytesMin
  packr.useBuffer(Buffer.allocUnsafeSlow(packerBytes))
  freeMemory(memory)
  return own
}

/** The most bytes that `value`, of arrays, numbers, texts and bytes, may take in msgpack. */
function packedBytesMax(value: unknown): number {
  if (typeof value === 'string') return 5 + Buffer.byteLength(value)
  if (Buffer.isBuffer(value)) return 5 + value.length
  if (!Array.isArray(value)) return 9
  return value.reduce<number>((sum, element) => sum + packedBytesMax(element), 5)
}

/** A writer that holds more between two batches releases all: columns, bytes of names, and memory. */
const columnsHeldMax = 1_000
const nameBytesHeldMax = 128 * 1024
const heldBytesMax = 4 * 1024 * 1024

/** Counts all batches of this thread: what is remembered of one is not taken for one of another. */
let batchCount = 0

/** Gathers records and encodes them; then gathers the next ones in the same memory. */
export class BatchWriter {
  /** The batch that is being gathered, among all of this thread. */
  batch = ++batchCount
  messages = new ColumnWriter()
  #timestamps = new Float64Array(16)
  #levelCodes = new Uint8Array(16)
  #streamCodes = new Uint32Array(16)
  #recordCount = 0
  readonly #levels: string[] = []
  readonly #counts: StreamCounts[] = []
  readonly #streams = new Map<Stream, number>()
  /** The columns of this batch by number, in the order in which their names were first met. */
  readonly columns: ColumnWriter[] = []
  readonly #columnNumbers = new Map<string, number>()
  /** Of earlier batches. */
  #spareColumns = new Map<string, ColumnWriter>()
  #spareNameBytes = 0
  #approximateBytes = 0

  get recordCount(): number {
    return this.#recordCount
  }

  /** Roughly the bytes of the encoded batch so far. */
  get approximateBytes(): number {
    return this.#approximateBytes
  }

  /** Bytes that the encoded batch takes at least: those of its names and texts. */
  get leastBytes(): number {
    let bytes = this.messages.textBytes
    for (const [name, number] of this.#columnNumbers) {
      bytes += name.length + this.columns[number]!.textBytes
    }
    return bytes
  }

  /**
   * Adds one record. Streams are distinguished by identity: hand in the same object for the same stream.
   */
  add(record: LogRecord, stream: Stream): void {
    const { message, attributes } = record
    const row = this.beginRecord(record.timestamp, record.level, stream)
    this.messages.appendText(row, message)
    let bytes = message.length
    for (let i = 0; i < attributes.length; i += 2) {
      const value = attributes[i + 1]!
      this.columns[this.columnNumber(attributes[i]!)]!.appendText(row, value)
      bytes += value.length + 2
    }
    this.noteBytes(bytes)
  }

  /**
   * Adds a record whose message the caller appends to `messages`, and its attributes to their columns;
   * then it tells `noteBytes` how much that was. Returns the number of the record in the batch.
   */
  beginRecord(timestamp: Timestamp, level: string, stream: Stream): number {
    const row = this.#recordCount++
    if (row === this.#timestamps.length) this.#makeRoom(row + 1)
    let levelCode = this.#levels.indexOf(level)
    if (levelCode === -1) levelCode = this.#levels.push(level) - 1
    const streamCode = this.#streamCode(stream)
    this.#timestamps[row] = timestamp
    this.#levelCodes[row] = levelCode
    this.#streamCodes[row] = streamCode
    const counts = this.#counts[streamCode]!
    counts.recordCount++
    if (timestamp < counts.minTimestamp) counts.minTimestamp = timestamp
    if (timestamp > counts.maxTimestamp) counts.maxTimestamp = timestamp
    counts.levelCounts[levelCode] = (counts.levelCounts[levelCode] ?? 0) + 1
    return row
  }

  /** The number of the column of the attribute `name`, which is the batch's from now on: a value must
   *  follow. */
  columnNumber(name: string): number {
    const known = this.#columnNumbers.get(name)
    if (known !== undefined) return known
    const number = this.columns.push(this.#spareColumns.get(name) ?? new ColumnWriter()) - 1
    this.#columnNumbers.set(name, number)
    this.#approximateBytes += name.length
    return number
  }

  /** Counts `bytes` of texts that were appended. */
  noteBytes(bytes: number): void {
    this.#approximateBytes += bytes + 16
  }

  /** Encodes what was added, at least one record, and begins the next batch. */
  encode(): EncodedBatch {
    return this.#encode(value => packr.pack(value))
  }

  /** As `encode`, but in memory of its own: for a batch that is kept with many others, or handed over. */
  encodeOwn(): OwnBatch {
    return this.#encode(packOwn)
  }

  /** As `encode`, of records that did not arrive one after the other: `sequences` has each one's place in
   *  the order of arrival. For a file of `fetchedFilesFrom` on. */
  encodeFetched(sequences: Float64Array): EncodedBatch {
    const { buffer, byteOffset, byteLength } = sequences
    const bytes = Buffer.from(buffer, byteOffset, byteLength)
    return this.#encode(value => packr.pack([...(value as unknown[]), null, bytes]))
  }

  #encode<Payload extends Buffer>(
    pack: (value: unknown) => Payload,
  ): EncodedBatch & { readonly payload: Payload } {
    const recordCount = this.#recordCount
    const timestamps = this.#timestamps.subarray(0, recordCount)
    const streams = this.#counts.map(counts => this.#summaryOf(counts))
    const minTimestamp = Math.min(...streams.map(stream => stream.minTimestamp))
    const maxTimestamp = Math.max(...streams.map(stream => stream.maxTimestamp))
    // Beyond 2^53 a difference is no longer exact (a batch with years -200,000 and +200,000).
    const isSpanExact = Number.isSafeInteger(maxTimestamp - minTimestamp)
    const base = isSpanExact ? minTimestamp : 0
    const differences = timestamps.map(timestamp => timestamp - base)
    const attributes: unknown[] = []
    for (const [name, number] of this.#columnNumbers) {
      const column = this.columns[number]!
      const rows = column.rows(recordCount)
      attributes.push(name, column.valueCount, rows === undefined ? noBytes : packIntegers(rows))
      attributes.push(column.packLengths(), column.texts().bytes)
    }
    const payload = pack([
      recordCount,
      base,
      isSpanExact ? packIntegers(differences) : Buffer.from(differences.buffer),
      this.#levels,
      packIntegers(this.#levelCodes.subarray(0, recordCount)),
      streams.flatMap(stream => [stream.service, stream.environment]),
      packIntegers(this.#streamCodes.subarray(0, recordCount)),
      this.messages.packLengths(),
      this.messages.texts().bytes,
      attributes,
    ])
    this.clear()
    return {
      ...{ payload, payloadBytes: payload.length },
      ...{ recordCount, minTimestamp, maxTimestamp, streams },
    }
  }

  #streamCode(stream: Stream): number {
    const known = this.#streams.get(stream)
    if (known !== undefined) return known
    const code = this.#streams.size
    this.#streams.set(stream, code)
    this.#counts.push({
      stream,
      minTimestamp: Number.POSITIVE_INFINITY,
      maxTimestamp: Number.NEGATIVE_INFINITY,
      recordCount: 0,
      levelCounts: [],
    })
    return code
  }

  #summaryOf({ stream, levelCounts, ...summary }: StreamCounts): StreamSummary {
    const { service, environment } = stream
    const byLevel = new Map<string, number>()
    levelCounts.forEach((count, code) => {
      byLevel.set(this.#levels[code]!, count)
    })
    return { service, environment, ...summary, levelCounts: byLevel }
  }

  #makeRoom(count: number): void {
    this.#timestamps = withRoom(this.#timestamps, count)
    this.#levelCodes = withRoom(this.#levelCodes, count)
    this.#streamCodes = withRoom(this.#streamCodes, count)
  }

  /** Begins the next batch; what was added and not encoded is gone. */
  clear(): void {
    this.batch = ++batchCount
    this.#recordCount = 0
    this.#approximateBytes = 0
    this.#levels.length = 0
    this.#counts.length = 0
    this.#streams.clear()
    this.messages.reset()
    for (const [name, number] of this.#columnNumbers) {
      const column = this.columns[number]!
      column.reset()
      if (!this.#spareColumns.has(name)) this.#spareNameBytes += name.length
      this.#spareColumns.set(name, column)
    }
    this.#columnNumbers.clear()
    this.columns.length = 0
    this.#letGo()
  }

  /** Memory that columns hold between two batches, in bytes. */
  get heldBytes(): number {
    let bytes = this.messages.heldBytes + this.#spareNameBytes
    for (const column of this.#spareColumns.values()) bytes += column.heldBytes
    return bytes
  }

  /** A few odd batches must not hold memory, or names, for ever. */
  #letGo(): void {
    const isUsual =
      this.#spareColumns.size <= columnsHeldMax &&
      this.#spareNameBytes <= nameBytesHeldMax &&
      this.heldBytes <= heldBytesMax
    if (isUsual) return
    this.#spareColumns = new Map()
    this.#spareNameBytes = 0
    this.messages = new ColumnWriter()
  }
}
