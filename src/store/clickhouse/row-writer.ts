/**
 * Records as rows in ClickHouse's RowBinary: from the columns of a batch straight to bytes,
 * without an object or a text of any record.
 */
import type { TextColumn } from '../../columns/column.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { nanosecondsAttribute } from '../../record.ts'
import { traceIdNames } from '../../trace-ids.ts'
import { nanosecondsOf, secondsOf } from './row-times.ts'

/** In the order in which each row has them; the others have what the table gives them. */
export const shippedColumns = [
  ...['Timestamp', 'TimestampTime', 'TraceId', 'SpanId', 'ServiceName', 'Body', 'ScopeName'],
  ...['ScopeVersion', 'LogAttributes', 'Time', 'Environment', 'Level', 'FrontEnd', 'Sequence'],
  'JournalFile',
] as const

const chunkBytes = 1024 * 1024
/** Of a row beside its texts: numbers, and lengths. */
const rowSpareBytes = 128

/** Of whole nanoseconds. */
const digitsMax = 19

const spanIdNames = ['span_id', 'spanId', 'span.id', 'SpanId', 'dd.span_id'] as const

/** A column of the batch. */
interface Attribute {
  readonly name: string
  readonly packedName: Buffer
  readonly texts: TextColumn
  readonly rows: ArrayLike<number> | undefined
}

type Coded = 'recordCount' | 'streams' | 'streamCodes' | 'levels' | 'levelCodes'
type Named = 'timestamp' | 'sequence' | 'attributeNames'

/** Records in columns whose texts are at hand: a batch of the journal, or a block that was decoded. */
export interface RowsToWrite extends Pick<RecordColumns, Coded | Named> {
  readonly message: { readonly texts: TextColumn }
  attribute(name: string):
    | {
        readonly column: { readonly texts: TextColumn }
        readonly rows: ArrayLike<number> | undefined
      }
    | undefined
}

export interface RowOrigin {
  readonly frontEnd: string
  readonly file: number
}

export class RowWriter {
  readonly #frontEnd: Buffer
  readonly #file: number
  #bytes = Buffer.allocUnsafeSlow(chunkBytes + 64 * 1024)
  #at = 0

  constructor({ frontEnd, file }: RowOrigin) {
    this.#frontEnd = packedText(frontEnd)
    this.#file = file
  }

  /** The rows of a batch of which `isWanted` is true, in chunks. */
  *add(batch: RowsToWrite, isWanted: (row: number) => boolean): Generator<Buffer> {
    const attributes = attributesOf(batch)
    const { starts, columns, places } = valuesByRow(batch.recordCount, attributes)
    const named = namedColumns(attributes)
    const streams = batch.streams.map(({ service, environment }) => ({
      service: packedText(service),
      environment: packedText(environment),
    }))
    const levels = batch.levels.map(packedText)
    const message = batch.message.texts
    for (let row = 0; row < batch.recordCount; row++) {
      if (!isWanted(row)) continue
      const stream = streams[batch.streamCodes[row]!]!
      const time = batch.timestamp(row)
      this.#room(rowSpareBytes + 20)
      this.#bigint(nanosecondsOf(time, named.nanoseconds?.(row)))
      this.#uint32(secondsOf(time))
      this.#firstOf(named.traceIds, row)
      this.#firstOf(named.spanIds, row)
      this.#packed(stream.service)
      this.#text(message.bytes, message.offsets[row]!, message.offsets[row + 1]!)
      this.#firstOf(named.scopeNames, row)
      this.#firstOf(named.scopeVersions, row)
      const [from, to] = [starts[row]!, starts[row + 1]!]
      this.#varint(to - from)
      for (let i = from; i < to; i++) {
        const { packedName, texts } = attributes[columns[i]!]!
        this.#packed(packedName)
        this.#text(texts.bytes, texts.offsets[places[i]!]!, texts.offsets[places[i]! + 1]!)
      }
      this.#room(rowSpareBytes)
      this.#bigint(BigInt(time))
      this.#packed(stream.environment)
      this.#packed(levels[batch.levelCodes[row]!]!)
      this.#packed(this.#frontEnd)
      this.#room(rowSpareBytes)
      this.#bigint(BigInt(batch.sequence(row)))
      this.#uint32(this.#file)
      if (this.#at >= chunkBytes) yield this.#take()
    }
  }

  /** What is left of the last chunk; undefined when nothing is. */
  end(): Buffer | undefined {
    return this.#at === 0 ? undefined : this.#take()
  }

  /** A copy: the socket may still have the last ones to send. */
  #take(): Buffer {
    const chunk = Buffer.from(this.#bytes.subarray(0, this.#at))
    this.#at = 0
    return chunk
  }

  #firstOf(columns: readonly Finder[], row: number): void {
    for (const { texts, find } of columns) {
      const place = find(row)
      if (place === -1 || texts.offsets[place] === texts.offsets[place + 1]) continue
      this.#text(texts.bytes, texts.offsets[place]!, texts.offsets[place + 1]!)
      return
    }
    this.#room(1)
    this.#bytes[this.#at++] = 0
  }

  #text(source: Uint8Array, start: number, end: number): void {
    this.#room(end - start + rowSpareBytes)
    this.#varint(end - start)
    this.#bytes.set(source.subarray(start, end), this.#at)
    this.#at += end - start
  }

  #packed(text: Buffer): void {
    this.#room(text.length)
    this.#bytes.set(text, this.#at)
    this.#at += text.length
  }

  #varint(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#at++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.#at++] = rest
  }

  #bigint(value: bigint): void {
    this.#at = this.#bytes.writeBigInt64LE(value, this.#at)
  }

  #uint32(value: number): void {
    this.#at = this.#bytes.writeUInt32LE(value, this.#at)
  }

  #room(more: number): void {
    if (this.#at + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#at + more))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}

function attributesOf(batch: RowsToWrite): Attribute[] {
  return Array.from(batch.attributeNames, name => {
    const { rows, column } = batch.attribute(name)!
    return { name, packedName: packedText(name), texts: column.texts, rows }
  })
}

/** For each row, from `starts[row]` to that of the next, its attributes and where their values are. */
function valuesByRow(recordCount: number, attributes: readonly Attribute[]) {
  const starts = new Uint32Array(recordCount + 1)
  for (const { rows, texts } of attributes) {
    const count = texts.offsets.length - 1
    for (let i = 0; i < count; i++) starts[(rows === undefined ? i : rows[i]!) + 1]!++
  }
  for (let row = 0; row < recordCount; row++) starts[row + 1]! += starts[row]!
  const next = starts.slice()
  const columns = new Uint32Array(starts[recordCount]!)
  const places = new Uint32Array(starts[recordCount]!)
  for (const [number, { rows, texts }] of attributes.entries()) {
    const count = texts.offsets.length - 1
    for (let i = 0; i < count; i++) {
      const at = next[rows === undefined ? i : rows[i]!]!++
      columns[at] = number
      places[at] = i
    }
  }
  return { starts, columns, places }
}

/** Where a row's value is in a column; -1 when it has none. Rows are asked for in ascending order. */
interface Finder {
  readonly texts: TextColumn
  readonly find: (row: number) => number
}

function finderOf({ texts, rows }: Attribute): Finder {
  if (rows === undefined) return { texts, find: row => row }
  let at = 0
  const find = (row: number) => {
    while (at < rows.length && rows[at]! < row) at++
    return rows[at] === row ? at : -1
  }
  return { texts, find }
}

/** Columns that others read under names of their own. */
function namedColumns(attributes: readonly Attribute[]) {
  const byName = new Map(attributes.map(one => [one.name, one]))
  const finders = (names: readonly string[]) =>
    names.flatMap(name => {
      const attribute = byName.get(name)
      return attribute === undefined ? [] : [finderOf(attribute)]
    })
  const [nanoseconds] = finders([nanosecondsAttribute])
  return {
    traceIds: finders(traceIdNames),
    spanIds: finders(spanIdNames),
    scopeNames: finders(['otel.scope.name']),
    scopeVersions: finders(['otel.scope.version']),
    nanoseconds: nanoseconds && ((row: number) => textAt(nanoseconds, row)),
  }
}

function textAt({ texts: { bytes, offsets }, find }: Finder, row: number): string | undefined {
  const place = find(row)
  if (place === -1) return undefined
  const [start, end] = [offsets[place]!, offsets[place + 1]!]
  return end - start > digitsMax ? undefined : String.fromCharCode(...bytes.subarray(start, end))
}

/** A text as RowBinary has it: its length, and its bytes. */
export function packedText(text: string): Buffer {
  const bytes = Buffer.from(text)
  const packed = Buffer.allocUnsafe(bytes.length + 5)
  let at = 0
  let rest = bytes.length
  while (rest >= 0x80) {
    packed[at++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  packed[at++] = rest
  bytes.copy(packed, at)
  return packed.subarray(0, at + bytes.length)
}
