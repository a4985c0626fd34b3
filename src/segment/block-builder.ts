/**
 * Makes the blocks of one stream out of the records of several sources (batches of the journal, blocks
 * of older segments), column by column: no record is ever made.
 */
import type { Sequence, Stream, Timestamp } from '../record.ts'
import { encodeColumn } from './columns/choose.ts'
import type { EncodedColumn, TextColumn } from './columns/column.ts'
import { encodeNumbers } from './columns/numbers.ts'
import { presenceBytes } from './presence.ts'
import type { BlockToWrite, ColumnToWrite } from './segment-writer.ts'
import { buildTokenFilter } from './token-filter.ts'

/** Records of a block. More compress better and make a smaller index; but a block is what a query
 *  decodes at least, and what damage costs at most. */
export const blockRecordsMax = 32_768

/** What a builder asks of a source. */
export interface RowSource {
  timestamp(row: number): Timestamp
  sequence(row: number): Sequence
  level(row: number): string
  readonly message: TextColumn
  readonly attributeNames: Iterable<string>
  /** An attribute's texts, and the ascending rows that have them when not all do. */
  attribute(name: string): SourceAttribute | undefined
}

export interface SourceAttribute {
  readonly texts: TextColumn
  readonly rows: ArrayLike<number> | undefined
}

/** Gathers rows of one stream and gives its blocks. */
export class BlockBuilder {
  readonly #stream: Stream
  readonly #sources: RowSource[] = []
  // Of each record: its source by number, its row there, and its place in the order. Lists of numbers
  // and not of objects, because a journal file has hundreds of thousands of records.
  readonly #sourceNumbers: number[] = []
  readonly #rows: number[] = []
  readonly #timestamps: Timestamp[] = []
  readonly #sequences: Sequence[] = []

  constructor(stream: Stream) {
    this.#stream = stream
  }

  /** Adds rows of a source. */
  add(source: RowSource, rows: Iterable<number>): void {
    const number = this.#sources.length
    this.#sources.push(source)
    for (const row of rows) {
      this.#sourceNumbers.push(number)
      this.#rows.push(row)
      this.#timestamps.push(source.timestamp(row))
      this.#sequences.push(source.sequence(row))
    }
  }

  /** Adds all rows of another builder of the same stream. */
  addAll(other: BlockBuilder): void {
    const bySource = other.#sources.map((): number[] => [])
    other.#rows.forEach((row, i) => {
      bySource[other.#sourceNumbers[i]!]!.push(row)
    })
    for (const [i, source] of other.#sources.entries()) this.add(source, bySource[i]!)
  }

  /** The blocks, in order of time; all of about the same size. */
  *blocks(): Generator<BlockToWrite> {
    const order = this.#order()
    const blockCount = Math.ceil(order.length / blockRecordsMax)
    for (let i = 0; i < blockCount; i++) {
      const start = Math.floor((i * order.length) / blockCount)
      const end = Math.floor(((i + 1) * order.length) / blockCount)
      yield this.#block(order.subarray(start, end))
    }
  }

  /** The records, by number, in order of time and then of arrival. */
  #order(): Uint32Array {
    const order = Uint32Array.from(this.#rows, (_, i) => i)
    const compare = (a: number, b: number) =>
      this.#timestamps[a]! - this.#timestamps[b]! || this.#sequences[a]! - this.#sequences[b]!
    const isSorted = order.every((record, i) => i === 0 || compare(record - 1, record) <= 0)
    return isSorted ? order : order.sort(compare)
  }

  #block(records: Uint32Array): BlockToWrite {
    const levels = new Map<string, number>()
    const levelCodes = Array.from(records, record => {
      const level = this.#sources[this.#sourceNumbers[record]!]!.level(this.#rows[record]!)
      let code = levels.get(level)
      if (code === undefined) {
        code = levels.size
        levels.set(level, code)
      }
      return code
    })
    const sequences = Float64Array.from(records, record => this.#sequences[record]!)
    const timestamps = Float64Array.from(records, record => this.#timestamps[record]!)
    const searched: TextColumn[] = []
    const encode = (texts: TextColumn): EncodedColumn => {
      const column = encodeColumn(texts)
      if (column.encoding !== 'constant' && column.encoding !== 'dictionary') searched.push(texts)
      return column
    }
    const whole = (
      role: ColumnToWrite['role'],
      name: string,
      column: EncodedColumn,
    ): ColumnToWrite => ({ role, name, column, valueCount: records.length, presence: undefined })
    const columns: ColumnToWrite[] = [
      whole('timestamp', 'timestamp', encodeNumbers(timestamps)),
      whole('sequence', 'sequence', encodeNumbers(sequences)),
      whole('level', 'log_level', encodeNumbers(levelCodes)),
      whole('message', 'message', encode(this.#messages(records))),
    ]
    for (const name of this.#attributeNames()) {
      const { texts, presence } = this.#attribute(name, records)
      const valueCount = texts.offsets.length - 1
      if (valueCount === 0) continue
      columns.push({ role: 'attribute', name, column: encode(texts), valueCount, presence })
    }
    return {
      stream: this.#stream,
      recordCount: records.length,
      minTimestamp: timestamps[0]!,
      maxTimestamp: timestamps.at(-1)!,
      minSequence: sequences.reduce((a, b) => Math.min(a, b)),
      maxSequence: sequences.reduce((a, b) => Math.max(a, b)),
      levelCounts: countLevels(levels, levelCodes),
      columns,
      filter: buildTokenFilter(searched),
    }
  }

  #attributeNames(): Set<string> {
    const names = new Set<string>()
    for (const source of this.#sources) for (const name of source.attributeNames) names.add(name)
    return names
  }

  #messages(records: Uint32Array): TextColumn {
    const texts = this.#sources.map(source => source.message)
    const gathering = new Gathering(records.length)
    for (const record of records) {
      gathering.add(texts[this.#sourceNumbers[record]!]!, this.#rows[record]!)
    }
    return gathering.finish()
  }

  #attribute(name: string, records: Uint32Array) {
    const readers = this.#sources.map(source => valueReader(source.attribute(name)))
    const gathering = new Gathering(records.length)
    const bitmap = new Uint8Array(presenceBytes(records.length))
    records.forEach((record, i) => {
      const reader = readers[this.#sourceNumbers[record]!]
      const index = reader === undefined ? -1 : reader.indexOf(this.#rows[record]!)
      if (index === -1) return
      gathering.add(reader!.texts, index)
      bitmap[i >> 3]! |= 1 << (i & 7)
    })
    const texts = gathering.finish()
    const isDense = texts.offsets.length - 1 === records.length
    return { texts, presence: isDense ? undefined : bitmap }
  }
}

interface ValueReader {
  readonly texts: TextColumn
  /** The value of a row, by its number in the column; -1 when it has none. */
  indexOf(row: number): number
}

/** Reads an attribute by rows. Rows mostly ascend, so that looking goes on from the last place. */
function valueReader(attribute: SourceAttribute | undefined): ValueReader | undefined {
  if (attribute === undefined) return undefined
  const { texts, rows } = attribute
  if (rows === undefined) return { texts, indexOf: row => row }
  let at = 0
  return {
    texts,
    indexOf(row) {
      if (at > 0 && rows[at - 1]! >= row) at = 0
      while (at < rows.length && rows[at]! < row) at++
      return rows[at] === row ? at : -1
    },
  }
}

/** Copies chosen texts end to end, once it is known how much memory they take. */
class Gathering {
  readonly #columns: TextColumn[] = []
  readonly #indexes: Uint32Array
  readonly #offsets: Uint32Array
  #length = 0

  constructor(countMax: number) {
    this.#indexes = new Uint32Array(countMax)
    this.#offsets = new Uint32Array(countMax + 1)
  }

  add(column: TextColumn, index: number): void {
    const count = this.#columns.push(column)
    this.#indexes[count - 1] = index
    this.#length += column.offsets[index + 1]! - column.offsets[index]!
    this.#offsets[count] = this.#length
  }

  finish(): TextColumn {
    const texts = Buffer.allocUnsafeSlow(this.#length)
    for (const [i, { offsets, bytes }] of this.#columns.entries()) {
      const index = this.#indexes[i]!
      bytes.copy(texts, this.#offsets[i]!, offsets[index]!, offsets[index + 1]!)
    }
    return { offsets: this.#offsets.slice(0, this.#columns.length + 1), bytes: texts }
  }
}

function countLevels(
  levels: ReadonlyMap<string, number>,
  codes: readonly number[],
): [string, number][] {
  const counts = new Array<number>(levels.size).fill(0)
  for (const code of codes) counts[code]!++
  return [...levels].map(([level, code]) => [level, counts[code]!])
}
