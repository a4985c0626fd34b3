/** What the sender of events hears. */

import { Type } from 'typebox'
import type { EncodedMany, RejectedEvent } from '../../ingest/many.ts'
import { limits } from '../../limits.ts'
import { positionSchema } from './problem.ts'
import { schemaOf } from './schema-of.ts'

export const acceptedOneAnswer = Type.Object({ accepted: Type.Literal(1) })

const rejectedSchema = schemaOf<RejectedEvent>()(
  Type.Object({
    index: Type.Integer({ minimum: 0, description: 'Which event of the body, from 0.' }),
    code: Type.String({ description: 'As in a problem.' }),
    detail: Type.String(),
    field: Type.Optional(Type.String({ description: 'The field at fault.' })),
    position: Type.Optional(positionSchema),
  }),
)

export const acceptedManyAnswer = schemaOf<Omit<EncodedMany, 'batches' | 'unreadableTimes'>>()(
  Type.Object({
    accepted: Type.Integer({ minimum: 0, description: 'Events that are on disk now.' }),
    rejected: Type.Integer({ minimum: 0, description: 'Events that were refused.' }),
    errors: Type.Array(rejectedSchema, {
      description: `The first ${limits.ingestErrorsListedMax} refusals.`,
    }),
  }),
)
