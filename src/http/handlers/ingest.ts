/** Events in: from a request's body to `ingest/`, and what the sender hears. */

import { ProblemError } from '../../problems.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { jsonReply, type Reply } from '../reply.ts'
import type { IngestRequest } from '../routes.ts'

/** The answer to most requests of all, made once. */
const acceptedOne = jsonReply({ accepted: 1 })

function acceptOne(): Reply {
  return acceptedOne
}

export function ingestHandlers({ ingest }: Pick<HttpDependencies, 'ingest'>) {
  return {
    one({ body, token, query }: IngestRequest): Promise<Reply> {
      return ingest.one(body, token, { timestampField: readTimestampField(query) }).then(acceptOne)
    },

    async many({ body, token, query }: IngestRequest): Promise<Reply> {
      const options = { format: 'events', timestampField: readTimestampField(query) } as const
      const { accepted, rejected, errors } = await ingest.many(body, token, options)
      return jsonReply({ accepted, rejected, errors })
    },
  }
}

const timestampParameter = 'timestamp_field'

function readTimestampField(query: string): string | undefined {
  if (query === '') {
    return undefined
  }
  const names = new URLSearchParams(query).getAll(timestampParameter)
  if (names.length > 1 || names[0] === '') {
    const found = names.length > 1 ? `${names.length} of them` : 'an empty one'
    const detail = `"${timestampParameter}" must be the name of one field, was ${found}`
    throw new ProblemError('field_invalid', detail, { field: timestampParameter })
  }
  return names[0]
}
