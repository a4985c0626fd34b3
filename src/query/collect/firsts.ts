/**
 * The place of the first record, in an order, for each combination of the values of some labels: what
 * `| distinct a, b` leaves. Labels are those that stages have left, under LogQL's names; a record without
 * one has the empty text for it.
 */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { limits } from '../../limits.ts'
import { comparePlaces, type PlaceOrder, type RecordPlace } from '../top-k.ts'
import type { Collector } from './collector.ts'
import { attributeCodes, rowGroups } from './label-codes.ts'

export interface FirstsRequest {
  readonly kind: 'firsts'
  /** LogQL's names; one or more. */
  readonly labels: readonly string[]
  readonly order: PlaceOrder
}

/** As they travel between threads: combinations, and for each its first record. */
export interface PlainFirsts {
  readonly keys: readonly string[]
  readonly timestamps: Float64Array
  readonly sequences: Float64Array
}

export class Firsts implements Collector<PlainFirsts> {
  readonly request: FirstsRequest
  readonly #firsts = new Map<string, RecordPlace>()
  /** Characters of all combinations. */
  #length = 0

  constructor(labels: readonly string[], order: PlaceOrder) {
    this.request = { kind: 'firsts', labels, order }
  }

  get refusal(): string | undefined {
    const { queryDistinctMax, queryDistinctLengthMax } = limits
    const fits = this.#firsts.size <= queryDistinctMax && this.#length <= queryDistinctLengthMax
    if (fits) return undefined
    return (
      `"distinct" meets more than ${queryDistinctMax} combinations of values, or more than ` +
      `${queryDistinctLengthMax} characters of them; add matchers, name fewer labels, or ask for ` +
      'less time'
    )
  }

  add(columns: RecordColumns, selected: Uint8Array): void {
    const { labels, order } = this.request
    const groups = rowGroups(labels, columns, selected, attributeCodes)
    const first = new Int32Array(groups.groupCount).fill(-1)
    const isAfter = (row: number, other: number) => {
      const [a, b] = [columns.timestamp(row), columns.timestamp(other)]
      if (order !== 'latest' && a !== b) return order === 'asc' ? a > b : a < b
      const [m, n] = [columns.sequence(row), columns.sequence(other)]
      return order === 'asc' ? m > n : m < n
    }
    for (let row = selected.indexOf(1); row !== -1; row = selected.indexOf(1, row + 1)) {
      const group = groups.codes?.[row] ?? 0
      const known = first[group]!
      if (known === -1 || isAfter(known, row)) first[group] = row
    }
    first.forEach((row, group) => {
      if (row === -1) return
      const place = { timestamp: columns.timestamp(row), sequence: columns.sequence(row) }
      this.#take(JSON.stringify(groups.valuesOf(group)), place)
    })
  }

  toPlain(): PlainFirsts {
    const places = [...this.#firsts.values()]
    return {
      keys: [...this.#firsts.keys()],
      timestamps: Float64Array.from(places, ({ timestamp }) => timestamp),
      sequences: Float64Array.from(places, ({ sequence }) => sequence),
    }
  }

  addPlain({ keys, timestamps, sequences }: PlainFirsts): void {
    keys.forEach((key, i) => {
      this.#take(key, { timestamp: timestamps[i]!, sequence: sequences[i]! })
    })
  }

  #take(key: string, place: RecordPlace): void {
    const known = this.#firsts.get(key)
    if (known === undefined) this.#length += key.length
    if (known === undefined || comparePlaces(place, known, this.request.order) < 0) {
      this.#firsts.set(key, place)
    }
  }
}
