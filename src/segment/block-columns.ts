/**
 * A block as a query sees it. Nothing is read before it is asked for, and what was read stays: the
 * reader that owns the block releases all of it when its memory is needed.
 */

import type { ChunkSource, Encoding, SearchableColumn, ToldValues } from '../columns/column.ts'
import type { Integers } from '../columns/integers.ts'
import { type Kept, KeptSum } from '../columns/kept.ts'
import { LazyNumbers } from '../columns/lazy-numbers.ts'
import { type Numbers, openNumbers, rangeOf, unpackNumbers } from '../columns/numbers.ts'
import { openColumn } from '../columns/open.ts'
import type { PatternTable } from '../columns/patterns/told-patterns.ts'
import {
  type AttributeColumn,
  type RecordColumns,
  rebuiltRecord,
} from '../columns/record-columns.ts'
import type { AttributeCondition, Condition } from '../match/condition.ts'
import type { LogRecord, Sequence, Stream, Timestamp } from '../record.ts'
import type { BlockDirectory, ColumnEntry, ColumnRole } from './block-directory.ts'
import type { BlockReader } from './block-reader.ts'
import { isPresent } from './presence.ts'
import { mayContainWord } from './token-filter.ts'
import { wordsOfTest } from './tokens.ts'

/** Bytes that a block takes in memory before any column is read: its directory, roughly. */
const directoryHeldBytes = 8 * 1024

/** Columns with more than codes of a dictionary: seldom looked at but for the records of an answer. */
const largeBytesPerValue = 4

/** The stream codes of all blocks: a block has one stream. */
let zeros = new Uint8Array(0)

/** Whose description has the least and the greatest value. */
const numberEncodings: readonly Encoding[] = ['integer', 'fixed-point']

type NumbersRole = 'timestamp' | 'sequence' | 'level'

/** The conditions on a block, as far as its directory and filter can decide them; all must hold. */
export interface WantedConditions {
  readonly attributeConditions: readonly AttributeCondition[]
  readonly messageConditions: readonly Condition[]
}

/** What is told of columns that are not read. */
export interface ToldColumns {
  toldValues(name: string): ToldValues | undefined
  toldPatterns(): PatternTable | undefined
}

export class BlockColumns implements RecordColumns {
  readonly directory: BlockDirectory
  readonly isSorted = true
  readonly streams: readonly Stream[]
  readonly levels: readonly string[]
  /** The block's file may have been closed since the last read: asked for each time. */
  readonly #reader: () => BlockReader
  readonly #told: (() => ToldColumns | undefined) | undefined
  /** Those that were opened. */
  #attributes: Map<string, OpenedColumn> | undefined
  #times: LazyNumbers | undefined
  #sequences: LazyNumbers | undefined
  #levelCodes: Uint8Array | undefined
  readonly #keptLevels = new KeptSum<'levels'>(this, 'levels')
  #message: OpenedColumn | undefined

  /** `told`: what the skip index tells of the block. */
  constructor(
    directory: BlockDirectory,
    reader: () => BlockReader,
    told?: () => ToldColumns | undefined,
  ) {
    this.directory = directory
    this.#reader = reader
    this.#told = told
    this.streams = [directory.stream]
    this.levels = directory.levelCounts.map(([level]) => level)
  }

  get recordCount(): number {
    return this.directory.recordCount
  }

  get minTimestamp(): Timestamp {
    return this.directory.minTimestamp
  }

  get maxTimestamp(): Timestamp {
    return this.directory.maxTimestamp
  }

  get streamCodes(): Integers {
    if (zeros.length < this.recordCount) zeros = new Uint8Array(this.recordCount)
    return zeros.subarray(0, this.recordCount)
  }

  get levelCodes(): Integers {
    this.#levelCodes ??= this.#keptLevels.make(
      () => this.#openLevels(),
      codes => codes.byteLength,
    )
    return this.#levelCodes
  }

  get sortedTimes(): Numbers {
    return this.#lazyTimes.all()
  }

  get message(): SearchableColumn {
    this.#message ??= this.#opened(this.#entryOf('message'), undefined)
    return this.#message.column
  }

  get attributeNames(): Iterable<string> {
    return namesOf(this.directory)
  }

  attributeValueCount(name: string): number {
    return this.#entryNamed(name)?.valueCount ?? 0
  }

  toldValues(name: string): ToldValues | undefined {
    return this.#told?.()?.toldValues(name)
  }

  toldPatterns(): PatternTable | undefined {
    return this.#told?.()?.toldPatterns()
  }

  timestamp(row: number): Timestamp {
    return this.#lazyTimes.at(row)
  }

  sequence(row: number): Sequence {
    this.#sequences ??= this.#lazyNumbers('sequence')
    return this.#sequences.at(row)
  }

  attribute(name: string): AttributeColumn | undefined {
    const known = this.#attributes?.get(name)
    if (known !== undefined) return known
    const entry = this.#entryNamed(name)
    if (entry === undefined) return undefined
    const bitmap = this.#reader().presence(entry)
    const rows = bitmap && rowsOf(bitmap, entry.valueCount)
    const attribute = this.#opened(entry, rows)
    this.#attributes ??= new Map()
    this.#attributes.set(name, attribute)
    return attribute
  }

  record(row: number): LogRecord {
    return rebuiltRecord(this, row)
  }

  /**
   * What shows that no record of the block can match: its directory (which columns there are, and the
   * least and the greatest of numbers) and token filter, or the templates of its columns. Undefined:
   * records may match.
   */
  pruneBy(wanted: WantedConditions): 'filter' | 'template' | undefined {
    for (const { name, condition, passesAbsent } of wanted.attributeConditions) {
      const entry = this.#entryNamed(name)
      if (entry === undefined ? !passesAbsent : !this.#mayHold(condition, entry)) return 'filter'
      const isTold = entry !== undefined && !passesAbsent && !condition.isNegated
      const hasRange = isTold && numberEncodings.includes(entry.encoding)
      if (hasRange && !mayPass(this.#opened(entry, undefined).column, condition)) return 'filter'
    }
    const { messageConditions } = wanted
    if (messageConditions.length === 0) return undefined
    const entry = this.#entryOf('message')
    if (!messageConditions.every(condition => this.#mayHold(condition, entry))) return 'filter'
    const mayMatch = messageConditions.every(
      condition => condition.isNegated || mayPass(this.message, condition),
    )
    return mayMatch ? undefined : 'template'
  }

  /** Bytes of memory held, roughly. */
  get heldBytes(): number {
    let bytes = directoryHeldBytes
    bytes += (this.#times?.heldBytes ?? 0) + (this.#sequences?.heldBytes ?? 0)
    bytes += this.#keptLevels.heldBytes
    bytes += this.#message?.column.heldBytes ?? 0
    for (const { column, rows } of this.#attributes?.values() ?? []) {
      bytes += column.heldBytes + 4 * (rows?.length ?? 0)
    }
    return bytes
  }

  /** The filter holds the words of all columns that are neither constant nor a dictionary. */
  #mayHold(condition: Condition, { encoding }: ColumnEntry): boolean {
    if (condition.isNegated || encoding === 'constant' || encoding === 'dictionary') return true
    const words = wordsOfTest(condition.test)
    if (words.length === 0) return true
    const filter = this.#reader().filter()
    if (filter === undefined) return true
    const { readPage, pageCount } = filter
    return words.every(word => mayContainWord(readPage, pageCount, word))
  }

  /** Releases what is large and seldom needed. */
  shed(): void {
    this.#message?.column.shed?.()
    for (const [name, { column }] of this.#attributes ?? []) {
      if (column.heldBytes > largeBytesPerValue * column.valueCount) this.#attributes?.delete(name)
    }
  }

  /**
   * Shows what it has read and made, in parts that can be had back one by one: each is the same object each
   * time, as a thread looks at ten thousand of them whenever its memory is full.
   */
  forEachKept(visit: (kept: Kept) => void): void {
    if (this.#times !== undefined) visit(this.#times)
    if (this.#sequences !== undefined) visit(this.#sequences)
    visit(this.#keptLevels)
    if (this.#message !== undefined) showKept(this.#message, visit)
    for (const attribute of this.#attributes?.values() ?? []) showKept(attribute, visit)
  }

  /** For what counts them. */
  forget(): void {
    this.#levelCodes = undefined
  }

  /** For a column that was opened, and is to be let go of. */
  forgetColumn(entry: ColumnEntry): void {
    if (entry.role === 'message') this.#message = undefined
    else this.#attributes?.delete(entry.name)
  }

  #entryNamed(name: string): ColumnEntry | undefined {
    for (const column of this.directory.columns) {
      if (isAttribute(column) && column.name === name) return column
    }
    return undefined
  }

  #entryOf(role: Exclude<ColumnRole, 'attribute'>): ColumnEntry {
    const reader = this.#reader()
    const entry = reader.column(role)
    if (entry === undefined) throw reader.corrupt(`a block without a column for the ${role}`)
    return entry
  }

  #openLevels(): Uint8Array {
    const entry = this.#entryOf('level')
    const chunks = this.#reader().chunkSource(entry)
    const { base, distances } = unpackNumbers(entry.meta, entry.valueCount, chunks)
    const areCodes = base === 0 && distances instanceof Uint8Array
    return areCodes ? distances : Uint8Array.from(distances, distance => base + distance)
  }

  /** A column of numbers, whole. */
  numbers(role: NumbersRole): Float64Array {
    const entry = this.#entryOf(role)
    return openNumbers(entry.meta, entry.valueCount, this.#reader().chunkSource(entry))
  }

  get #lazyTimes(): LazyNumbers {
    this.#times ??= this.#lazyNumbers('timestamp')
    return this.#times
  }

  /** The same as they are kept, or as many of them as are asked for. */
  #lazyNumbers(role: NumbersRole): LazyNumbers {
    const entry = this.#entryOf(role)
    const chunk: ChunkSource = (...asked) => this.#reader().chunkSource(entry)(...asked)
    return new LazyNumbers(entry.meta, entry.valueCount, chunk, unpackNarrowNumbers)
  }

  #opened(entry: ColumnEntry, rows: Uint32Array | undefined): OpenedColumn {
    return new OpenedColumn(this, entry, rows)
  }

  /** For a column that was opened. */
  readChunk(entry: ColumnEntry, index: number, isLent?: boolean): Buffer {
    return this.#reader().chunkSource(entry)(index, isLent)
  }
}

/** A column that was opened, and what it and its rows take beside what the column shows in parts. */
class OpenedColumn implements AttributeColumn, Kept {
  readonly entry: ColumnEntry
  readonly column: SearchableColumn
  readonly rows: Uint32Array | undefined
  readonly #block: BlockColumns
  /** How long reading chunks took, ms. */
  #readingMs = 0

  constructor(block: BlockColumns, entry: ColumnEntry, rows: Uint32Array | undefined) {
    const { encoding, meta, valueCount } = entry
    this.#block = block
    this.entry = entry
    this.column = openColumn(encoding, meta, valueCount, (...asked) => this.#readChunk(...asked))
    this.rows = rows
  }

  get heldBytes(): number {
    return this.#ownBytes + (this.rows?.length ?? 0) * Uint32Array.BYTES_PER_ELEMENT
  }

  /** To unpack it took about as long as to read it. */
  get makingMs(): number {
    return 2 * this.#readingMs
  }

  get isSeldomNeeded(): boolean {
    return this.#ownBytes > largeBytesPerValue * this.column.valueCount
  }

  release(): void {
    this.#block.forgetColumn(this.entry)
  }

  #readChunk(index: number, isLent?: boolean): Buffer {
    const startedAt = performance.now()
    const bytes = this.#block.readChunk(this.entry, index, isLent)
    this.#readingMs += performance.now() - startedAt
    return bytes
  }

  get #ownBytes(): number {
    return this.column.kept === undefined ? this.column.heldBytes : 0
  }
}

function* namesOf({ columns }: BlockDirectory): Generator<string> {
  for (const column of columns) if (isAttribute(column)) yield column.name
}

function isAttribute({ role }: ColumnEntry): boolean {
  return role === 'attribute'
}

function showKept(opened: OpenedColumn, visit: (kept: Kept) => void): void {
  const { kept } = opened.column
  if (kept !== undefined) for (const part of kept) visit(part)
  // One that shows all in parts would let go of these with it.
  if (opened.heldBytes > 0) visit(opened)
}

function mayPass(column: SearchableColumn, { test }: Condition): boolean {
  return column.mayPass?.(test) !== false
}

/** In as little memory as they take to keep. */
function unpackNarrowNumbers(meta: unknown, valueCount: number, chunk: ChunkSource): Numbers {
  const { base, distances } = unpackNumbers(meta, valueCount, chunk)
  const { min, max } = rangeOf(meta)
  const isNarrow = base === min && max - min < 2 ** 32
  if (!isNarrow || distances instanceof Uint32Array) return { base, distances }
  return { base, distances: new Uint32Array(distances) }
}

function rowsOf(bitmap: Uint8Array, valueCount: number): Uint32Array {
  const rows = new Uint32Array(valueCount)
  let index = 0
  for (let row = 0; index < valueCount; row++) {
    if (isPresent(bitmap, row)) rows[index++] = row
  }
  return rows
}
