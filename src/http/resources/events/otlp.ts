/** Log records of OpenTelemetry's protocol (OTLP over HTTP) in, and its own answer out. */

import type { HttpDependencies } from '../../dependencies.ts'
import type { Reply } from '../../reply/reply.ts'
import type { IngestRequest } from '../../routes.ts'
import { warningHeaders } from './event-parameters.ts'
import { exportReply, otlpEncodingOf } from './otlp-answers.ts'

export function otlpHandlers({ ingest }: Pick<HttpDependencies, 'ingest'>) {
  return {
    async logs({ body, token, contentType, query, memory }: IngestRequest): Promise<Reply> {
      const encoding = otlpEncodingOf(contentType)
      const options = { format: `otlp-${encoding}`, timestampField: undefined } as const
      const headers = warningHeaders(new URLSearchParams(query).keys(), [])
      const reply = exportReply(await ingest.many(body, token, options, memory), encoding)
      return headers === undefined ? reply : { ...reply, headers }
    },
  }
}
