/** `query`: the value of a query at one time. Grafana's "Save & test" asks it for `vector(1)+vector(1)`. */

import { parseQuery } from '../../../language/grammar.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import type { DescribedRoute } from '../../route.ts'
import { optional, parametersOf, text } from '../prometheus/described.ts'
import { invalid, requiredParameter } from '../prometheus/parameters.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { resultSchema } from './answers.ts'
import { queryMeaning, timeWords } from './described.ts'
import { byGetAndPost } from './form-routes.ts'
import { evaluateMetric, instantReply, scalarItem, vectorItem } from './metric-results.ts'
import { withOwnFields } from './own-fields.ts'
import { runAsked } from './run.ts'
import { nsPerMs, readTime, toMs } from './times.ts'

/** How far back a query of our own looks that names no range; LogQL's name theirs. */
const lookbackMs = 5 * 60_000

const about = {
  id: 'lokiQuery',
  summary: 'The value of a query at one time',
  description: 'Of metric queries; for records there is `query_range`.',
  parameters: parametersOf(
    { query: text, time: optional, limit: optional, direction: optional },
    {
      query: queryMeaning,
      time: `When: ${timeWords}. Now when absent.`,
      limit: 'Counts for records only, and so not here.',
      direction: 'Counts for records only, and so not here.',
    },
  ),
  answers: { 200: jsonAnswer('One value for each series.', resultSchema(vectorItem, scalarItem)) },
  problems: queryProblems,
  sample: { parameters: { query: 'sum by (service_name) (rate({environment="prod"}[5m]))' } },
}

export function queryRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: 'query',
    about,
    async handle(request) {
      const { parameters } = request
      const asked = readTime(parameters, 'time')
      const time = asked === undefined ? Date.now() : toMs(asked)
      const expression = parseQuery(requiredParameter(parameters, 'query'))
      if (expression.kind === 'selector') {
        const detail = 'log queries are not supported as an instant query type, please change your'
        throw invalid('query', `${detail} query to a range query type`)
      }
      const buckets = { origin: time - lookbackMs + 1, stepMs: lookbackMs, pointCount: 1 }
      const range = { start: BigInt(buckets.origin) * nsPerMs, end: BigInt(time + 1) * nsPerMs }
      return runAsked(dependencies, request, async stop => {
        const { store } = dependencies
        const own = await withOwnFields(store, expression, range, stop)
        return instantReply(await evaluateMetric(store, own, buckets, stop), time)
      })
    },
  })
}
