/** Records that are chosen beforehand, by their places in the order of arrival: no two have the same. */

import { countBelow, type RecordColumns, type RowRange } from '../columns/record-columns.ts'
import type { Sequence } from '../record.ts'

/** Plain data, in shared memory: each task of a query gets it. */
export interface Chosen {
  /** Ascending, none twice. */
  readonly sequences: Float64Array
}

export function chosenOf(sequences: Float64Array): Chosen {
  const bytes = new SharedArrayBuffer(sequences.byteLength)
  const shared = new Float64Array(bytes)
  shared.set(sequences)
  return { sequences: shared.sort() }
}

/** Whether any of them arrived from `min` to `max`, both included. */
export function hasChosenWithin({ sequences }: Chosen, min: Sequence, max: Sequence): boolean {
  return (sequences[countBelow(sequences, min)] ?? Number.POSITIVE_INFINITY) <= max
}

/** Keeps of the records that are selected within `rows` those that are chosen. */
export function keepChosen(
  selected: Uint8Array,
  { from, to }: RowRange,
  columns: RecordColumns,
  { sequences }: Chosen,
): void {
  for (let row = from; row < to; row++) {
    if (selected[row] !== 1) continue
    const sequence = columns.sequence(row)
    if (sequences[countBelow(sequences, sequence)] !== sequence) selected[row] = 0
  }
}
