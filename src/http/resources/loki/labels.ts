/** `labels`: the names of the labels that distinguish streams. */

import { Type } from 'typebox'
import { jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import type { DescribedRoute } from '../../route.ts'
import { optional, parametersOf } from '../prometheus/described.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { successReply, successSchema } from './answers.ts'
import { range, rangeMeanings, recordsMeaning } from './described.ts'
import { byGetAndPost } from './form-routes.ts'
import { readRecordsOf } from './parameters.ts'
import { runAsked } from './run.ts'
import { streamGroups } from './stream-groups.ts'
import { hourMs, readRange } from './times.ts'

export const labelsSinceMs = 6 * hourMs

const about = {
  id: 'lokiLabels',
  summary: 'The names of stream labels',
  description: 'Not of structured metadata: `detected_fields` has these.',
  parameters: parametersOf(
    { query: optional, ...range },
    { query: recordsMeaning, ...rangeMeanings('six hours') },
  ),
  answers: { 200: jsonAnswer('Names in order.', successSchema(Type.Array(Type.String()))) },
  problems: queryProblems,
  sample: { parameters: { since: '1h' } },
}

export function labelsRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: 'labels',
    about,
    handle(request) {
      const selector = readRecordsOf(request.parameters)
      const range = readRange(request.parameters, labelsSinceMs)
      return runAsked(dependencies, request, async stop => {
        const { groups } = await streamGroups(dependencies.store, selector, range, stop)
        const names = new Set(groups.flatMap(({ labels }) => Object.keys(labels)))
        return successReply([...names].sort())
      })
    },
  })
}
