/** Events in: from a request's body to `ingest/`, and what the sender hears. */

import type { HttpDependencies } from '../../dependencies.ts'
import { jsonReply, type Reply } from '../../reply/reply.ts'
import type { IngestRequest } from '../../routes.ts'
import { readEventQuery } from './event-parameters.ts'

/** The answer to most requests of all, made once. */
const acceptedOne = jsonReply({ accepted: 1 })

function acceptOne(): Reply {
  return acceptedOne
}

export function ingestHandlers({ ingest }: Pick<HttpDependencies, 'ingest'>) {
  return {
    one({ body, token, query }: IngestRequest): Promise<Reply> {
      const { options, headers } = readEventQuery(query, token.parse)
      const stored = ingest.one(body, token, options)
      return stored.then(headers === undefined ? acceptOne : () => ({ ...acceptedOne, headers }))
    },

    async many({ body, token, query, memory }: IngestRequest): Promise<Reply> {
      const { options, headers } = readEventQuery(query, token.parse)
      const many = await ingest.many(body, token, { ...options, format: 'events' }, memory)
      const { accepted, rejected, errors } = many
      return { ...jsonReply({ accepted, rejected, errors }), ...(headers && { headers }) }
    },
  }
}
