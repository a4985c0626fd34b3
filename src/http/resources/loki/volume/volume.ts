/** `index/volume`: how much there is of each service, or of whatever is asked for, in a range of time. */

import { jsonAnswer } from '../../../openapi/operation.ts'
import { queryProblems } from '../../../openapi/route-problems.ts'
import type { DescribedRoute } from '../../../route.ts'
import { parametersOf } from '../../prometheus/described.ts'
import type { QueryDependencies } from '../../query/bounds.ts'
import { resultSchema } from '../answers.ts'
import { byGetAndPost } from '../form-routes.ts'
import { evaluateMetric, instantReply, vectorItem } from '../metric-results.ts'
import { withOwnFields } from '../own-fields.ts'
import { runAsked } from '../run.ts'
import { storedBytesPerRecord } from '../stored-bytes.ts'
import { millisecondsOf, toMs } from '../times.ts'
import {
  countBy,
  readVolume,
  volumeDescription,
  volumeMeanings,
  volumeParameters,
} from './volume-asked.ts'
import { volumesOf } from './volumes.ts'

const about = {
  id: 'lokiVolume',
  summary: 'How much there is, by labels',
  description: volumeDescription,
  parameters: parametersOf(volumeParameters, volumeMeanings),
  answers: { 200: jsonAnswer('Bytes, the largest first.', resultSchema(vectorItem)) },
  problems: queryProblems,
  sample: { parameters: { query: '{service_name=~".+"}', since: '24h' } },
}

export function volumeRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  const { store } = dependencies
  return byGetAndPost({
    path: 'index/volume',
    about,
    handle(request) {
      const asked = readVolume(request.parameters)
      const time = toMs(asked.range.end)
      const times = millisecondsOf(asked.range)
      return runAsked(dependencies, request, async stop => {
        if (times === undefined) return instantReply(nothing, time)
        const { startTime: origin, endTime } = times
        const buckets = { origin, stepMs: endTime - origin + 1, pointCount: 1 }
        const counts = await withOwnFields(store, countBy(asked), asked.range, stop)
        const result = await evaluateMetric(store, counts, buckets, stop)
        return instantReply(volumesOf(result, asked, storedBytesPerRecord(store)), time)
      })
    },
  })
}

const nothing = {
  value: { kind: 'vector', series: [] },
  notes: { warnings: [], stats: undefined },
} as const
