/** Answers about saved queries. */

import { Type } from 'typebox'
import type { SavedQuery } from '../../catalog/saved-queries.ts'
import { timestamp } from './records.ts'
import { schemaOf } from './schema-of.ts'

export const savedQuerySchema = schemaOf<SavedQuery>()(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    query: Type.String(),
    columns: Type.Array(Type.String(), { description: 'Fields that are shown as columns.' }),
    savedAt: timestamp,
  }),
)
