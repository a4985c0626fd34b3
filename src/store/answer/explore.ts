/** Facets, fields and values of the records that a request is about. */
import { limits } from '../../limits.ts'
import type { ExecuteResult } from '../../query/execute.ts'
import type { ScanQuery } from '../../query/scan-task.ts'
import { Facets, type FieldValues } from '../../query/tally/facets.ts'
import { byCount, Fields, labelsOfAll, type NameCount } from '../../query/tally/fields.ts'
import type { Tally } from '../../query/tally/tally.ts'
import { candidateFields, chooseUseful, usefulBounds } from '../../query/tally/useful-fields.ts'
import type { ValueBounds } from '../../query/tally/value-counts.ts'
import { streamLabels } from '../../record.ts'
import type {
  Facet,
  FacetsRequest,
  FacetsResult,
  FieldsResult,
  RecordsRequest,
  SelectStats,
  ValuesRequest,
  ValuesResult,
} from '../store.ts'
import { addSelectStats } from './select-stats.ts'

/** Runs one query to its end, with the tally that it is to fill. */
export type RunQuery = <T extends Tally | undefined>(
  query: Omit<ScanQuery, 'tally'>,
  newTally: () => T,
) => Promise<{ result: ExecuteResult; tally: T; stats: SelectStats }>

const allBounds: ValueBounds = {
  countMax: limits.fieldValuesMax,
  lengthMax: limits.fieldValuesLengthMax,
}

export async function facetsOf(request: FacetsRequest, run: RunQuery): Promise<FacetsResult> {
  const { fields, limit } = request
  if (fields === undefined) return usefulFacets(request, run)
  const wanted = { prefix: '', bounds: allBounds }
  const { result, tally, stats } = await run(only(request), () => new Facets(fields, wanted))
  return { facets: tally.fields.map(field => facetOf(field, result.count, limit)), stats }
}

async function usefulFacets(request: FacetsRequest, run: RunQuery): Promise<FacetsResult> {
  const ofStreams = await run(only(withoutContent(request)), () => new Fields('forget-rare'))
  const fields = candidateFields(ofStreams.tally.toPlain())
  const wanted = { prefix: '', bounds: usefulBounds }
  const { result, tally, stats } = await run(only(request), () => new Facets(fields, wanted))
  const chosen = chooseUseful(tally.fields, result.count)
  return {
    facets: chosen.map(field => facetOf(field, result.count, request.limit)),
    stats: addSelectStats(ofStreams.stats, stats),
  }
}

export async function fieldsOf(request: RecordsRequest, run: RunQuery): Promise<FieldsResult> {
  const { result, tally, stats } = await run(only(request), () => new Fields('refuse'))
  const ofAll = labelsOfAll.map((name): NameCount => [name, result.count])
  const counts = byCount([...ofAll, ...tally.toPlain()]).filter(([, count]) => count > 0)
  return { fields: counts.map(([name, count]) => ({ name, count })), stats }
}

export async function valuesOf(request: ValuesRequest, run: RunQuery): Promise<ValuesResult> {
  const wanted = { prefix: request.prefix, bounds: allBounds }
  const { tally, stats } = await run(only(request), () => new Facets([request.field], wanted))
  const { counts } = tally.fields[0]!
  const tooMany = counts.isOver ? { tooManyValues: true as const } : {}
  return { values: counts.top(request.limit), ...tooMany, stats }
}

/** Of these records only what is counted, and none of themselves. */
function only({ selector, startTime, endTime }: RecordsRequest): Omit<ScanQuery, 'tally'> {
  return { selector, startTime, endTime, limit: 0, order: 'asc', after: undefined }
}

/** All records of the streams that can match: where they lie whole in the time, blocks match whole. */
function withoutContent(request: RecordsRequest): RecordsRequest {
  const matchers = request.selector.matchers.filter(
    ({ label }) => label === streamLabels.service || label === streamLabels.environment,
  )
  return { ...request, selector: { kind: 'selector', matchers, filters: [] } }
}

function facetOf({ field, counts, present }: FieldValues, count: number, limit: number): Facet {
  const values = counts.top(limit)
  const shown = values.reduce((sum, value) => sum + value.count, 0)
  const facet = { field, values, others: present - shown, missing: count - present }
  return counts.isOver ? { ...facet, tooManyValues: true } : facet
}
