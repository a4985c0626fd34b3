/** The names of all fields, with counts. */

import { Type } from 'typebox'
import type { FieldsResult } from '../../../store/store.ts'
import type { DescribedRoute } from '../../route.ts'
import { statsSchema } from '../../schemas/records.ts'
import { schemaOf } from '../../schemas/schema-of.ts'
import type { QueryDependencies } from './bounds.ts'
import { exploringRoute } from './exploring.ts'
import { matchingCount } from './value-counts.ts'

const fieldsAnswer = schemaOf<FieldsResult>()(
  Type.Object({
    fields: Type.Array(
      Type.Object({ name: Type.String(), count: matchingCount('Matching records that have it.') }),
      { description: 'By count, ties by name.' },
    ),
    stats: statsSchema,
  }),
)

export function fieldsRoute(dependencies: QueryDependencies): DescribedRoute {
  return exploringRoute(dependencies, {
    name: 'fields',
    id: 'queryFields',
    tag: 'Exploring',
    summary: 'The names of all fields, with counts',
    fields: {},
    meanings: {},
    sample: {},
    answer: ['Names, the most frequent first.', fieldsAnswer],
    ask: records => stop => dependencies.store.fields(records, stop),
  })
}
