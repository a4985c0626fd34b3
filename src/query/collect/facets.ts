/**
 * Counts per value of several fields at once, in one scan: for facets, and with a single field and a
 * prefix for the completion of values.
 */

import { countOnes } from '../../columns/codes.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { forEachLevel, type IndexEntry } from '../../index/entry.ts'
import type { Collector, ToldBlock, WantedLevels } from './collector.ts'
import { indexedValue, isIndexedLabel } from './groups.ts'
import { isAttributeOnly } from './label-codes.ts'
import { type PlainValues, ValueCounts, type ValuesWanted } from './value-counts.ts'
import { addToldValues, countField } from './values.ts'

export interface FacetsRequest {
  readonly kind: 'facets'
  /** At least one, none twice. */
  readonly fields: readonly string[]
  readonly wanted: ValuesWanted
}

/** What was counted of one field. */
export interface FieldValues {
  readonly field: string
  readonly counts: ValueCounts
  /** Records that have the field, whatever its value. */
  present: number
}

/** As it travels between threads, in the order of the fields. */
export type PlainFacets = [present: number, values: PlainValues][]

export class Facets implements Collector<PlainFacets> {
  readonly request: FacetsRequest
  /** In the order in which they were asked for. */
  readonly fields: readonly FieldValues[]
  /** A field with too many values says so itself. */
  readonly refusal = undefined
  readonly #isIndexed: boolean

  constructor(fields: readonly string[], wanted: ValuesWanted) {
    this.request = { kind: 'facets', fields, wanted }
    this.fields = fields.map(field => ({ field, counts: new ValueCounts(wanted), present: 0 }))
    this.#isIndexed = fields.every(isIndexedLabel)
  }

  add(columns: RecordColumns, selected: Uint8Array): void {
    const selection = { marks: selected, count: countOnes(selected) }
    for (const field of this.fields) {
      field.present += countField(field.field, columns, selection, field.counts)
    }
  }

  addTold(block: ToldBlock): boolean {
    const told = this.fields.map(({ field }) =>
      isAttributeOnly(field) ? block.toldValues(field) : undefined,
    )
    if (told.includes(undefined)) return false
    told.forEach((values, i) => {
      const field = this.fields[i]!
      field.present += addToldValues(values!, field.counts)
    })
    return true
  }

  takesEntry(): boolean {
    return this.#isIndexed
  }

  addEntry(entry: IndexEntry, wanted: WantedLevels): void {
    forEachLevel(entry, (level, levelCount) => {
      if (!wanted.matchesLevel(level)) return
      for (const field of this.fields) {
        field.counts.add(indexedValue(field.field, entry.stream, level), levelCount)
        field.present += levelCount
      }
    })
  }

  toPlain(): PlainFacets {
    return this.fields.map(({ present, counts }) => [present, counts.toPlain()])
  }

  addPlain(plain: PlainFacets): void {
    plain.forEach(([present, values], i) => {
      const field = this.fields[i]!
      field.present += present
      field.counts.addPlain(values)
    })
  }
}
