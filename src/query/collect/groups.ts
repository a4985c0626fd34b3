/**
 * Counts per combination of label values, for `count by (…)`. Records without a label count under
 * the empty value.
 */

import { countOnes } from '../../columns/codes.ts'
import type { ToldValues } from '../../columns/column.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import type { IndexEntry } from '../../index/entry.ts'
import { limits } from '../../limits.ts'
import { levelLabel, type Stream, streamLabels } from '../../record.ts'
import { marksOf } from '../marks.ts'
import type { Collector, ToldBlock, WantedLevels } from './collector.ts'
import { isAttributeOnly, rowGroups } from './label-codes.ts'

export interface GroupsRequest {
  readonly kind: 'groups'
  /** Labels, none twice; of none, all records are one group. */
  readonly by: readonly string[]
}

/** A group as it travels between threads: the values of the labels in their order, and the count. */
export type GroupCount = [values: string[], count: number]

export class Groups implements Collector<GroupCount[]> {
  readonly request: GroupsRequest
  readonly #isIndexed: boolean
  readonly #counts = new Map<string, GroupCount>()
  /** Groups from index entries, by stream and level: the index has many entries of each. */
  readonly #indexedGroups = new Map<Stream, Map<string, GroupCount>>()
  /** Of blocks that are not opened, records by value: blocks of a run share the texts of theirs. */
  readonly #told = new Map<ToldValues['texts'], Float64Array>()
  /** Characters of all values. */
  #length = 0

  constructor(by: readonly string[]) {
    this.request = { kind: 'groups', by }
    this.#isIndexed = by.every(isIndexedLabel)
  }

  get refusal(): string | undefined {
    const { queryGroupsMax, groupsLengthMax } = limits
    if (this.#counts.size <= queryGroupsMax && this.#length <= groupsLengthMax) return undefined
    return (
      `the query makes more than ${queryGroupsMax} groups, or more than ${groupsLengthMax} ` +
      'characters of them; add matchers or group by less'
    )
  }

  add(columns: RecordColumns, selected: Uint8Array): void {
    groupSelected(this, this.request.by, columns, selected)
  }

  addTold(block: ToldBlock): boolean {
    const [label] = this.request.by
    if (this.request.by.length !== 1 || !isAttributeOnly(label!)) return false
    const told = block.toldValues(label!)
    if (told === undefined) return false
    const { texts, counts } = told
    const sums = getOrInsertComputed(this.#told, texts, () => new Float64Array(counts.length))
    let absent = block.recordCount
    for (let i = 0; i < counts.length; i++) {
      sums[i]! += counts[i]!
      absent -= counts[i]!
    }
    if (absent > 0) this.addGroup([''], absent)
    return true
  }

  takesEntry(): boolean {
    return this.#isIndexed
  }

  addEntry(entry: IndexEntry, wanted: WantedLevels): void {
    const byLevel = getOrInsertComputed(this.#indexedGroups, entry.stream, () => new Map())
    const { stream, levelCounts } = entry
    for (let i = 0; i < levelCounts.length; i += 2) {
      const level = levelCounts[i] as string
      if (!wanted.matchesLevel(level)) continue
      let group = byLevel.get(level)
      if (group === undefined) {
        group = this.#group(this.request.by.map(label => indexedValue(label, stream, level)))
        byLevel.set(level, group)
      }
      group[1] += levelCounts[i + 1] as number
    }
  }

  /** Adds `count` records of a group. */
  addGroup(values: string[], count: number): void {
    this.#group(values)[1] += count
  }

  /** The group of these values, with a count of 0 when it is new. */
  #group(values: string[]): GroupCount {
    const key = values.length === 1 ? values[0]! : JSON.stringify(values)
    let group = this.#counts.get(key)
    if (group === undefined) {
      group = [values, 0]
      this.#counts.set(key, group)
      this.#length += values.reduce((sum, value) => sum + value.length, 0)
    }
    return group
  }

  addPlain(groups: GroupCount[]): void {
    for (const [values, count] of groups) this.addGroup(values, count)
  }

  toPlain(): GroupCount[] {
    for (const [told, sums] of this.#told) {
      const texts = textsOf(told)
      for (let i = 0; i < sums.length; i++) if (sums[i]! > 0) this.addGroup([texts[i]!], sums[i]!)
    }
    this.#told.clear()
    return [...this.#counts.values()]
  }
}

/** Of what is told of a run, as long as that is kept: to make them anew takes longer than to add them up. */
const textsOfTold = new WeakMap<ToldValues['texts'], readonly string[]>()

function textsOf(told: ToldValues['texts']): readonly string[] {
  return getOrInsertComputed(textsOfTold, told, () =>
    Array.from({ length: told.valueCount }, (_, i) => told.textAt(i)),
  )
}

/** Labels whose values the index knows. */
export function isIndexedLabel(label: string): boolean {
  return (
    label === streamLabels.service || label === streamLabels.environment || label === levelLabel
  )
}

/** The value of an indexed label. */
export function indexedValue(label: string, stream: Stream, level: string): string {
  if (label === streamLabels.service) return stream.service
  return label === streamLabels.environment ? stream.environment : level
}

/** Adds the selected records of a batch or block to the groups by `labels`. */
function groupSelected(
  groups: Groups,
  labels: readonly string[],
  columns: RecordColumns,
  selected: Uint8Array,
): void {
  const [label] = labels
  if (labels.length === 1 && countWholeColumn(groups, label!, columns, selected)) return
  const { codes, groupCount, valuesOf } = rowGroups(labels, columns, selected)
  const counts = new Uint32Array(groupCount)
  if (codes === undefined) counts[0] = countOnes(selected)
  else for (let row = 0; row < selected.length; row++) counts[codes[row]!]! += selected[row]!
  for (let group = 0; group < groupCount; group++) {
    if (counts[group]! > 0) groups.addGroup(valuesOf(group), counts[group]!)
  }
}

/** Of `recordCount` records those that have the label, as it is told, and those without it. */
function addToldGroups(groups: Groups, { texts, counts }: ToldValues, recordCount: number): void {
  let absent = recordCount
  const all = textsOf(texts)
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === 0) continue
    groups.addGroup([all[i]!], counts[i]!)
    absent -= counts[i]!
  }
  if (absent > 0) groups.addGroup([''], absent)
}

/** Counts one attribute per distinct value where its column can; returns whether it could. */
function countWholeColumn(
  groups: Groups,
  label: string,
  columns: RecordColumns,
  selected: Uint8Array,
): boolean {
  if (!isAttributeOnly(label)) return false
  const told = columns.toldValues?.(label)
  if (told !== undefined && countOnes(selected) === columns.recordCount) {
    addToldGroups(groups, told, columns.recordCount)
    return true
  }
  const attribute = columns.attribute(label)
  if (attribute?.column.countValues === undefined) return false
  const { rows } = attribute
  const chosen = rows === undefined ? selected : marksOf(rows, selected)
  let present = 0
  attribute.column.countValues(chosen, (text, count) => {
    if (count > 0) groups.addGroup([text], count)
    present += count
  })
  const absent = countOnes(selected) - present
  if (absent > 0) groups.addGroup([''], absent)
  return true
}
