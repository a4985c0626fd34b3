/** Facets, fields and values of the records that a request is about. */
import type { Conditions, Selector } from '../../language/ast.ts'
import type { QuantityKind } from '../../language/quantity.ts'
import { limits } from '../../limits.ts'
import type { Collector } from '../../query/collect/collector.ts'
import { Facets, type FieldValues } from '../../query/collect/facets.ts'
import { byCount, Fields, labelsOfAll, type NameCount } from '../../query/collect/fields.ts'
import { summaryOf } from '../../query/collect/number-summary.ts'
import { Numbers } from '../../query/collect/numbers.ts'
import {
  candidateFields,
  chooseUseful,
  stagedCandidatesMax,
  stagedSample,
  usefulBounds,
} from '../../query/collect/useful-fields.ts'
import type { ValueBounds } from '../../query/collect/value-counts.ts'
import type { ExecuteResult } from '../../query/execute.ts'
import type { ScanQuery } from '../../query/scan-task.ts'
import { streamLabels } from '../../record.ts'
import type {
  Facet,
  FacetsRequest,
  FacetsResult,
  FieldsResult,
  NumericSummary,
  RecordsRequest,
  SelectStats,
  ValuesRequest,
  ValuesResult,
} from '../store.ts'
import { addSelectStats } from './select-stats.ts'

/** What a query came to. */
export interface QueryOutcome<T> {
  readonly result: ExecuteResult
  readonly collector: T
  readonly stats: SelectStats
}

/** Runs one query to its end, with the collector that it is to fill. */
export type RunQuery = <T extends Collector | undefined>(
  query: Omit<ScanQuery, 'collector'>,
  newCollector: () => T,
) => Promise<QueryOutcome<T>>

const allBounds: ValueBounds = {
  countMax: limits.fieldValuesMax,
  lengthMax: limits.fieldValuesLengthMax,
}

export async function facetsOf(request: FacetsRequest, run: RunQuery): Promise<FacetsResult> {
  const { fields, limit } = request
  if (fields === undefined) return usefulFacets(request, run)
  const wanted = { prefix: '', bounds: allBounds }
  const { result, collector, stats } = await run(only(request), () => new Facets(fields, wanted))
  const facets = collector.fields.map(field => facetOf(field, result.count, limit))
  return request.isNumeric === true
    ? withNumbers({ facets, stats }, collector.fields, request, run)
    : { facets, stats }
}

/** One field after the other: each may hold as many numbers as a quantile may. */
async function withNumbers(
  answer: FacetsResult,
  counted: readonly FieldValues[],
  request: FacetsRequest,
  run: RunQuery,
): Promise<FacetsResult> {
  const facets: Facet[] = []
  let { stats } = answer
  for (const [i, facet] of answer.facets.entries()) {
    const found = await numbersOf(facet.field, counted[i]!.present, request, run)
    facets.push(found.numeric === undefined ? facet : { ...facet, numeric: found.numeric })
    for (const own of found.stats) stats = addSelectStats(stats, own)
  }
  return { facets, stats }
}

const units = ['number', 'duration', 'bytes'] as const satisfies readonly QuantityKind[]

/** As numbers; and where half of the values are none, as what most of them are. */
async function numbersOf(field: string, present: number, request: FacetsRequest, run: RunQuery) {
  let numeric: NumericSummary | undefined
  const stats: SelectStats[] = []
  for (const unit of units) {
    if (present === 0 || (numeric !== undefined && 2 * numeric.count >= present)) break
    const asked = { kind: 'numbers', label: field, ...(unit !== 'number' && { unit }) } as const
    const { collector, stats: own } = await run(only(request), () => new Numbers(asked))
    stats.push(own)
    const summary = collector.run && summaryOf(collector.run)
    if (summary !== undefined && summary.count > (numeric?.count ?? 0)) {
      numeric = { unit, ...summary }
    }
  }
  return { numeric, stats }
}

async function usefulFacets(request: FacetsRequest, run: RunQuery): Promise<FacetsResult> {
  const named = await namedFields(request, run)
  const wanted = { prefix: '', bounds: usefulBounds }
  const { result, collector, stats } = await run(
    only(request),
    () => new Facets(named.fields, wanted),
  )
  const chosen = chooseUseful(collector.fields, result.count)
  return {
    facets: chosen.map(field => facetOf(field, result.count, request.limit)),
    stats: addSelectStats(named.stats, stats),
  }
}

/** The fields that may be useful, from directories; with stages from some records as they leave them. */
export async function namedFields(
  request: RecordsRequest,
  run: RunQuery,
): Promise<{ fields: readonly string[]; stats: SelectStats }> {
  const hasStages = (request.selector.stages ?? []).length > 0
  const { collector, stats } = hasStages
    ? await run(only(request), () => new Fields('forget-rare', stagedSample))
    : await run(only(withoutContent(request)), () => new Fields('forget-rare'))
  const max = hasStages ? stagedCandidatesMax : undefined
  return { fields: candidateFields(collector.toPlain(), max), stats }
}

export async function fieldsOf(request: RecordsRequest, run: RunQuery): Promise<FieldsResult> {
  const { result, collector, stats } = await run(only(request), () => new Fields('refuse'))
  const ofAll = labelsOfAll.map((name): NameCount => [name, result.count])
  const counts = byCount([...ofAll, ...collector.toPlain()]).filter(([, count]) => count > 0)
  return { fields: counts.map(([name, count]) => ({ name, count })), stats }
}

export async function valuesOf(request: ValuesRequest, run: RunQuery): Promise<ValuesResult> {
  const wanted = { prefix: request.prefix, bounds: allBounds }
  const { collector, stats } = await run(only(request), () => new Facets([request.field], wanted))
  const { counts } = collector.fields[0]!
  const tooMany = counts.isOver ? { tooManyValues: true as const } : {}
  return { values: counts.top(request.limit), ...tooMany, stats }
}

/** For these records only counts, and no records. */
export function only({
  selector,
  startTime,
  endTime,
}: RecordsRequest): Omit<ScanQuery, 'collector'> {
  return { selector, startTime, endTime, limit: 0, order: 'asc', after: undefined }
}

/** All records of the streams that can match: where they lie whole in the time, blocks match whole. */
function withoutContent(request: RecordsRequest): RecordsRequest {
  const { alternatives = [], ...first } = request.selector
  const ofStreams = ({ matchers }: Conditions): Conditions => ({
    matchers: matchers.filter(
      ({ label }) => label === streamLabels.service || label === streamLabels.environment,
    ),
    filters: [],
  })
  const selector: Selector = {
    kind: 'selector',
    ...ofStreams(first),
    ...(alternatives.length > 0 && { alternatives: alternatives.map(ofStreams) }),
  }
  return { ...request, selector }
}

function facetOf({ field, counts, present }: FieldValues, count: number, limit: number): Facet {
  const values = counts.top(limit)
  const shown = values.reduce((sum, value) => sum + value.count, 0)
  const facet = { field, values, others: present - shown, missing: count - present }
  return counts.isOver ? { ...facet, tooManyValues: true } : facet
}
