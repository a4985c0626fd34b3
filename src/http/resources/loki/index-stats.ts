/** `index/stats`: how much a query is about. Grafana shows it before the query is run. */

import { Type } from 'typebox'
import { jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { optional, parametersOf } from '../prometheus/described.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { range, rangeMeanings, recordsMeaning } from './described.ts'
import { byGetAndPost } from './form-routes.ts'
import { readRecordsOf } from './parameters.ts'
import { runAsked } from './run.ts'
import { storedBytesPerRecord } from './stored-bytes.ts'
import { streamGroups } from './stream-groups.ts'
import { readRange } from './times.ts'

const count = Type.Integer({ minimum: 0 })

const about = {
  id: 'lokiIndexStats',
  summary: 'How much a query is about',
  description: `Streams and entries are exact. Bytes are as stored, in the share of the entries that match;
chunks are the blocks and the parts of the journal that may have them.`,
  parameters: parametersOf(
    { query: optional, ...range },
    { query: recordsMeaning, ...rangeMeanings('an hour') },
  ),
  answers: {
    200: jsonAnswer(
      'Numbers.',
      Type.Object({ streams: count, chunks: count, entries: count, bytes: count }),
    ),
  },
  problems: queryProblems,
  sample: { parameters: { query: '{service_name="checkout"}', since: '1h' } },
}

export function indexStatsRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: 'index/stats',
    about,
    handle(request) {
      const { store } = dependencies
      const selector = readRecordsOf(request.parameters)
      const range = readRange(request.parameters)
      return runAsked(dependencies, request, async stop => {
        const { groups, stats } = await streamGroups(store, selector, range, stop)
        const entries = groups.reduce((sum, group) => sum + group.count, 0)
        return jsonReply({
          streams: groups.length,
          chunks: stats === undefined ? 0 : stats.entries - stats.entriesPruned,
          entries,
          bytes: Math.round(entries * storedBytesPerRecord(store)),
        })
      })
    },
  })
}
