/** Which attributes of records a question reads, where it shows no record: fewer are fetched then. */
import { type CollectorRequest, wantedLabels } from '../../query/collect/collector.ts'
import { recordsToFind, type ScanQuery } from '../../query/scan-task.ts'

const kindsOfNamedLabels: ReadonlySet<CollectorRequest['kind']> = new Set([
  ...(['groups', 'series', 'histogram', 'facets', 'services', 'numbers', 'patterns'] as const),
])

/** Undefined: any of them may be. */
export function neededAttributes(
  query: Omit<ScanQuery, 'collector'>,
  request: CollectorRequest | undefined,
): readonly string[] | undefined {
  const { alternatives = [], ...own } = query.selector
  const { stages, names } = own
  if (recordsToFind(query) > 0 || stages !== undefined || names === 'logql') return undefined
  if (request !== undefined && !kindsOfNamedLabels.has(request.kind)) return undefined
  const all = [own, ...alternatives]
  if (all.some(({ searches = [] }) => searches.length > 0)) return undefined
  const asked = all.flatMap(({ matchers }) => matchers.map(({ label }) => label))
  return [...new Set([...asked, ...(request === undefined ? [] : wantedLabels(request))])]
}
