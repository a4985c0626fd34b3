/** Exports over HTTP: the whole answer to a query as a stream, in the form that is asked for. */
import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import type { ExportFormat } from '../../../query/export/task.ts'
import { checkBody } from '../../../schema/check.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import { acceptsGzip, chooseMediaType } from '../../reply/accept.ts'
import { gzipped } from '../../reply/gzip.ts'
import type { Reply } from '../../reply/reply.ts'
import type { JsonRequest } from '../../routes.ts'
import { readRecords, recordsFields } from './records-request.ts'

const { timeoutMs: _, ...askedFields } = recordsFields

export const exportSchema = Type.Object({
  ...askedFields,
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
})

const formats = {
  'application/x-ndjson': { format: 'ndjson', contentType: 'application/x-ndjson' },
  'text/csv': { format: 'csv', contentType: 'text/csv; charset=utf-8; header=present' },
} as const satisfies Record<string, { format: ExportFormat; contentType: string }>

const mediaTypes = Object.keys(formats) as (keyof typeof formats)[]

export function exportHandlers({ store }: Pick<HttpDependencies, 'store'>): {
  export(request: JsonRequest): Reply
} {
  let underWayCount = 0

  /** An export lasts as long as its client reads, so it has no deadline; nor does it wait. */
  async function* bounded(
    text: AsyncIterable<Uint8Array>,
    isStillGranted: () => boolean,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    if (underWayCount >= limits.exportsMax) {
      const detail = `${underWayCount} exports are under way, as many as may be`
      throw new ProblemError('exports_too_many', detail, { retryAfterSeconds: 10 })
    }
    underWayCount++
    try {
      for await (const chunk of text) {
        if (!isStillGranted()) {
          throw new ProblemError('credential_invalid', 'the API key was deleted or has expired')
        }
        yield chunk
      }
    } finally {
      underWayCount--
    }
  }

  return {
    export({ body, headers, signal, isStillGranted }) {
      const mediaType = chooseMediaType(headers.accept, mediaTypes)
      if (mediaType === undefined) {
        const detail = `expected ${mediaTypes.join(' or ')} to be accepted`
        throw new ProblemError('not_acceptable', detail, { field: 'Accept' })
      }
      const { format, contentType } = formats[mediaType]
      const asked = checkBody(exportSchema, body)
      const { selector, startTime, endTime } = readRecords(asked)
      const request = { selector, startTime, endTime, order: asked.order ?? 'asc', format }
      const text = bounded(store.exportText(request, signal()), isStillGranted)
      const isGzip = acceptsGzip(headers.acceptEncoding)
      return {
        status: 200,
        contentType,
        headers: [
          ['Content-Disposition', `attachment; filename="logs.${format}"`],
          ...(isGzip ? [['Content-Encoding', 'gzip'] as const] : []),
        ],
        stream: isGzip ? gzipped(text) : text,
      }
    },
  }
}
