/**
 * Counts per combination of label values, for `count by (…)`. Records without a label count under
 * the empty value.
 */
import type { Batch } from '../journal/batch-reader.ts'
import { levelLabel, messageLabel, type Stream, streamLabels } from '../record.ts'

/** A group as it travels between threads: the values of the labels in their order, and the count. */
export type GroupCount = [values: string[], count: number]

export class Groups {
  readonly #counts = new Map<string, GroupCount>()

  get size(): number {
    return this.#counts.size
  }

  add(values: string[], count: number): void {
    const key = values.length === 1 ? values[0]! : JSON.stringify(values)
    const group = this.#counts.get(key)
    if (group === undefined) this.#counts.set(key, [values, count])
    else group[1] += count
  }

  addAll(groups: Iterable<GroupCount>): void {
    for (const [values, count] of groups) this.add(values, count)
  }

  toArray(): GroupCount[] {
    return [...this.#counts.values()]
  }
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

/** Adds the selected records of a batch to the groups by `labels`. */
export function groupBatch(
  groups: Groups,
  labels: readonly string[],
  batch: Batch,
  selected: Uint8Array,
): void {
  const columns = labels.map(label => valuesOf(label, batch))
  for (let row = 0; row < selected.length; row++) {
    if (selected[row] === 1)
      groups.add(
        columns.map(valueAt => valueAt(row)),
        1,
      )
  }
}

/** Reads a label's values; `row` must not decrease from call to call. */
function valuesOf(label: string, batch: Batch): (row: number) => string {
  if (isIndexedLabel(label)) return row => indexedValue(label, batch.stream(row), batch.level(row))
  if (label === messageLabel) return row => batch.message.textAt(row)
  const attribute = batch.attribute(label)
  if (attribute === undefined) return () => ''
  const { column, rows } = attribute
  if (rows === undefined) return row => column.textAt(row)
  let index = 0
  return row => {
    while (index < rows.length && rows[index]! < row) index++
    return rows[index] === row ? column.textAt(index) : ''
  }
}
