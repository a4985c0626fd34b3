/** `detected_field/{name}/values`: the values of a field. */

import { Type } from 'typebox'
import { jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { optional, parametersOf } from '../prometheus/described.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { range, rangeMeanings, recordsMeaning } from './described.ts'
import { fieldsLimit } from './detected-fields.ts'
import { valuesOf } from './fields.ts'
import { byGetAndPost } from './form-routes.ts'
import { readCount, readRecordsOf } from './parameters.ts'
import { runAsked } from './run.ts'
import { readRange } from './times.ts'

const about = {
  id: 'lokiDetectedFieldValues',
  summary: 'The values of a field',
  pathParameters: { name: "The field, under LogQL's name: `http_route`." },
  parameters: parametersOf(
    { query: optional, ...range, limit: optional, line_limit: optional },
    {
      query: recordsMeaning,
      ...rangeMeanings('an hour'),
      limit: `How many values, at most ${fieldsLimit.maximum}; ${fieldsLimit.absent} when absent.`,
      line_limit: 'Changes nothing here: all entries count.',
    },
  ),
  answers: {
    200: jsonAnswer(
      'Values in order.',
      Type.Object({ values: Type.Array(Type.String()), limit: Type.Integer({ minimum: 1 }) }),
    ),
  },
  problems: queryProblems,
  sample: { path: { name: 'detected_level' }, parameters: { since: '1h' } },
}

export function detectedFieldValuesRoutes(
  dependencies: QueryDependencies,
): readonly DescribedRoute[] {
  return byGetAndPost({
    path: 'detected_field/{name}/values',
    about,
    handle(request) {
      const { parameters } = request
      const looked = { selector: readRecordsOf(parameters), range: readRange(parameters) }
      const limit = readCount(parameters, 'limit', fieldsLimit)
      const name = request.pathParameter('name')
      return runAsked(dependencies, request, async stop => {
        const values = await valuesOf(dependencies.store, name, looked, stop)
        return jsonReply({ values: values.slice(0, limit), limit })
      })
    },
  })
}
