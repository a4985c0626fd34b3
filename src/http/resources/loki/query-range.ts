/** `query_range`: the records of a query in a range of time, or its values over time. */

import type { Expression, Selector } from '../../../language/ast.ts'
import { parseAsked } from '../../../language/grammar.ts'
import { limits } from '../../../limits.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import type { Reply } from '../../reply/reply.ts'
import type { DescribedRoute, FormRequest } from '../../route.ts'
import { optional, parametersOf, text } from '../prometheus/described.ts'
import { invalid, readDurationMs, requiredParameter } from '../prometheus/parameters.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { resultSchema, warningsOf } from './answers.ts'
import { queryMeaning, range, rangeMeanings, stepWords } from './described.ts'
import { readEntries } from './entries.ts'
import { byGetAndPost } from './form-routes.ts'
import { evaluateMetric, matrixItem, rangeReply } from './metric-results.ts'
import { withOwnFields } from './own-fields.ts'
import { readDirection, readEntryLimit } from './parameters.ts'
import { readPoints } from './points.ts'
import { runAsked } from './run.ts'
import { streamsItem, streamsReply, wantsCategories } from './streams.ts'
import { readRange } from './times.ts'

const about = {
  id: 'lokiQueryRange',
  summary: 'The records of a range of time, or values over it',
  description: `A selector gives streams of entries, latest first unless \`direction\` says otherwise. A metric query
gives a matrix: the range is widened to whole steps, as Loki does.`,
  parameters: parametersOf(
    {
      query: text,
      ...range,
      step: optional,
      interval: optional,
      direction: optional,
      limit: optional,
    },
    {
      query: queryMeaning,
      ...rangeMeanings('an hour'),
      step: `Between two values: ${stepWords}. About 250 values when absent.`,
      interval: `Of records, only those so far from the one before: ${stepWords}.`,
      direction: '`forward`, earliest first, or `backward`, latest first; `backward` when absent.',
      limit: `How many records, at most ${limits.lokiEntriesMax}; ${limits.lokiEntriesDefault} when absent.`,
    },
  ),
  headers: {
    'X-Loki-Response-Encoding-Flags':
      '`categorize-labels`: metadata stands apart in each entry, and what stages have made.',
  },
  answers: { 200: jsonAnswer('Streams or a matrix.', resultSchema(streamsItem, matrixItem)) },
  problems: queryProblems,
  sample: {
    parameters: { query: '{service_name="checkout"} |= "timeout"', since: '6h', limit: '10' },
  },
}

export function queryRangeRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: 'query_range',
    about,
    handle(request) {
      const { query, interpretedAs } = parseAsked(requiredParameter(request.parameters, 'query'))
      return query.kind === 'selector'
        ? records(dependencies, request, query, interpretedAs)
        : metric(dependencies, request, query)
    },
  })
}

function records(
  dependencies: QueryDependencies,
  request: FormRequest,
  selector: Selector,
  interpretedAs: string | undefined,
): Promise<Reply> {
  const { parameters, headers } = request
  const asked = {
    range: readRange(parameters),
    limit: readEntryLimit(parameters),
    order: readDirection(parameters),
    intervalMs: readDurationMs(parameters, 'interval', 0),
  }
  const isCategorized = wantsCategories(headers.lokiEncodingFlags)
  return runAsked(dependencies, request, async stop => {
    const { store } = dependencies
    const own = await withOwnFields(store, selector, asked.range, stop)
    const found = await readEntries(store, { ...asked, selector: own }, stop)
    const { entries, stats, isCut } = found
    const cut = isCut ? [`only ${entries.length} entries fit into one answer; there are more`] : []
    // Grafana shows warnings beside the records; the protocol has no other place for it.
    const words = interpretedAs === undefined ? [] : [`the words were read as: ${interpretedAs}`]
    const warnings = [...warningsOf(stats), ...cut, ...words]
    return streamsReply(entries, { warnings, stats, isCategorized })
  })
}

function metric(
  dependencies: QueryDependencies,
  request: FormRequest,
  expression: Expression,
): Promise<Reply> {
  const { parameters } = request
  const range = readRange(parameters)
  if (range.start === range.end) throw invalid('end', '"end" must be after "start"')
  const points = readPoints(parameters, range)
  const { start, stepMs, pointCount } = points
  const buckets = { origin: start - stepMs + 1, stepMs, pointCount }
  return runAsked(dependencies, request, async stop => {
    const own = await withOwnFields(dependencies.store, expression, range, stop)
    return rangeReply(await evaluateMetric(dependencies.store, own, buckets, stop), points)
  })
}
