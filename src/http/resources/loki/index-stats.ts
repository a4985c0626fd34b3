/** `index/stats`: how much a query is about. Grafana shows it before the query is run. */

import { Type } from 'typebox'
import { jsonAnswer } from '../../openapi/operation.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { aboutRecords } from './about-records.ts'
import { storedBytesPerRecord } from './stored-bytes.ts'
import { streamGroups } from './stream-groups.ts'

const count = Type.Integer({ minimum: 0 })
const numbers = Type.Object({ streams: count, chunks: count, entries: count, bytes: count })

export function indexStatsRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  const { store } = dependencies
  return aboutRecords(dependencies, {
    path: 'index/stats',
    id: 'lokiIndexStats',
    summary: 'How much a query is about',
    description: `Streams and entries are exact. Bytes are as stored, in the share of the entries that match;
chunks are the blocks and the parts of the journal that may have them.`,
    answers: { 200: jsonAnswer('Numbers.', numbers) },
    sample: { parameters: { query: '{service_name="checkout"}', since: '1h' } },
    ask:
      ({ selector, range }) =>
      async stop => {
        const { groups, stats } = await streamGroups(store, selector, range, stop)
        const entries = groups.reduce((sum, group) => sum + group.count, 0)
        return jsonReply({
          streams: groups.length,
          chunks: stats === undefined ? 0 : stats.entries - stats.entriesPruned,
          entries,
          bytes: Math.round(entries * storedBytesPerRecord(store)),
        })
      },
  })
}
