/** `detected_labels`: the stream labels, each with its number of values. */

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
import { type StreamGroup, streamGroups } from './stream-groups.ts'
import { readRange } from './times.ts'

const about = {
  id: 'lokiDetectedLabels',
  summary: 'Stream labels with their numbers of values',
  parameters: parametersOf(
    { query: optional, ...range },
    { query: recordsMeaning, ...rangeMeanings('an hour') },
  ),
  answers: {
    200: jsonAnswer(
      'Each label.',
      Type.Object({
        detectedLabels: Type.Array(
          Type.Object({ label: Type.String(), cardinality: Type.Integer({ minimum: 1 }) }),
        ),
      }),
    ),
  },
  problems: queryProblems,
  sample: { parameters: { since: '1h' } },
}

export function detectedLabelsRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: 'detected_labels',
    about,
    handle(request) {
      const selector = readRecordsOf(request.parameters)
      const range = readRange(request.parameters)
      return runAsked(dependencies, request, async stop => {
        const { groups } = await streamGroups(dependencies.store, selector, range, stop)
        return jsonReply({ detectedLabels: cardinalities(groups) })
      })
    },
  })
}

function cardinalities(groups: readonly StreamGroup[]) {
  const names = [...new Set(groups.flatMap(({ labels }) => Object.keys(labels)))]
  return names.map(label => ({
    label,
    cardinality: new Set(groups.map(({ labels }) => labels[label])).size,
  }))
}
