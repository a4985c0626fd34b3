/**
 * What a query collects besides the number of matches and the places of records: counts per group,
 * per bucket of time, and so on. Each kind is one class; a scan fills one of its own in every thread,
 * and these are added up as plain data.
 */

import type { ToldValues } from '../../columns/column.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import type { IndexEntry } from '../../index/entry.ts'
import type { RecordTimes } from '../../record.ts'
import type { ToldPatterns } from '../../segment/skip/run-patterns.ts'
import type { WantedConditions } from '../../segment/skip/verdict.ts'
import { SeriesCollector, type SeriesCollectorRequest } from '../series/series-collector.ts'
import { Facets, type FacetsRequest } from './facets.ts'
import { Fields, type FieldsRequest } from './fields.ts'
import { Firsts, type FirstsRequest } from './firsts.ts'
import { Groups, type GroupsRequest } from './groups.ts'
import { Histogram, type HistogramRequest } from './histogram.ts'
import { Numbers, type NumbersRequest } from './numbers.ts'
import { Patterns, type PatternsRequest } from './patterns.ts'
import { Services, type ServicesRequest } from './services.ts'

/** A block of which its skip index tells. */
export interface ToldBlock extends RecordTimes {
  /** The values of an attribute: none when no record has it, undefined when they are not told. */
  toldValues(name: string): ToldValues | undefined
  /** The kinds of all messages; undefined when they are not told. */
  toldPatterns(): ToldPatterns | undefined
  /** 1 for each of these of which all messages meet the conditions on messages and kinds, 0 where none does;
   *  undefined when that is not told. */
  matchingKinds(wanted: WantedConditions): Uint8Array | undefined
}

/** Which levels are wanted. */
export interface WantedLevels {
  matchesLevel(level: string): boolean
}

/** Which records of a block match: those of some kinds and levels. */
export interface ToldPart {
  /** As of `ToldBlock.matchingKinds`. */
  readonly kinds: Uint8Array
  readonly levels: WantedLevels
}

export interface Collector<Plain = unknown> {
  /** What `newCollector` makes an empty collector of this kind from, in whatever thread. */
  readonly request: CollectorRequest
  /**
   * Does what takes long of `add`, which comes next, and changes nothing that counts. Throws TurnOver; when
   * it is called again for the same columns, it goes on where it was. Absent: nothing does.
   */
  prepare?(columns: RecordColumns, selected: Uint8Array): void
  /** Adds the records of a batch or block that are marked with 1. */
  add(columns: RecordColumns, selected: Uint8Array): void
  /**
   * Adds all records of a block that is not opened, if what is told of it is enough. Returns whether it
   * was; nothing was added otherwise. Absent: it never is.
   */
  addTold?(block: ToldBlock): boolean
  /** The same of a part of its records. Returns how many were added; undefined when it was not enough. */
  addToldPart?(block: ToldBlock, part: ToldPart): number | undefined
  /** Whether `addEntry` adds exactly what `add` would for the same records. Absent: it never does. */
  takesEntry?(entry: IndexEntry): boolean
  /** Adds the records of an index entry whose level matches. */
  addEntry?(entry: IndexEntry, wanted: WantedLevels): void
  /** What was collected so far, as it travels between threads. */
  toPlain(): Plain
  /** Memory of what `toPlain` has returned that may be handed over to another thread and not copied, when
   *  this collector is not used any more. Absent: none is large enough to be worth it. */
  memoryOf?(plain: Plain): ArrayBuffer[]
  /** Adds what another collector of the same request has collected. */
  addPlain(plain: Plain): void
  /** Why no answer can hold what was collected; undefined when one can. */
  readonly refusal: string | undefined
}

/** Plain data that travels to the scan threads. */
export type CollectorRequest =
  | GroupsRequest
  | HistogramRequest
  | FacetsRequest
  | FieldsRequest
  | FirstsRequest
  | ServicesRequest
  | NumbersRequest
  | PatternsRequest
  | SeriesCollectorRequest

/** An empty collector for what is asked: one for each task of a scan, merged later. */
export function newCollector(request: CollectorRequest): Collector {
  switch (request.kind) {
    case 'groups':
      return new Groups(request.by)
    case 'histogram':
      return new Histogram(request.bucketMs)
    case 'facets':
      return new Facets(request.fields, request.wanted)
    case 'fields':
      return new Fields(request.tooMany, request.sample)
    case 'firsts':
      return new Firsts(request.labels, request.order)
    case 'services':
      return new Services()
    case 'numbers':
      return new Numbers(request)
    case 'patterns':
      return new Patterns(request)
    case 'series':
      return new SeriesCollector(request)
  }
}

/** The labels that a collector will ask columns for. */
export function wantedLabels(request: CollectorRequest): readonly string[] {
  switch (request.kind) {
    case 'groups':
      return request.by
    case 'facets':
      return request.fields
    case 'firsts':
      return request.labels
    case 'numbers':
      return [request.label]
    case 'series':
      return request.unwrap === undefined ? request.by : [...request.by, request.unwrap]
    default:
      return []
  }
}
