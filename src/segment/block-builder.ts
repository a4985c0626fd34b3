/**
 * Makes the blocks of one stream out of the records of several sources (a journal file, blocks of older
 * segments), column by column: no record is ever made.
 */

import { encodeColumn } from '../columns/choose.ts'
import type { EncodedColumn, Templated, TextColumn } from '../columns/column.ts'
import { withRoom } from '../columns/growing-array.ts'
import { encodeNumbers } from '../columns/numbers.ts'
import { openColumn } from '../columns/open.ts'
import { type PatternTable, tellPatterns } from '../columns/patterns/told-patterns.ts'
import type { Sequence, Stream, Timestamp } from '../record.ts'
import { collectYoungGarbage } from '../threads/garbage.ts'
import { presenceBytes } from './presence.ts'
import type { BlockToWrite, ColumnToWrite } from './segment-writer.ts'
import { DigitRuns } from './skip/digit-runs.ts'
import { LetterRuns } from './skip/letter-runs.ts'
import type { MessageLetters } from './skip/skip-index.ts'
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
  /** Releases what can be read again: nothing is asked for any more, or not soon. */
  release?(): void
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
  #count = 0
  #sourceNumbers = new Uint32Array(64)
  #rows = new Uint32Array(64)
  #timestamps = new Float64Array(64)
  #sequences = new Float64Array(64)

  constructor(stream: Stream) {
    this.#stream = stream
  }

  /** Adds rows of a source. */
  add(source: RowSource, rows: ArrayLike<number>): void {
    if (this.#sources.at(-1) !== source) this.#sources.push(source)
    const number = this.#sources.length - 1
    let record = this.#count
    this.#makeRoom(record + rows.length)
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!
      this.#sourceNumbers[record] = number
      this.#rows[record] = row
      this.#timestamps[record] = source.timestamp(row)
      this.#sequences[record] = source.sequence(row)
      record++
    }
    this.#count = record
    source.release?.()
  }

  /** Adds all rows of another builder of the same stream. */
  addAll(other: BlockBuilder): void {
    const bySource = other.#sources.map((): number[] => [])
    for (let record = 0; record < other.#count; record++) {
      bySource[other.#sourceNumbers[record]!]!.push(other.#rows[record]!)
    }
    for (const [i, source] of other.#sources.entries()) this.add(source, bySource[i]!)
  }

  #makeRoom(count: number): void {
    this.#sourceNumbers = withRoom(this.#sourceNumbers, count)
    this.#rows = withRoom(this.#rows, count)
    this.#timestamps = withRoom(this.#timestamps, count)
    this.#sequences = withRoom(this.#sequences, count)
  }

  /**
   * The blocks, in order of time; all of about the same size. Memory: the sources of a block, from the
   * first block that has a record of theirs to the last one.
   */
  *blocks(): Generator<BlockToWrite> {
    const order = this.#order()
    const ends = this.#endsIn(order)
    const blockCount = Math.ceil(order.length / blockRecordsMax)
    for (let i = 0; i < blockCount; i++) {
      const start = Math.floor((i * order.length) / blockCount)
      const end = Math.floor(((i + 1) * order.length) / blockCount)
      yield this.#block(order.subarray(start, end))
      for (const [source, sourceEnd] of ends.entries()) {
        if (sourceEnd > start && sourceEnd <= end) this.#sources[source]!.release?.()
      }
    }
  }

  /** Of each source, the place in the order after its last record. */
  #endsIn(order: Uint32Array): Uint32Array {
    const ends = new Uint32Array(this.#sources.length)
    for (let at = 0; at < order.length; at++) ends[this.#sourceNumbers[order[at]!]!] = at + 1
    return ends
  }

  /** The records, by number, in order of time and then of arrival. */
  #order(): Uint32Array {
    const timestamps = this.#timestamps
    const sequences = this.#sequences
    const compare = (a: number, b: number) =>
      timestamps[a]! - timestamps[b]! || sequences[a]! - sequences[b]!
    const order = new Uint32Array(this.#count)
    let isSorted = true
    for (let record = 0; record < order.length; record++) {
      order[record] = record
      isSorted &&= record === 0 || compare(record - 1, record) <= 0
    }
    return isSorted ? order : order.sort(compare)
  }

  #block(records: Uint32Array): BlockToWrite {
    const sourceNumbers = chosen(this.#sourceNumbers, records, new Uint32Array(records.length))
    const block: BlockRows = {
      sources: this.#sources,
      used: new Set(sourceNumbers),
      sourceNumbers,
      rows: chosen(this.#rows, records, new Uint32Array(records.length)),
      indexes: new Uint32Array(records.length),
    }
    const timestamps = chosen(this.#timestamps, records, new Float64Array(records.length))
    const sequences = chosen(this.#sequences, records, new Float64Array(records.length))
    const levels = gatherLevels(block)
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
    const messages = gatherMessages(block)
    const { templated, ...message } = encode(messages)
    const letters = lettersOf(messages, templated)
    const patterns = patternsOf(message, levels, timestamps)
    const columns: ColumnToWrite[] = [
      whole('timestamp', 'timestamp', encodeNumbers(timestamps)),
      whole('sequence', 'sequence', encodeNumbers(sequences)),
      whole('level', 'log_level', encodeNumbers(levels.codes)),
      whole('message', 'message', message),
    ]
    for (const name of attributeNamesOf(block)) {
      const { texts, presence } = gatherAttribute(name, block)
      const valueCount = texts.offsets.length - 1
      if (valueCount === 0) continue
      const { templated: _, ...column } = encode(texts) // Megabytes that nobody needs.
      columns.push({ role: 'attribute', name, column, valueCount, presence })
      collectYoungGarbage() // A column takes megabytes to make.
    }
    return {
      stream: this.#stream,
      recordCount: records.length,
      minTimestamp: timestamps[0]!,
      maxTimestamp: timestamps.at(-1)!,
      ...sequenceRange(sequences),
      levelCounts: levels.counts,
      columns,
      filter: buildTokenFilter(searched),
      letters,
      digits: new DigitRuns().addTexts(messages),
      templates: templated?.templates,
      patterns,
    }
  }
}

/** As a reader of the column would count them. */
function patternsOf(
  { encoding, meta, chunks }: EncodedColumn,
  { codes, counts }: ReturnType<typeof gatherLevels>,
  timestamps: Float64Array,
): PatternTable | undefined {
  const message = openColumn(encoding, meta, timestamps.length, index => chunks[index]!)
  const levels = counts.map(([level]) => level)
  return tellPatterns({ message, levels, levelCodes: codes, timestamps })
}

/** The records of a block: of each its source by number, and its row there. */
interface BlockRows {
  readonly sources: readonly RowSource[]
  /** The sources that have any of the records. */
  readonly used: ReadonlySet<number>
  readonly sourceNumbers: Uint32Array
  readonly rows: Uint32Array
  /** Room for a number of each, while a column is gathered. */
  readonly indexes: Uint32Array
}

/** The values of the records, into `target`. */
function chosen<Values extends Uint32Array | Float64Array>(
  values: Values,
  records: Uint32Array,
  target: Values,
): Values {
  for (let i = 0; i < records.length; i++) target[i] = values[records[i]!]!
  return target
}

function sequenceRange(sequences: Float64Array) {
  let minSequence = sequences[0]!
  let maxSequence = minSequence
  for (let i = 1; i < sequences.length; i++) {
    const sequence = sequences[i]!
    if (sequence < minSequence) minSequence = sequence
    if (sequence > maxSequence) maxSequence = sequence
  }
  return { minSequence, maxSequence }
}

/** The level of each record by code, and how many have it, in the order of the codes. */
function gatherLevels({ sources, sourceNumbers, rows }: BlockRows) {
  const known = new Map<string, number>()
  const codes = new Float64Array(rows.length)
  const counts: number[] = []
  for (let i = 0; i < rows.length; i++) {
    const level = sources[sourceNumbers[i]!]!.level(rows[i]!)
    let code = known.get(level)
    if (code === undefined) {
      code = counts.push(0) - 1
      known.set(level, code)
    }
    counts[code]!++
    codes[i] = code
  }
  const byLevel = [...known].map(([level, code]): [string, number] => [level, counts[code]!])
  return { codes, counts: byLevel }
}

function attributeNamesOf({ sources, used }: BlockRows): Set<string> {
  const names = new Set<string>()
  for (const source of used) for (const name of sources[source]!.attributeNames) names.add(name)
  return names
}

/** Calls `see` for every stretch of records that come from the same source: mostly there are many. */
function forEachStretch(
  { sourceNumbers }: BlockRows,
  see: (source: number, start: number, end: number) => void,
): void {
  let start = 0
  while (start < sourceNumbers.length) {
    const source = sourceNumbers[start]!
    let end = start + 1
    while (end < sourceNumbers.length && sourceNumbers[end] === source) end++
    see(source, start, end)
    start = end
  }
}

function lettersOf(messages: TextColumn, templated: Templated | undefined): MessageLetters {
  if (templated === undefined) {
    const all = new LetterRuns().addTexts(messages)
    return { all, variable: all }
  }
  // Words are static or variable as a whole: what is in neither is nowhere.
  const variable = new LetterRuns().addPlaces(templated.variables)
  const templates = Buffer.from(templated.templates.map(({ text }) => text).join('\0'), 'latin1')
  const all = new LetterRuns().addAll(variable)
  all.addTexts({ bytes: templates, offsets: Uint32Array.of(0, templates.length) })
  return { all, variable }
}

function gatherMessages(block: BlockRows): TextColumn {
  const { sources, rows } = block
  const gathering = new Gathering(rows.length)
  forEachStretch(block, (source, start, end) => {
    gathering.add(sources[source]!.message, rows.subarray(start, end))
  })
  return gathering.finish()
}

function gatherAttribute(name: string, block: BlockRows) {
  const { sources, used, rows, indexes } = block
  const attributes = sources.map((source, i) => (used.has(i) ? source.attribute(name) : undefined))
  const gathering = new Gathering(rows.length)
  const presence = new Uint8Array(presenceBytes(rows.length))
  const lookedUpTo = new Uint32Array(sources.length)
  forEachStretch(block, (source, start, end) => {
    const attribute = attributes[source]
    if (attribute === undefined) return
    const { texts, rows: present } = attribute
    let found = 0
    let at = lookedUpTo[source]!
    for (let i = start; i < end; i++) {
      const row = rows[i]!
      if (present !== undefined) {
        // Rows mostly ascend, so that looking continues from the last place.
        if (at > 0 && present[at - 1]! >= row) at = 0
        at = firstNotBelow(present, row, at)
        if (present[at] !== row) continue
      }
      indexes[found++] = present === undefined ? row : at
      presence[i >> 3]! |= 1 << (i & 7)
    }
    lookedUpTo[source] = at
    gathering.add(texts, indexes.subarray(0, found))
  })
  const texts = gathering.finish()
  const isDense = texts.offsets.length - 1 === rows.length
  return { texts, presence: isDense ? undefined : presence }
}

/**
 * Where in ascending numbers, from `from` on, the first one stands that is not below `wanted`; their
 * length when there is none. In steps that double, then by halves (Bentley and Yao's search): next to
 * `from` as quick as looking at each, and far away too. A file may hold thousands of days and streams,
 * and each looks for its rows among all.
 */
function firstNotBelow(numbers: ArrayLike<number>, wanted: number, from: number): number {
  if (from >= numbers.length || numbers[from]! >= wanted) return from
  let below = from
  let step = 1
  while (below + step < numbers.length && numbers[below + step]! < wanted) {
    below += step
    step *= 2
  }
  let notBelow = Math.min(below + step, numbers.length)
  while (notBelow - below > 1) {
    const middle = (below + notBelow) >>> 1
    if (numbers[middle]! < wanted) below = middle
    else notBelow = middle
  }
  return notBelow
}

/** Copies chosen texts end to end. */
class Gathering {
  readonly #offsets: Uint32Array
  #count = 0
  #length = 0

  constructor(countMax: number) {
    this.#offsets = new Uint32Array(countMax + 1)
  }

  /** Adds texts of a column by their numbers. */
  add({ offsets, bytes }: TextColumn, indexes: Uint32Array): void {
    const gatheredOffsets = this.#offsets
    let count = this.#count
    let length = this.#length
    for (let i = 0; i < indexes.length; i++) {
      const start = offsets[indexes[i]!]!
      const end = offsets[indexes[i]! + 1]!
      if (length + end - start > gathered.length) makeRoom(length, end - start)
      if (end - start <= shortText) {
        const target = gathered
        for (let at = start; at < end; at++) target[length++] = bytes[at]!
      } else {
        bytes.copy(gathered, length, start, end)
        length += end - start
      }
      gatheredOffsets[++count] = length
    }
    this.#count = count
    this.#length = length
  }

  finish(): TextColumn {
    const isFull = this.#count === this.#offsets.length - 1
    const offsets = isFull ? this.#offsets : this.#offsets.slice(0, this.#count + 1)
    const bytes = Buffer.allocUnsafeSlow(this.#length)
    gathered.copy(bytes, 0, 0, this.#length)
    if (gathered.length > gatheredBytesKept) gathered = Buffer.alloc(0)
    return { offsets, bytes }
  }
}

/** Up to this many bytes a loop copies faster than a call of native code. */
const shortText = 48

/** Where columns are gathered, one after the other: how long one becomes is known at its end. */
let gathered: Buffer = Buffer.alloc(0)
const gatheredBytesKept = 8 * 1024 * 1024

function makeRoom(used: number, more: number): void {
  const grown = Buffer.allocUnsafeSlow(Math.max(2 * gathered.length, used + more, 64 * 1024))
  gathered.copy(grown, 0, 0, used)
  gathered = grown
}
