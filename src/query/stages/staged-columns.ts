/**
 * Columns as they are behind the stages of a query: what is counted, grouped, shown and exported of its
 * records. Nothing is kept of a record but what was asked for: each label that is asked for is made by
 * another run of the stages. Making one throws TurnOver, and StagedTooLong when it is too long.
 */

import type { SearchableColumn } from '../../columns/column.ts'
import type { Integers } from '../../columns/integers.ts'
import type { Numbers } from '../../columns/numbers.ts'
import { PlainColumn } from '../../columns/plain.ts'
import type { AttributeColumn, RecordColumns } from '../../columns/record-columns.ts'
import { logqlName, ownName } from '../../language/logql-names.ts'
import { limits } from '../../limits.ts'
import {
  type LogRecord,
  type Sequence,
  type Stream,
  seriesLabels,
  type Timestamp,
} from '../../record.ts'
import type { RowStage } from './pipeline.ts'
import { errorDetailsLabel, Row } from './row.ts'
import { RowLabels, textAtRow } from './row-labels.ts'

/**
 * The name under which staged columns have all labels of a record together, but those that are named: as
 * one text, so that records are grouped by it.
 */
export function labelSetName(without: readonly string[]): string {
  return `${labelSetPrefix}${JSON.stringify(without.map(logqlName))}`
}

const labelSetPrefix = '\0labels'

/** The labels that such a text stands for; undefined when `name` is not of all labels. */
export function readLabelSet(name: string, text: string): [string, string][] | undefined {
  return name.startsWith(labelSetPrefix) ? JSON.parse(text) : undefined
}

/** What stages make of the records of one block or frame is more than a thread may hold. */
export class StagedTooLong extends Error {
  override readonly name = 'StagedTooLong'

  constructor() {
    super(
      `the stages make more than ${limits.queryStagedLengthMax} characters of one label, or of the ` +
        'lines, of a block of records; add matchers or make shorter texts',
    )
  }
}

/** Counts the characters of a column that is being made. */
class StagedLength {
  #length = 0

  /** Throws StagedTooLong. */
  add(text: string): void {
    this.#length += text.length
    if (this.#length > limits.queryStagedLengthMax) throw new StagedTooLong()
  }
}

export class StagedColumns implements RecordColumns {
  readonly #columns: RecordColumns
  readonly #stages: RowStage | undefined
  /** Records that have come through the stages. */
  readonly #selected: Uint8Array
  readonly #labels: RowLabels
  readonly #attributes = new Map<string, AttributeColumn | undefined>()
  #message: SearchableColumn | undefined
  #names: readonly string[] | undefined

  /** `stages`: undefined when labels may only be asked for under LogQL's names. */
  constructor(columns: RecordColumns, stages: RowStage | undefined, selected: Uint8Array) {
    this.#columns = columns
    this.#stages = stages
    this.#selected = selected
    this.#labels = new RowLabels(columns)
  }

  get recordCount(): number {
    return this.#columns.recordCount
  }

  get minTimestamp(): Timestamp {
    return this.#columns.minTimestamp
  }

  get maxTimestamp(): Timestamp {
    return this.#columns.maxTimestamp
  }

  get isSorted(): boolean {
    return this.#columns.isSorted
  }

  get streams(): readonly Stream[] {
    return this.#columns.streams
  }

  get streamCodes(): Integers {
    return this.#columns.streamCodes
  }

  get levels(): readonly string[] {
    return this.#columns.levels
  }

  get levelCodes(): Integers {
    return this.#columns.levelCodes
  }

  get sortedTimes(): Numbers | undefined {
    return this.#columns.sortedTimes
  }

  timestamp(row: number): Timestamp {
    return this.#columns.timestamp(row)
  }

  sequence(row: number): Sequence {
    return this.#columns.sequence(row)
  }

  /** The lines, empty for records that are not selected. */
  get message(): SearchableColumn {
    if (this.#stages === undefined) return this.#columns.message
    if (this.#message === undefined) {
      const lines = new Array<string>(this.recordCount).fill('')
      const length = new StagedLength()
      this.#forEachRow((row, number) => {
        length.add(row.line)
        lines[number] = row.line
      })
      this.#message = columnOf(lines)
    }
    return this.#message
  }

  get attributeNames(): Iterable<string> {
    if (this.#stages === undefined) return this.#columns.attributeNames
    if (this.#names === undefined) {
      const made = new Set<string>()
      this.#forEachRow(row => {
        for (const [name, text] of row.made) if (text !== '') made.add(name)
      })
      const own = [...this.#columns.attributeNames].filter(name => !made.has(logqlName(name)))
      this.#names = [...own, ...made]
    }
    return this.#names
  }

  attributeValueCount(name: string): number {
    return this.attribute(name)?.column.valueCount ?? 0
  }

  attribute(name: string): AttributeColumn | undefined {
    if (!this.#attributes.has(name)) this.#attributes.set(name, this.#attributeOf(name))
    return this.#attributes.get(name)
  }

  record(number: number): LogRecord {
    const record = this.#columns.record(number)
    const row = this.#rowOf(number)
    this.#stages?.(row)
    const attributes: string[] = []
    for (let i = 0; i < record.attributes.length; i += 2) {
      const name = record.attributes[i]!
      if (row.hasOwn(name)) attributes.push(name, record.attributes[i + 1]!)
    }
    for (const [name, text] of row.made) if (text !== '') attributes.push(name, text)
    return { ...record, message: row.line, attributes }
  }

  #attributeOf(name: string): AttributeColumn | undefined {
    if (this.#stages === undefined) {
      const names = this.#labels.attributeNames(name)
      if (names.length <= 1) return this.#columns.attribute(names[0] ?? name)
    }
    const own =
      this.#columns.attributeValueCount(name) > 0 ? this.#columns.attribute(name) : undefined
    const textOf = name.startsWith(labelSetPrefix)
      ? labelSetOf(JSON.parse(name.slice(labelSetPrefix.length)))
      : (row: Row) => row.label(name)
    const rows: number[] = []
    const texts: string[] = []
    const length = new StagedLength()
    this.#forEachRow((row, number) => {
      // What came under this very name may be empty, and is there all the same.
      const ownText = own !== undefined && row.hasOwn(name) ? textAtRow(own, number) : undefined
      const text = ownText ?? textOf(row)
      if (text === '' && ownText === undefined) return
      length.add(text)
      rows.push(number)
      texts.push(text)
    })
    return rows.length === 0 ? undefined : { column: columnOf(texts), rows: Uint32Array.from(rows) }
  }

  #forEachRow(visit: (row: Row, number: number) => void): void {
    const selected = this.#selected
    for (
      let number = selected.indexOf(1);
      number !== -1;
      number = selected.indexOf(1, number + 1)
    ) {
      const row = this.#rowOf(number)
      this.#stages?.(row)
      visit(row, number)
    }
  }

  #rowOf(number: number): Row {
    this.#labels.row = number
    return new Row(this.timestamp(number), this.#columns.message.textAt(number), this.#labels)
  }
}

/** Keeps of the selected records those that come through the stages. Throws TurnOver. */
export function keepStaged(selected: Uint8Array, columns: RecordColumns, stages: RowStage): void {
  const labels = new RowLabels(columns)
  for (let number = selected.indexOf(1); number !== -1; number = selected.indexOf(1, number + 1)) {
    labels.row = number
    const row = new Row(columns.timestamp(number), columns.message.textAt(number), labels)
    if (!stages(row)) selected[number] = 0
  }
}

/** All labels of a record by which LogQL tells series apart: its stream's, and what stages have made. */
function labelSetOf(without: readonly string[]): (row: Row) => string {
  const left = new Set([...without, errorDetailsLabel])
  return row => {
    const pairs: [string, string][] = []
    for (const name of seriesLabels) {
      if (row.hasOwn(name) && !left.has(logqlName(name))) pairs.push([name, row.label(name)])
    }
    for (const [name, text] of row.made) {
      if (text !== '' && !left.has(name)) pairs.push([ownName(name), text])
    }
    pairs.sort(([a], [b]) => (a < b ? -1 : 1))
    return JSON.stringify(pairs)
  }
}

function columnOf(texts: readonly string[]): SearchableColumn {
  const offsets = new Uint32Array(texts.length + 1)
  texts.forEach((text, i) => {
    offsets[i + 1] = offsets[i]! + Buffer.byteLength(text)
  })
  const bytes = Buffer.allocUnsafeSlow(offsets[texts.length]!)
  texts.forEach((text, i) => {
    bytes.write(text, offsets[i]!)
  })
  return new PlainColumn({ offsets, bytes })
}
