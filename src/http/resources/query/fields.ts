/** The names of all fields, with counts. */

import { fieldsSchema } from '../../../store/answer/schemas.ts'
import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from './bounds.ts'
import { exploringRoute } from './exploring.ts'

export function fieldsRoute(dependencies: QueryDependencies): DescribedRoute {
  return exploringRoute(dependencies, {
    name: 'fields',
    id: 'queryFields',
    tag: 'Exploring',
    summary: 'The names of all fields, with counts',
    fields: {},
    meanings: {},
    sample: {},
    answer: ['Names, the most frequent first.', fieldsSchema],
    ask: records => stop => dependencies.store.fields(records, stop),
  })
}
