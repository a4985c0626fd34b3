/** Exports: the whole answer to a query as a stream, in the form that is asked for. */
import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import type { ExportFormat } from '../../../query/export/task.ts'
import { checkBody } from '../../../schema/check.ts'
import { recordSchema } from '../../../store/answer/schemas.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import { bodyLike, described, type Operation } from '../../openapi/operation.ts'
import { acceptsGzip, chooseMediaType } from '../../reply/accept.ts'
import { gzipped } from '../../reply/gzip.ts'
import type { DescribedRoute } from '../../route.ts'
import { anyTime, readRecords, recordsFields } from './records-request.ts'

const { timeoutMs: _, ...askedFields } = recordsFields

const exportSchema = Type.Object({
  ...askedFields,
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
})

const formats = {
  'application/x-ndjson': { format: 'ndjson', contentType: 'application/x-ndjson' },
  'text/csv': { format: 'csv', contentType: 'text/csv; charset=utf-8; header=present' },
} as const satisfies Record<string, { format: ExportFormat; contentType: string }>

const mediaTypes = Object.keys(formats) as (keyof typeof formats)[]

const about: Operation = {
  id: 'exportLogs',
  tag: 'Streams',
  summary: 'All records that match, as a file',
  description: `The whole answer in order of time, however large, in constant memory. It holds what was
there when it began.

\`Accept\` chooses the form: \`application/x-ndjson\`, a record on each line as in other answers, or \`text/csv\`
with a line of names, \`id,timestamp,log_level,service.name,environment,message,attributes\`: the time as of
RFC 3339, all other attributes as one JSON object. Texts in CSV are exactly those that were sent, also where a
spreadsheet would take one for a formula.

An export that cannot go on is broken off: an answer that ends as HTTP says is whole. A client that takes
nothing for ${limits.streamStallMs / 1000} s is cut off. At most ${limits.exportsMax} exports run at once.`,
  body: described(exportSchema, {
    query: 'A query with one selector; what is done with its records does not matter here.',
    variables: 'The values of variables, `$name` in the query.',
    startTime: 'Begin of the range, inclusive.',
    endTime: 'End of the range, inclusive.',
    order: 'Earliest first (`asc`, when absent) or latest first.',
  }),
  headers: {
    Accept: '`application/x-ndjson`, when absent, or `text/csv`.',
    'Accept-Encoding': '`gzip` to have the answer compressed.',
  },
  answers: {
    200: {
      description: 'The records, compressed when that was accepted.',
      contents: {
        'application/x-ndjson': { schema: Type.String(), lines: recordSchema },
        'text/csv': { schema: Type.String({ description: 'RFC 4180, in UTF-8.' }) },
      },
      headers: {
        'Content-Disposition': 'A name for the file.',
        'Content-Encoding': '`gzip`, or absent.',
      },
    },
  },
  problems: [
    'field_invalid',
    'query_syntax',
    'query_regex',
    'query_too_large',
    'not_acceptable',
    'exports_too_many',
    'data_damaged',
    'clickhouse_unreachable',
  ],
  sample: {
    headers: { Accept: 'text/csv' },
    body: bodyLike(exportSchema, { query: 'logs{log_level="error"}', ...anyTime }),
  },
}

/** Allows this many exports at once. */
class Bound {
  #underWayCount = 0

  /** An export lasts as long as its client reads, so it has no deadline; nor does it wait. */
  async *held(
    text: AsyncIterable<Uint8Array>,
    isStillGranted: () => boolean,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#underWayCount >= limits.exportsMax) {
      const detail = `${this.#underWayCount} exports are under way, as many as may be`
      throw new ProblemError('exports_too_many', detail, { retryAfterSeconds: 10 })
    }
    this.#underWayCount++
    try {
      for await (const chunk of text) {
        if (!isStillGranted()) {
          throw new ProblemError('credential_invalid', 'the API key was deleted or has expired')
        }
        yield chunk
      }
    } finally {
      this.#underWayCount--
    }
  }
}

export function exportRoute({ store }: Pick<HttpDependencies, 'store'>): DescribedRoute {
  const bound = new Bound()
  return {
    method: 'POST',
    path: '/api/v1/query/logs/export',
    access: 'viewer',
    body: 'json',
    about,
    handle({ body, headers, signal, isStillGranted }) {
      const mediaType = chooseMediaType(headers.accept, mediaTypes)
      if (mediaType === undefined) {
        const detail = `expected ${mediaTypes.join(' or ')} to be accepted`
        throw new ProblemError('not_acceptable', detail, { field: 'Accept' })
      }
      const { format, contentType } = formats[mediaType]
      const asked = checkBody(exportSchema, body)
      const { selector, startTime, endTime } = readRecords(asked)
      const request = { selector, startTime, endTime, order: asked.order ?? 'asc', format }
      const text = bound.held(store.exportText(request, signal()), isStillGranted)
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
