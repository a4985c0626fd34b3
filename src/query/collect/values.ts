/**
 * Counts the values that records of a batch or block have in one field: by codes and from directories
 * where these know, and value by value, until there are too many, where they do not.
 */

import { markedRange } from '../../columns/codes.ts'
import type { SearchableColumn, ToldValues } from '../../columns/column.ts'
import type { Integers } from '../../columns/integers.ts'
import type { AttributeColumn, RecordColumns } from '../../columns/record-columns.ts'
import { levelLabel, messageLabel, patternLabel, type Stream, streamLabels } from '../../record.ts'
import { Marks } from '../marks.ts'
import { labelCodes } from './label-codes.ts'
import type { ValueCounts } from './value-counts.ts'

/** Records of a batch or block that are marked with 1. */
export interface Selection {
  readonly marks: Uint8Array
  readonly count: number
}

/**
 * Adds the values that the selected records have in a field. Returns how many of them have the field,
 * whatever their values; without the values of records once there are too many.
 */
export function countField(
  field: string,
  columns: RecordColumns,
  selection: Selection,
  counts: ValueCounts,
): number {
  switch (field) {
    case streamLabels.service:
      countStreams(columns, selection, stream => stream.service, counts)
      return selection.count
    case streamLabels.environment:
      countStreams(columns, selection, stream => stream.environment, counts)
      return selection.count
    case levelLabel:
      countFewCodes(columns.levelCodes, columns.levels, selection, counts)
      return selection.count
    case messageLabel:
      if (!counts.isOver) countColumn(columns.message, selection, counts)
      return selection.count
    case patternLabel: {
      const { codes, codeCount, textOf } = labelCodes(field, columns, selection.marks)
      if (!counts.isOver) countCodes(codes!, codeCount, textOf, selection, counts)
      return selection.count
    }
    default:
      return countAttribute(field, columns, selection, counts)
  }
}

function countStreams(
  { streams, streamCodes }: RecordColumns,
  selection: Selection,
  nameOf: (stream: Stream) => string,
  counts: ValueCounts,
): void {
  if (streams.length === 1) counts.add(nameOf(streams[0]!), selection.count)
  else countFewCodes(streamCodes, streams.map(nameOf), selection, counts)
}

function countFewCodes(
  codes: Integers,
  values: readonly string[],
  selection: Selection,
  counts: ValueCounts,
): void {
  if (values.length === 1) counts.add(values[0]!, selection.count)
  else countCodes(codes, values.length, code => values[code]!, selection, counts)
}

function countCodes(
  codes: Integers,
  codeCount: number,
  textOf: (code: number) => string,
  { marks }: Selection,
  counts: ValueCounts,
): void {
  const sums = new Uint32Array(codeCount)
  const { from, to } = markedRange(marks)
  for (let i = from; i < to; i++) sums[codes[i]!]! += marks[i]!
  for (let code = 0; code < codeCount && !counts.isOver; code++) {
    if (sums[code]! > 0) counts.add(textOf(code), sums[code]!)
  }
}

function countAttribute(
  name: string,
  columns: RecordColumns,
  selection: Selection,
  counts: ValueCounts,
): number {
  const { recordCount } = columns
  const isWhole = selection.count === recordCount
  // Presence is in the directory; the column itself need not be opened any more.
  if (isWhole && counts.isOver) return columns.attributeValueCount(name)
  const told = isWhole ? columns.toldValues?.(name) : undefined
  if (told !== undefined) return addToldValues(told, counts)
  const attribute = columns.attribute(name)
  if (attribute === undefined) return 0
  const chosen = chosenValues(attribute, selection, isWhole)
  if (chosen.count > 0 && !counts.isOver) countColumn(attribute.column, chosen, counts)
  return chosen.count
}

/** Adds the values that are told of an attribute. Returns how many records have it. */
export function addToldValues(
  { texts, counts: ofValues }: ToldValues,
  counts: ValueCounts,
): number {
  let present = 0
  for (let i = 0; i < ofValues.length; i++) {
    if (ofValues[i] === 0) continue
    counts.add(texts.textAt(i), ofValues[i]!)
    present += ofValues[i]!
  }
  return present
}

/** The values of an attribute that belong to selected records. Valid until the next call. */
export function chosenValues(
  { rows, column }: AttributeColumn,
  selection: Selection,
  isWhole: boolean,
): Selection {
  if (rows === undefined) return selection
  const marks = chosenMarks.take(column.valueCount, 1)
  if (isWhole) return { marks, count: marks.length }
  let count = 0
  for (let i = 0; i < marks.length; i++) {
    const mark = selection.marks[rows[i]!]!
    marks[i] = mark
    count += mark
  }
  return { marks, count }
}

/** Of fewer values than this share, finding out which are the same takes longer than it saves. */
const codedShareMin = 1 / 8

/** Counts per distinct value where the column can, else value by value until there are too many. */
function countColumn(column: SearchableColumn, chosen: Selection, counts: ValueCounts): void {
  if (column.countValues !== undefined) {
    column.countValues(chosen.marks, (value, count) => {
      if (count > 0) counts.add(value, count)
    })
    return
  }
  const isMost = chosen.count >= codedShareMin * column.valueCount
  const coded = isMost ? column.codes?.() : undefined
  if (coded !== undefined) {
    countCodes(coded.codes, coded.codeCount, coded.textOf, chosen, counts)
    return
  }
  const { prefix } = counts.wanted
  const marks = prefix === '' ? chosen.marks : hitsOf(column, chosen.marks, prefix)
  for (let i = marks.indexOf(1); i !== -1 && !counts.isOver; i = marks.indexOf(1, i + 1)) {
    counts.add(column.textAt(i), 1)
  }
}

/** Values that may begin with the prefix: found on bytes, where texts would all have to be made. */
function hitsOf(column: SearchableColumn, chosen: Uint8Array, prefix: string): Uint8Array {
  const hits = hitMarks.take(column.valueCount, 0)
  if (column.markBeginning !== undefined) {
    column.markBeginning(prefix, hits)
  } else {
    const test = { kind: 'contains', text: prefix, bytes: Buffer.from(prefix) } as const
    column.markHits({ test, isNegated: false }, hits, chosen)
  }
  for (let i = 0; i < hits.length; i++) hits[i]! &= chosen[i]!
  return hits
}

const chosenMarks = new Marks()
const hitMarks = new Marks()
