/**
 * Counts of records per attribute name. Where a whole batch or block matches, its directory suffices, and
 * no column is opened.
 */

import { countOnes } from '../../columns/codes.ts'
import { type RecordColumns, shownAttribute } from '../../columns/record-columns.ts'
import { limits } from '../../limits.ts'
import { levelLabel, messageLabel, streamLabels } from '../../record.ts'
import type { Collector } from './collector.ts'
import { chosenValues, type Selection } from './values.ts'

export interface FieldsRequest {
  readonly kind: 'fields'
  /** More names than may be: refuse, or forget those that the fewest records have. */
  readonly tooMany: 'refuse' | 'forget-rare'
  /** Of each batch or block at most so many records are looked at; undefined: all. */
  readonly sample?: number
}

/** Name and count, by name or as it travels between threads. */
export type NameCount = [name: string, count: number]

/** Every record has these. An attribute of the same name is hidden by them, in every query. */
export const labelsOfAll: readonly string[] = [
  levelLabel,
  messageLabel,
  streamLabels.service,
  streamLabels.environment,
]

export class Fields implements Collector<NameCount[]> {
  readonly request: FieldsRequest
  #counts = new Map<string, number>()
  /** Characters of all names. */
  #length = 0

  constructor(tooMany: FieldsRequest['tooMany'], sample?: number) {
    this.request = { kind: 'fields', tooMany, ...(sample !== undefined && { sample }) }
  }

  get refusal(): string | undefined {
    if (!this.#isOver) return undefined
    return (
      `the records have more than ${limits.fieldNamesMax} fields, or more than ` +
      `${limits.fieldNamesLengthMax} characters of their names; add matchers`
    )
  }

  add(columns: RecordColumns, selected: Uint8Array): void {
    const { sample } = this.request
    if (sample !== undefined) {
      this.#addSample(columns, selected, sample)
      return
    }
    const selection = { marks: selected, count: countOnes(selected) }
    const isWhole = selection.count === columns.recordCount
    for (const name of columns.attributeNames) {
      if (labelsOfAll.includes(name)) continue
      const isTold = isWhole && columns.shownAttribute === undefined
      const count = isTold
        ? columns.attributeValueCount(name)
        : countChosen(name, columns, selection)
      if (count > 0) this.#addName(name, count)
    }
  }

  #addSample(columns: RecordColumns, selected: Uint8Array, sample: number): void {
    let left = sample
    for (
      let row = selected.indexOf(1);
      row !== -1 && left > 0;
      row = selected.indexOf(1, row + 1)
    ) {
      const { attributes } = columns.record(row)
      for (let i = 0; i < attributes.length; i += 2) {
        if (!labelsOfAll.includes(attributes[i]!)) this.#addName(attributes[i]!, 1)
      }
      left -= 1
    }
  }

  toPlain(): NameCount[] {
    return [...this.#counts]
  }

  addPlain(counts: NameCount[]): void {
    for (const [name, count] of counts) this.#addName(name, count)
  }

  get #isOver(): boolean {
    return this.#counts.size > limits.fieldNamesMax || this.#length > limits.fieldNamesLengthMax
  }

  #addName(name: string, count: number): void {
    const known = this.#counts.get(name)
    this.#counts.set(name, (known ?? 0) + count)
    if (known !== undefined) return
    this.#length += name.length
    if (this.#isOver && this.request.tooMany === 'forget-rare') this.#forgetRare()
  }

  /** Keeps the half of the names that most records have. */
  #forgetRare(): void {
    const kept = byCount(this.toPlain()).slice(0, this.#counts.size >>> 1)
    this.#counts = new Map(kept)
    this.#length = kept.reduce((sum, [name]) => sum + name.length, 0)
  }
}

function countChosen(name: string, columns: RecordColumns, selection: Selection): number {
  const attribute = shownAttribute(columns, name)
  // Of the records that stages have left, none may have it.
  return attribute === undefined ? 0 : chosenValues(attribute, selection, false).count
}

/** Largest count first, ties by name. */
export function byCount(counts: readonly NameCount[]): NameCount[] {
  return counts.toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}
