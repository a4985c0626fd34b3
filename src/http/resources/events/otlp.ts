/** Log records of OpenTelemetry's protocol (OTLP over HTTP) in, and its own answer out. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import type { Operation } from '../../openapi/operation.ts'
import type { DescribedRoute } from '../../route.ts'
import { warningHeaders } from './event-parameters.ts'
import { bytes, recordProblems } from './events.ts'
import { keyHeader, keyProblems, readIdempotencyKey } from './idempotency-key.ts'
import { exportReply, otlpContentTypes, otlpEncodingOf, otlpErrors } from './otlp-answers.ts'

type Dependencies = Pick<HttpDependencies, 'config' | 'ingest'>

const request = {
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'host.name', value: { stringValue: 'web-1' } }] },
      scopeLogs: [
        {
          scope: { name: 'payments' },
          logRecords: [
            {
              timeUnixNano: '1795183402118000000',
              severityText: 'ERROR',
              body: { stringValue: 'payment timed out' },
              attributes: [{ key: 'order', value: { intValue: '81723' } }],
            },
          ],
        },
      ],
    },
  ],
}

/** Both forms of a message of protobuf, of which JSON is the one that can be described. */
const binary = { schema: Type.String({ description: 'The same message in protobuf.' }) }

const described = 'As OpenTelemetry defines them; fields that are not known are ignored.'

const exportAnswer = Type.Object({
  partialSuccess: Type.Optional(
    Type.Object(
      {
        rejectedLogRecords: Type.String({ description: 'How many were refused: an integer.' }),
        errorMessage: Type.String({ description: 'Why the first of them was.' }),
      },
      { description: 'There only when records were refused; sending them again is of no use.' },
    ),
  ),
})

function about(config: Dependencies['config']): Omit<Operation, 'id'> {
  return {
    tag: 'Events',
    summary: 'Send log records by OTLP',
    description: `OpenTelemetry's own protocol over HTTP (OTLP/HTTP). SDKs send to it with
\`OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=http://127.0.0.1:7007/api/v1/otlp/v1/logs\`, an ingestion token in
\`OTEL_EXPORTER_OTLP_LOGS_HEADERS=Authorization=Bearer%20ing_…\` and \`OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=http/protobuf\`; the
names without \`LOGS\` would send traces and metrics here too. The Collector adds \`/v1/logs\` to its endpoint
\`http://127.0.0.1:7007/api/v1/otlp\`. At most ${bytes(config.batchBytesMax)} and
${limits.batchEventsMax} log records; each of at most ${bytes(config.eventBytesMax)}.

A log record becomes a record so:

- **timestamp**: \`timeUnixNano\`, else \`observedTimeUnixNano\`, else the time of receipt.
- **log_level**: \`severityText\` when it is a known level word, else what \`severityNumber\` says, else info. What
  of these the level does not say is kept as \`severity_text\` and \`severity_number\`.
- **message**: \`body\`; one that is no text as JSON. Without one, \`eventName\`; else the attributes as JSON.
- **attributes**: those of the record, then those of its scope and its resource that the record does not
  have, under their own names, flat as of any event; \`trace_id\` and \`span_id\` in hex, \`event_name\`,
  \`otel.scope.name\`, \`otel.scope.version\`.
- \`service.name\` and \`environment\` come from the token and always win; the sender's own is kept under
  \`payload.service.name\` or \`payload.environment\`.

A log record that is refused never loses the others: the answer counts them in \`partialSuccess\`. 400 only when
nothing could be read at all, or the body is torn. Answers and errors are in the encoding of the request.`,
    headers: keyHeader,
    body: {
      contents: {
        'application/json': {
          schema: Type.Object(
            { resourceLogs: Type.Optional(Type.Array(Type.Unknown(), { description: described })) },
            { description: 'An ExportLogsServiceRequest.' },
          ),
          example: request,
        },
        'application/x-protobuf': binary,
      },
    },
    answers: {
      200: {
        description: 'What is not counted as refused is stored.',
        contents: {
          'application/json': { schema: exportAnswer, example: {} },
          'application/x-protobuf': binary,
        },
      },
    },
    problems: [...recordProblems, ...keyProblems, 'events_unreadable', 'protobuf_invalid'],
    sample: { body: request },
  }
}

/** By the id of the operation: our path, Loki's, and the one that exporters have without being told. */
const paths = {
  sendOtlpLogs: '/api/v1/otlp/v1/logs',
  sendOtlpLogsAsToLoki: '/otlp/v1/logs',
  sendOtlpLogsByDefault: '/v1/logs',
} as const

export function otlpRoutes(dependencies: Dependencies): readonly DescribedRoute[] {
  return Object.entries(paths).map(([id, path]) => otlpRoute(id, path, dependencies))
}

function otlpRoute(id: string, path: string, { config, ingest }: Dependencies): DescribedRoute {
  return {
    method: 'POST',
    path,
    access: 'ingestion-token',
    body: 'ingest',
    errors: otlpErrors,
    contentTypes: Object.values(otlpContentTypes),
    bodyBytesMax: config.batchBytesMax,
    about: { ...about(config), id },
    async handle({ body, token, contentType, query, memory, idempotencyKey }) {
      const encoding = otlpEncodingOf(contentType)
      const key = readIdempotencyKey(idempotencyKey)
      const options = { format: `otlp-${encoding}`, timestampField: undefined, key } as const
      const headers = warningHeaders(new URLSearchParams(query).keys(), [])
      const reply = exportReply(await ingest.batch(body, token, options, memory), encoding)
      return headers === undefined ? reply : { ...reply, headers }
    },
  }
}
