/** `label/{name}/values`: the values of a label, be it of streams or of metadata. */

import { Type } from 'typebox'
import { jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import type { DescribedRoute } from '../../route.ts'
import { optional, parametersOf } from '../prometheus/described.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { successReply, successSchema } from './answers.ts'
import { range, rangeMeanings, recordsMeaning } from './described.ts'
import { valuesOf } from './fields.ts'
import { byGetAndPost } from './form-routes.ts'
import { labelsSinceMs } from './labels.ts'
import { readRecordsOf } from './parameters.ts'
import { runAsked } from './run.ts'
import { readRange } from './times.ts'

const about = {
  id: 'lokiLabelValues',
  summary: 'The values of a label',
  pathParameters: { name: "The label, under LogQL's name: `service_name`." },
  parameters: parametersOf(
    { query: optional, ...range },
    { query: recordsMeaning, ...rangeMeanings('six hours') },
  ),
  answers: { 200: jsonAnswer('Values in order.', successSchema(Type.Array(Type.String()))) },
  problems: queryProblems,
  sample: { path: { name: 'service_name' }, parameters: { since: '1h' } },
}

export function labelValuesRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: 'label/{name}/values',
    about,
    handle(request) {
      const selector = readRecordsOf(request.parameters)
      const range = readRange(request.parameters, labelsSinceMs)
      const name = request.pathParameter('name')
      return runAsked(dependencies, request, async stop =>
        successReply(await valuesOf(dependencies.store, name, { selector, range }, stop)),
      )
    },
  })
}
