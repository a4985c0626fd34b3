/** The shape of the operations about the records of a selector in a range: all of them when there is none. */

import { type TProperties, Type } from 'typebox'
import { hourMs } from '../../../time-units.ts'
import { described, type Operation } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import type { Reply } from '../../reply/reply.ts'
import type { DescribedRoute, FormRequest } from '../../route.ts'
import { optional } from '../prometheus/described.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { range, rangeMeanings, recordsMeaning } from './described.ts'
import type { Looked } from './fields.ts'
import { byGetAndPost } from './form-routes.ts'
import { readRecordsOf } from './parameters.ts'
import { runAsked } from './run.ts'
import { readRange } from './times.ts'

interface AboutRecords<Own extends TProperties>
  extends Pick<
    Operation,
    'id' | 'summary' | 'description' | 'pathParameters' | 'answers' | 'sample'
  > {
  readonly path: string
  /** How long a range is that does not say so. */
  readonly since?: 'an hour' | 'six hours'
  /** Parameters beside those that say which records, and what they mean. */
  readonly parameters?: Own
  readonly meanings?: { readonly [K in keyof Own]: string }
  /** What to run. Throws ProblemError for what it cannot read. */
  ask(looked: Looked, request: FormRequest): (stop: AbortSignal) => Promise<Reply>
}

/** Both routes of an operation. */
export function aboutRecords<Own extends TProperties>(
  dependencies: QueryDependencies,
  { path, since = 'an hour', parameters, meanings, ask, ...about }: AboutRecords<Own>,
): readonly DescribedRoute[] {
  const schema = Type.Object({ query: optional, ...range, ...parameters } as TProperties)
  const told = { query: recordsMeaning, ...rangeMeanings(since), ...meanings }
  return byGetAndPost({
    path,
    about: { ...about, parameters: described(schema, told), problems: queryProblems },
    handle(request) {
      const looked = {
        selector: readRecordsOf(request.parameters),
        range: readRange(request.parameters, since === 'an hour' ? hourMs : 6 * hourMs),
      }
      return runAsked(dependencies, request, ask(looked, request))
    },
  })
}
