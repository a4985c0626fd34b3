/**
 * `index/volume` and `index/volume_range`: how much there is of each service, or of whatever is asked for,
 * in a range of time and over it.
 */

import { countOf } from '../../../../language/ast.ts'
import { jsonAnswer } from '../../../openapi/operation.ts'
import { queryProblems } from '../../../openapi/route-problems.ts'
import type { DescribedRoute } from '../../../route.ts'
import { optional, parametersOf } from '../../prometheus/described.ts'
import { invalid } from '../../prometheus/parameters.ts'
import type { QueryDependencies } from '../../query/bounds.ts'
import { resultSchema } from '../answers.ts'
import { stepWords } from '../described.ts'
import { byGetAndPost } from '../form-routes.ts'
import {
  evaluateMetric,
  instantReply,
  matrixItem,
  rangeReply,
  vectorItem,
} from '../metric-results.ts'
import { withOwnFields } from '../own-fields.ts'
import { readPoints } from '../points.ts'
import { runAsked } from '../run.ts'
import { storedBytesPerRecord } from '../stored-bytes.ts'
import { millisecondsOf, toMs } from '../times.ts'
import { readVolume, volumeDescription, volumeMeanings, volumeParameters } from './volume-asked.ts'
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
        const counts = await withOwnFields(
          store,
          countOf(asked.selector, asked.by),
          asked.range,
          stop,
        )
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

const aboutRange = {
  id: 'lokiVolumeRange',
  summary: 'How much there is over time, by labels',
  description: volumeDescription,
  parameters: parametersOf(
    { ...volumeParameters, step: optional },
    { ...volumeMeanings, step: `Between two values: ${stepWords}. About 250 values when absent.` },
  ),
  answers: { 200: jsonAnswer('Bytes of each step, the largest first.', resultSchema(matrixItem)) },
  problems: queryProblems,
  sample: { parameters: { query: '{service_name=~".+"}', since: '24h', step: '1h' } },
}

export function volumeRangeRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  const { store } = dependencies
  return byGetAndPost({
    path: 'index/volume_range',
    about: aboutRange,
    handle(request) {
      const asked = readVolume(request.parameters)
      if (asked.range.start === asked.range.end) throw invalid('end', '"end" must be after "start"')
      const points = readPoints(request.parameters, asked.range)
      const { start, stepMs, pointCount } = points
      const buckets = { origin: start - stepMs + 1, stepMs, pointCount }
      return runAsked(dependencies, request, async stop => {
        const counts = await withOwnFields(
          store,
          countOf(asked.selector, asked.by),
          asked.range,
          stop,
        )
        const result = await evaluateMetric(store, counts, buckets, stop)
        return rangeReply(volumesOf(result, asked, storedBytesPerRecord(store)), points)
      })
    },
  })
}
