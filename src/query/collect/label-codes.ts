/**
 * The values of labels as small numbers, one per record of a batch or block, so that grouping
 * compares numbers and makes text only once per distinct value.
 */

import type { ValueCodes } from '../../columns/column.ts'
import type { Integers } from '../../columns/integers.ts'
import { patternCodes } from '../../columns/patterns/column-patterns.ts'
import type { AttributeColumn, RecordColumns } from '../../columns/record-columns.ts'
import { logqlName } from '../../language/logql-names.ts'
import { levelLabel, messageLabel, patternLabel, streamLabels } from '../../record.ts'

/** The code of each selected record's value; codes of other records are meaningless. */
export interface LabelCodes {
  /** One per record, read-only; undefined when all have code 0. */
  readonly codes: Integers | undefined
  readonly codeCount: number
  /** Two codes may have the same text. Empty for records without the label. */
  textOf(code: number): string
}

/** Whether nothing but attributes of that name can give a record the label. */
export function isAttributeOnly(label: string): boolean {
  const others: readonly string[] = [
    ...[streamLabels.service, streamLabels.environment],
    ...[levelLabel, messageLabel, patternLabel],
  ]
  return !others.includes(label)
}

/**
 * Labels as stages have left them. Does all reading that can fail: the result needs none of the block's
 * bytes.
 */
export function labelCodes(
  label: string,
  columns: RecordColumns,
  selected: Uint8Array,
): LabelCodes {
  if (columns.changedLabels?.has(label)) return attributeCodes(logqlName(label), columns, selected)
  const { streams, levels } = columns
  if (label === streamLabels.service || label === streamLabels.environment) {
    const texts = streams.map(({ service, environment }) =>
      label === streamLabels.service ? service : environment,
    )
    return codesOf(texts, streams.length > 1 ? columns.streamCodes : undefined)
  }
  if (label === levelLabel) {
    return codesOf(levels, levels.length > 1 ? columns.levelCodes : undefined)
  }
  if (label === messageLabel)
    return internTexts({ column: columns.message, rows: undefined }, selected)
  if (label === patternLabel) return patternLabelCodes(columns, selected)
  return attributeCodes(label, columns, selected)
}

/** The id of each message's pattern, or the record's own attribute of that name. */
function patternLabelCodes(columns: RecordColumns, selected: Uint8Array): LabelCodes {
  const { codes, codeCount, patternOf } = patternCodes(columns.message, columns.toldPatterns?.())
  const ofPatterns = { codes, codeCount, textOf: (code: number) => patternOf(code).id }
  const own = columns.attribute(patternLabel)
  if (own === undefined) return ofPatterns
  const interned = internTexts(own, selected)
  const all = Float64Array.from(codes)
  for (let row = 0; row < all.length; row++) {
    // Behind the patterns' own codes; that of records without the attribute is 0.
    const ownCode = interned.codes![row]!
    if (ownCode !== 0) all[row] = codeCount + ownCode
  }
  return {
    codes: all,
    codeCount: codeCount + interned.codeCount,
    textOf: code => (code < codeCount ? patternOf(code).id : interned.textOf(code - codeCount)),
  }
}

/** The same of an attribute, whatever its name. */
export function attributeCodes(
  label: string,
  columns: RecordColumns,
  selected: Uint8Array,
): LabelCodes {
  const attribute = columns.attribute(label)
  if (attribute === undefined) return codesOf([''], undefined)
  const codes = attribute.column.codes?.()
  return codes === undefined
    ? internTexts(attribute, selected)
    : spreadCodes(codes, attribute, selected.length)
}

function codesOf(texts: readonly string[], codes: Integers | undefined): LabelCodes {
  return { codes, codeCount: texts.length, textOf: code => texts[code]! }
}

/** The codes of an attribute's values for the records that have it; one more code for the others. */
export function spreadCodes(
  { codes, codeCount, textOf }: ValueCodes,
  { rows }: AttributeColumn,
  recordCount: number,
): ValueCodes {
  if (rows === undefined) return { codes, codeCount, textOf }
  const absent = codeCount
  const all = new Uint32Array(recordCount).fill(absent)
  for (let i = 0; i < rows.length; i++) all[rows[i]!] = codes[i]!
  return {
    codes: all,
    codeCount: codeCount + 1,
    textOf: code => (code === absent ? '' : textOf(code)),
  }
}

/** Numbers the texts of selected records where their column has no numbers of its own. */
function internTexts({ column, rows }: AttributeColumn, selected: Uint8Array): LabelCodes {
  const codes = new Uint32Array(selected.length)
  const texts = ['']
  const known = new Map([['', 0]])
  const count = column.valueCount
  for (let i = 0; i < count; i++) {
    const row = rows === undefined ? i : rows[i]!
    if (selected[row] === 0) continue
    const text = column.textAt(i)
    let code = known.get(text)
    if (code === undefined) {
      code = texts.length
      texts.push(text)
      known.set(text, code)
    }
    codes[row] = code
  }
  return codesOf(texts, codes)
}

/** Combinations of label values, numbered. */
export interface RowGroups {
  /** One per record; undefined when all selected records are in group 0. */
  readonly codes: Integers | undefined
  readonly groupCount: number
  /** The values of the labels in their order. */
  valuesOf(group: number): string[]
}

/** Products of numbers above this are renumbered, so that they stay small. */
const productMax = 2 ** 20

/** The group that each selected record is in; groups need not occur, and two may be the same. */
export function rowGroups(
  labels: readonly string[],
  columns: RecordColumns,
  selected: Uint8Array,
  codesOfLabel = labelCodes,
): RowGroups {
  let groups: RowGroups = { codes: undefined, groupCount: 1, valuesOf: () => [] }
  for (const label of labels) {
    groups = combine(groups, codesOfLabel(label, columns, selected))
    if (groups.groupCount > productMax) groups = renumber(groups, selected)
  }
  return groups
}

function combine(groups: RowGroups, label: LabelCodes): RowGroups {
  const { codes: labelCodes, codeCount, textOf } = label
  if (labelCodes === undefined) {
    const valuesOf = (group: number) => [...groups.valuesOf(group), textOf(0)]
    return { ...groups, valuesOf }
  }
  if (groups.codes === undefined) {
    const valuesOf = (group: number) => [...groups.valuesOf(0), textOf(group)]
    return { codes: labelCodes, groupCount: codeCount, valuesOf }
  }
  const groupCodes = groups.codes
  const groupCount = groups.groupCount * codeCount
  const Codes = groupCount < 2 ** 32 ? Uint32Array : Float64Array
  const codes = new Codes(groupCodes.length)
  for (let row = 0; row < codes.length; row++) {
    codes[row] = groupCodes[row]! * codeCount + labelCodes[row]!
  }
  return {
    codes,
    groupCount,
    valuesOf: group => [
      ...groups.valuesOf(Math.floor(group / codeCount)),
      textOf(group % codeCount),
    ],
  }
}

/** The same groups under numbers without gaps: as many as occur. */
function renumber({ codes, valuesOf }: RowGroups, selected: Uint8Array): RowGroups {
  const numbers = new Map<number, number>()
  const occurring: number[] = []
  const renumbered = new Uint32Array(selected.length)
  for (let row = 0; row < selected.length; row++) {
    if (selected[row] === 0) continue
    const code = codes![row]!
    let number = numbers.get(code)
    if (number === undefined) {
      number = occurring.length
      occurring.push(code)
      numbers.set(code, number)
    }
    renumbered[row] = number
  }
  return {
    codes: renumbered,
    groupCount: occurring.length,
    valuesOf: group => valuesOf(occurring[group]!),
  }
}
