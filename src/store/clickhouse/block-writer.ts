/**
 * Records as blocks of ClickHouse's Native format: from the columns of a batch to columns,
 * without an object or a text of any record. Rows (RowBinary) cost the engine three times as much.
 */
import type { TextColumn } from '../../columns/column.ts'
import { withRoom } from '../../columns/growing-array.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { nanosecondsAttribute, type Timestamp } from '../../record.ts'
import { traceIdNames } from '../../trace-ids.ts'
import {
  CodedColumn,
  codedPrefix,
  IntegerColumn,
  LongColumn,
  packed,
  StringColumn,
} from './native-columns.ts'
import { patternNumbers } from './pattern-numbers.ts'
import { isOfNanoseconds, nanosecondsOf, secondsOf } from './row-times.ts'

/** The columns of a block, in order, and their types; those of the table that are not here have defaults. */
const types = {
  Timestamp: 'DateTime64(9)',
  TimestampTime: 'DateTime',
  TraceId: 'String',
  SpanId: 'String',
  ServiceName: 'LowCardinality(String)',
  Body: 'String',
  ScopeName: 'String',
  ScopeVersion: 'LowCardinality(String)',
  LogAttributes: 'Map(LowCardinality(String), String)',
  Time: 'Int64',
  Environment: 'LowCardinality(String)',
  Level: 'LowCardinality(String)',
  FrontEnd: 'LowCardinality(String)',
  Sequence: 'UInt64',
  JournalFile: 'UInt32',
  PatternNumber: 'UInt64',
} as const

type Column = keyof typeof types

export const shippedColumns = Object.keys(types) as readonly Column[]

/** What stands before the data of each. */
const heads = Object.fromEntries(
  shippedColumns.map(column => [column, packed(column, types[column])]),
) as Readonly<Record<Column, Buffer>>

/**
 * Bytes of texts with which a block goes: some 2,500 records. ClickHouse puts the blocks of an insert
 * together; here each insert that is under way holds one twice.
 */
const blockBytes = 512 * 1024

/** Of whole nanoseconds. */
const digitsMax = 19

const spanIdNames = ['span_id', 'spanId', 'span.id', 'SpanId', 'dd.span_id'] as const

/** A column of the batch. */
interface Attribute {
  readonly name: string
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

/** Between two chunks it holds no rows: several inserts may be made by one, a chunk of each in turn. */
export class BlockWriter {
  readonly #origin: RowOrigin
  #rowCount = 0
  #pairCount = 0
  readonly #nanoseconds = new LongColumn()
  readonly #seconds = new IntegerColumn()
  readonly #traceIds = new StringColumn()
  readonly #spanIds = new StringColumn()
  readonly #services = new CodedColumn()
  readonly #bodies = new StringColumn()
  readonly #scopeNames = new StringColumn()
  readonly #scopeVersions = new CodedColumn()
  readonly #pairEnds = new LongColumn()
  readonly #names = new CodedColumn()
  readonly #values = new StringColumn()
  readonly #times = new LongColumn()
  readonly #environments = new CodedColumn()
  readonly #levels = new CodedColumn()
  readonly #frontEnds = new CodedColumn()
  readonly #sequences = new LongColumn()
  readonly #files = new IntegerColumn()
  readonly #patterns = new LongColumn()
  readonly #places = new PlacesByRow()

  constructor(origin: RowOrigin) {
    this.#origin = origin
  }

  /** The rows of a batch of which `isWanted` is true; the block that is full with them. */
  *add(batch: RowsToWrite, isWanted: (row: number) => boolean): Generator<Buffer> {
    const attributes = attributesOf(batch)
    const rows = wantedRows(batch.recordCount, isWanted)
    this.#rowCount += rows.length
    this.#addOwn(batch, rows)
    this.#addNamed(batch, attributes, rows)
    this.#addAttributes(batch, attributes, rows)
    const { byteLength } = this.#values
    if (byteLength + this.#bodies.byteLength + this.#names.byteLength >= blockBytes)
      yield* this.end()
  }

  /** A block of what is left. */
  *end(): Generator<Buffer> {
    const rowCount = this.#rowCount
    if (rowCount === 0) return
    this.#rowCount = 0
    this.#pairCount = 0
    const data: Record<Column, readonly Buffer[]> = {
      Timestamp: [this.#nanoseconds.take()],
      TimestampTime: [this.#seconds.take()],
      TraceId: [this.#traceIds.take()],
      SpanId: [this.#spanIds.take()],
      ServiceName: coded(this.#services),
      Body: [this.#bodies.take()],
      ScopeName: [this.#scopeNames.take()],
      ScopeVersion: coded(this.#scopeVersions),
      LogAttributes: [
        ...[codedPrefix, this.#pairEnds.take(), ...this.#names.take()],
        this.#values.take(),
      ],
      Time: [this.#times.take()],
      Environment: coded(this.#environments),
      Level: coded(this.#levels),
      FrontEnd: coded(this.#frontEnds),
      Sequence: [this.#sequences.take()],
      JournalFile: [this.#files.take()],
      PatternNumber: [this.#patterns.take()],
    }
    const parts = [packed(shippedColumns.length, rowCount)]
    for (const column of shippedColumns) parts.push(heads[column], ...data[column])
    // One chunk: each costs the stream and the socket some microseconds.
    yield Buffer.concat(parts)
  }

  /** Forgets what has been added since the last block. */
  clear(): void {
    this.end().next()
  }

  /** What each record has. */
  #addOwn(batch: RowsToWrite, rows: Uint32Array): void {
    const services = batch.streams.map(({ service }) => this.#services.codeOf(service))
    const environments = batch.streams.map(one => this.#environments.codeOf(one.environment))
    const levels = batch.levels.map(level => this.#levels.codeOf(level))
    const { bytes, offsets } = batch.message.texts
    for (const row of rows) {
      const time = batch.timestamp(row)
      const stream = batch.streamCodes[row]!
      this.#seconds.add(secondsOf(time))
      this.#services.add(services[stream]!)
      this.#bodies.add(bytes, offsets[row]!, offsets[row + 1]!)
      this.#times.addNumber(time)
      this.#environments.add(environments[stream]!)
      this.#levels.add(levels[batch.levelCodes[row]!]!)
      this.#sequences.addNumber(batch.sequence(row))
      patternNumbers.add(bytes, offsets[row]!, offsets[row + 1]!, this.#patterns)
    }
    this.#frontEnds.addSame(this.#frontEnds.codeOf(this.#origin.frontEnd), rows.length)
    this.#files.addSame(this.#origin.file, rows.length)
  }

  /** What others read under names of their own. */
  #addNamed(batch: RowsToWrite, attributes: readonly Attribute[], rows: Uint32Array): void {
    const named = namedColumns(attributes)
    addFirsts(this.#traceIds, named.traceIds, rows)
    addFirsts(this.#spanIds, named.spanIds, rows)
    addFirsts(this.#scopeNames, named.scopeNames, rows)
    for (const row of rows) {
      addNanoseconds(this.#nanoseconds, batch.timestamp(row), named.nanoseconds?.(row))
    }
    const { scopeVersion } = named
    const versions = this.#scopeVersions
    if (scopeVersion === undefined) versions.addSame(versions.codeOf(''), rows.length)
    else for (const row of rows) versions.add(versions.codeOf(scopeVersion(row) ?? ''))
  }

  #addAttributes(
    { recordCount }: RowsToWrite,
    attributes: readonly Attribute[],
    rows: Uint32Array,
  ): void {
    const { starts, columns, places } = this.#places.of(recordCount, attributes)
    const codes = attributes.map(({ name }) => this.#names.codeOf(name))
    const bytesOf = attributes.map(({ texts }) => texts.bytes)
    const offsetsOf = attributes.map(({ texts }) => texts.offsets)
    for (const row of rows) {
      const [from, to] = [starts[row]!, starts[row + 1]!]
      for (let i = from; i < to; i++) {
        const column = columns[i]!
        const place = places[i]!
        const offsets = offsetsOf[column]!
        this.#names.add(codes[column]!)
        this.#values.add(bytesOf[column]!, offsets[place]!, offsets[place + 1]!)
      }
      this.#pairCount += to - from
      this.#pairEnds.addNumber(this.#pairCount)
    }
  }
}

function wantedRows(recordCount: number, isWanted: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(recordCount)
  let count = 0
  for (let row = 0; row < recordCount; row++) if (isWanted(row)) rows[count++] = row
  return rows.subarray(0, count)
}

function addNanoseconds(to: LongColumn, time: Timestamp, text: string | undefined): void {
  if (text === undefined && isOfNanoseconds(time)) to.addMillions(time)
  else to.addBigint(nanosecondsOf(time, text))
}

function coded(column: CodedColumn): readonly Buffer[] {
  return [codedPrefix, ...column.take()]
}

/** Of each row the first that is not empty. */
function addFirsts(to: StringColumn, finders: readonly Finder[], rows: Uint32Array): void {
  if (finders.length === 0) to.addEmpties(rows.length)
  else for (const row of rows) addFirst(to, finders, row)
}

function addFirst(to: StringColumn, finders: readonly Finder[], row: number): void {
  for (const { texts, find } of finders) {
    const place = find(row)
    if (place === -1 || texts.offsets[place] === texts.offsets[place + 1]) continue
    to.add(texts.bytes, texts.offsets[place]!, texts.offsets[place + 1]!)
    return
  }
  to.addEmpty()
}

function attributesOf(batch: RowsToWrite): Attribute[] {
  return Array.from(batch.attributeNames, name => {
    const { rows, column } = batch.attribute(name)!
    return { name, texts: column.texts, rows }
  })
}

/** Where the values of each row are, in memory that is used again for the next batch. */
class PlacesByRow {
  #starts = new Uint32Array(1)
  #next = new Uint32Array(1)
  #columns = new Uint32Array(1)
  #places = new Uint32Array(1)

  /** For each row, from `starts[row]` to that of the next, its attributes and where their values are. */
  of(recordCount: number, attributes: readonly Attribute[]) {
    this.#starts = withRoom(this.#starts, recordCount + 1)
    this.#next = withRoom(this.#next, recordCount + 1)
    const [starts, next] = [this.#starts, this.#next]
    starts.fill(0, 0, recordCount + 1)
    for (const { rows, texts } of attributes) {
      const count = texts.offsets.length - 1
      for (let i = 0; i < count; i++) starts[(rows === undefined ? i : rows[i]!) + 1]!++
    }
    for (let row = 0; row < recordCount; row++) starts[row + 1]! += starts[row]!
    next.set(starts.subarray(0, recordCount + 1))
    this.#columns = withRoom(this.#columns, starts[recordCount]!)
    this.#places = withRoom(this.#places, starts[recordCount]!)
    const [columns, places] = [this.#columns, this.#places]
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
  const [scopeVersion] = finders(['otel.scope.version'])
  return {
    traceIds: finders(traceIdNames),
    spanIds: finders(spanIdNames),
    scopeNames: finders(['otel.scope.name']),
    scopeVersion: scopeVersion && ((row: number) => textAt(scopeVersion, row)),
    nanoseconds: nanoseconds && ((row: number) => digitsAt(nanoseconds, row)),
  }
}

function textAt({ texts: { bytes, offsets }, find }: Finder, row: number): string | undefined {
  const place = find(row)
  return place === -1 ? undefined : bytes.toString('utf8', offsets[place]!, offsets[place + 1]!)
}

/** Undefined for what is too long to be a number of nanoseconds as well. */
function digitsAt(finder: Finder, row: number): string | undefined {
  const text = textAt(finder, row)
  return text === undefined || text.length > digitsMax ? undefined : text
}
