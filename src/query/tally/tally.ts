/**
 * What a query collects besides the number of matches and the places of records: counts per group,
 * per bucket of time, and so on. Each kind is one class; a scan fills one of its own in every thread,
 * and these are added up as plain data.
 */

import type { RecordColumns } from '../../columns/record-columns.ts'
import type { IndexEntry } from '../../index/entry.ts'
import { SeriesTally, type SeriesTallyRequest } from '../series/series.ts'
import { Facets, type FacetsRequest } from './facets.ts'
import { Fields, type FieldsRequest } from './fields.ts'
import { Groups, type GroupsRequest } from './groups.ts'
import { Histogram, type HistogramRequest } from './histogram.ts'

export interface Tally<Plain = unknown> {
  /** What `newTally` makes an empty tally of this kind from, in whatever thread. */
  readonly request: TallyRequest
  /** Adds the records of a batch or block that are marked with 1. */
  add(columns: RecordColumns, selected: Uint8Array): void
  /** Whether `addEntry` gives what `add` would of the same records. */
  takesEntry(entry: IndexEntry): boolean
  /** Adds the records of an index entry whose level matches. */
  addEntry(entry: IndexEntry, matchesLevel: (level: string) => boolean): void
  /** What was collected so far, as it travels between threads. */
  toPlain(): Plain
  /** Adds what another tally of the same request has collected. */
  addPlain(plain: Plain): void
  /** Why no answer can hold what was collected; undefined when one can. */
  readonly refusal: string | undefined
}

/** Plain data that travels to the scan threads. */
export type TallyRequest =
  | GroupsRequest
  | HistogramRequest
  | FacetsRequest
  | FieldsRequest
  | SeriesTallyRequest

export function newTally(request: TallyRequest): Tally {
  switch (request.kind) {
    case 'groups':
      return new Groups(request.by)
    case 'histogram':
      return new Histogram(request.bucketMs)
    case 'facets':
      return new Facets(request.fields, request.wanted)
    case 'fields':
      return new Fields(request.tooMany)
    case 'series':
      return new SeriesTally(request)
  }
}
