/**
 * Records in columns, as a query sees them: a batch of the journal or a block of a segment. The same
 * predicate, grouping and counting runs over both.
 */

import type { LogRecord, RecordTimes, Sequence, Stream, Timestamp } from '../record.ts'
import type { SearchableColumn, ToldValues } from './column.ts'
import type { Integers } from './integers.ts'
import type { Numbers } from './numbers.ts'
import type { PatternTable } from './patterns/told-patterns.ts'

/** An attribute's values, one for each record that has it. */
export interface AttributeColumn {
  readonly column: SearchableColumn
  /** The record of each value, ascending; undefined when every record has one. */
  readonly rows: ArrayLike<number> | undefined
}

export interface RecordColumns extends RecordTimes {
  /** Whether records are in order of time and then of arrival. */
  readonly isSorted: boolean
  /** The streams and levels that occur, and which of them each record has. */
  readonly streams: readonly Stream[]
  readonly streamCodes: Integers
  readonly levels: readonly string[]
  readonly levelCodes: Integers
  readonly message: SearchableColumn
  /** The times of all records, ascending, where they are at hand. */
  readonly sortedTimes: Numbers | undefined
  timestamp(row: number): Timestamp
  sequence(row: number): Sequence
  /** Attributes that any record has. */
  readonly attributeNames: Iterable<string>
  /** How many records have an attribute, known without opening its column. */
  attributeValueCount(name: string): number
  /** The values of an attribute, where they are told without reading its column. */
  toldValues?(name: string): ToldValues | undefined
  /**
   * Of the labels that all records have, those that stages may have changed or taken away: their values are
   * those of an attribute of LogQL's name.
   */
  readonly changedLabels?: ReadonlySet<string>
  /** The kinds of the messages, where they are told. */
  toldPatterns?(): PatternTable | undefined
  /** The column of an attribute, or undefined when no record has it. */
  attribute(name: string): AttributeColumn | undefined
  /** The same as records show it, where several attributes may be asked for under one name. */
  shownAttribute?(name: string): AttributeColumn | undefined
  /** Rebuilds one record: for the few that are in an answer, never to filter. */
  record(row: number): LogRecord
}

/** The values of an attribute as records show them. */
export function shownAttribute(columns: RecordColumns, name: string): AttributeColumn | undefined {
  return columns.shownAttribute === undefined
    ? columns.attribute(name)
    : columns.shownAttribute(name)
}

/** One record, whose attributes are in the order of their columns. */
export function rebuiltRecord(columns: RecordColumns, row: number): LogRecord {
  const attributes: string[] = []
  for (const name of columns.attributeNames) {
    const { column, rows } = columns.attribute(name)!
    const index = rows === undefined ? row : indexOfRow(rows, row)
    if (index !== -1) attributes.push(name, column.textAt(index))
  }
  return {
    timestamp: columns.timestamp(row),
    level: columns.levels[columns.levelCodes[row]!]!,
    message: columns.message.textAt(row),
    attributes,
  }
}

/** Rows from `from`, before `to`. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** The rows whose times, in ascending order, lie in `[startTime, endTime]`. */
export function rowsWithin(
  { base, distances }: Numbers,
  startTime: Timestamp,
  endTime: Timestamp,
): RowRange {
  return {
    from: countBelow(distances, startTime - base),
    to: countBelow(distances, endTime - base + 1),
  }
}

/**
 * How many of some ascending numbers are below `bound`, by binary search; `from`, `to`: it is known to be as
 * many at least, and at most.
 */
export function countBelow(
  numbers: ArrayLike<number>,
  bound: number,
  from = 0,
  to = numbers.length,
): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle]! < bound) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of `row` in ascending `rows`; -1 when it is not there. */
export function indexOfRow(rows: ArrayLike<number>, row: number): number {
  const index = countBelow(rows, row)
  return rows[index] === row ? index : -1
}
