/** The document's words on OpenTelemetry's protocol. */

import { Type } from 'typebox'
import type { Config } from '../../config/config.ts'
import { limits } from '../../limits.ts'
import { exportAnswer } from '../schemas/otlp.ts'
import { bytes, recordProblems } from './ingest-operations.ts'
import type { Operation } from './operation.ts'

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

export function otlpOperations(config: Pick<Config, 'batchBytesMax' | 'eventBytesMax'>) {
  const logs: Operation = {
    id: 'sendOtlpLogs',
    tag: 'Events',
    summary: 'Send log records by OTLP',
    description: `OpenTelemetry's own protocol over HTTP (OTLP/HTTP). SDKs and the Collector send to it when their
endpoint is \`http://127.0.0.1:7007/api/v1/otlp\`, to which they add \`/v1/logs\`, and a header carries an ingestion token:
\`OTEL_EXPORTER_OTLP_HEADERS=Authorization=Bearer%20ing_…\`. At most ${bytes(config.batchBytesMax)} and
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
    problems: [...recordProblems, 'events_unreadable', 'protobuf_invalid'],
    sample: { body: request },
  }
  return { logs }
}

const described = 'As OpenTelemetry defines them; fields that are not known are ignored.'
