/** Events in: one or many in a request, from its body to `ingest/`, and what the sender hears. */

import { Type } from 'typebox'
import { opened } from '../../../ingest/sealed-body.ts'
import { levels } from '../../../levels.ts'
import { limits } from '../../../limits.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import { described, jsonAnswer, type Operation } from '../../openapi/operation.ts'
import { jsonReply, type Reply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { positionSchema } from '../../schemas/problem.ts'
import { readEventQuery } from './event-parameters.ts'
import { keyHeader, keyProblems, readIdempotencyKey } from './idempotency-key.ts'

type Dependencies = Pick<HttpDependencies, 'config' | 'ingest'>

export function eventRoutes(dependencies: Dependencies): readonly DescribedRoute[] {
  return [one(dependencies), batch(dependencies)]
}

const parameters = described(
  Type.Object({
    timestamp_field: Type.Optional(
      Type.String({ minLength: 1, description: 'the name of one field' }),
    ),
    parse: Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('none')])),
  }),
  {
    timestamp_field:
      'Which field of an event holds its time, named as its attribute would be (`meta.time`). Absent: the time of receipt.',
    parse:
      'Whether a message that is a text of one JSON object is taken apart as the event itself. Absent: as the token says.',
  },
)

const event = {
  level: 'error',
  message: 'payment timed out',
  order: 81723,
  customer: { plan: 'pro' },
}

/** Why an event may be refused, in whichever form it comes. */
export const recordProblems = [
  'attributes_too_many',
  'attribute_too_large',
  'ingest_overloaded',
  'journal_full',
  'storage_full',
  'storage_failed',
  'not_ready',
] as const

/** A limit, in words. */
export function bytes(count: number): string {
  return count % 1024 ** 2 === 0 ? `${count / 1024 ** 2} MiB` : `${count} bytes`
}

const ours = levels.map(({ name }) => name).join(', ')

const becomes = `An event becomes a record so:

- **timestamp**: the time of receipt, or that in the field which \`timestamp_field\` names: RFC 3339 and ISO 8601
  (\`2026-11-20T13:55:36.123Z\`, \`2026-11-20 13:55:36,123 +0000\`), \`20/Nov/2026:13:55:36 +0000\`,
  \`Fri Nov 20 13:55:36.123456 2026\`, RFC 1123, or seconds, ms, µs or ns since 1970, told apart by size, with
  a fraction. Without a zone it is UTC. What is finer than a millisecond is in the attribute \`timestamp_ns\`, as
  nanoseconds since 1970. A value that is no time costs only the time: the record has that of receipt, the field
  stays an attribute, and the attribute \`timestamp_error\` says so.
- **log_level**: the first of \`level\`, \`severity\`, \`lvl\`, \`loglevel\`, \`log.level\`, \`levelname\`,
  \`level_name\`, \`@l\`, \`severityText\`, \`severity_text\`, \`syslog.severity\`, \`PRIORITY\`, \`status\` that is a level;
  the name in any case, \`log.level\` nested or with the dot. The words ${ours} are used as they are. Other
  loggers' words become the nearest of these (\`SEVERE\` error, \`Information\` info, \`WARN+2\` warn), and the
  field stays an attribute. Numbers are pino's and bunyan's, 10 to 60, as text too; syslog's, 0 to 7, in
  \`severity\`, \`syslog.severity\` and \`PRIORITY\`, and stay. \`status\` counts with a plain word only, and stays.
  Otherwise the level is inferred from a field that says something (not null, false, 0 or empty): \`error\`,
  \`err\`, \`exception\` or \`stack\` → error, then \`warning\`, \`warn\`, \`info\`, \`debug\`; otherwise info.
- **message**: \`message\`, else \`msg\`, \`Message\`, \`MESSAGE\`, \`@m\`, or a text in \`event\`, \`log\`,
  \`short_message\`, \`body\`, \`text\`; else the whole event as JSON, in the sender's order of names.
- **attributes**: every other field as text; nested names are joined by dots (\`customer.plan\`), arrays
  stay JSON, numbers keep all their digits. At most ${limits.eventAttributesMax}, each of at most
  ${limits.attributeValueBytesMax / 1024} KiB.
- \`service.name\` and \`environment\` come from the token and always win; a field of the same name is
  kept under \`payload.service.name\` or \`payload.environment\`; what is nested in it keeps its name.

With \`parse=json\`, or a token made with it, a message that is a text of one JSON object is taken apart: the object is
the event, and its level, message and time count; level and time of the fields around it only where it has none. These
fields stay attributes; one whose name the object has too is kept under \`outer.\`.

Other query parameters have no effect; a \`Warning\` header of the answer names them.`

const acceptedOneAnswer = Type.Object({ accepted: Type.Literal(1) })

/** The answer to most requests of all, made once. */
const acceptedOne = jsonReply({ accepted: 1 })

function acceptOne(): Reply {
  return acceptedOne
}

function one({ config, ingest }: Dependencies): DescribedRoute {
  return {
    method: 'POST',
    path: '/api/v1/webhook/event/log',
    access: 'ingestion-token',
    body: 'ingest',
    contentTypes: ['application/json'],
    bodyBytesMax: config.eventBytesMax,
    about: {
      id: 'sendEvent',
      tag: 'Events',
      summary: 'Send one event',
      description: `Any JSON. The 200 is sent when the record is on disk; the very next query finds it.
At most ${bytes(config.eventBytesMax)}, decoded.

${becomes}`,
      parameters,
      headers: keyHeader,
      body: {
        contents: {
          'application/json': {
            schema: Type.Unknown({
              description: `Any JSON of at most ${limits.eventDepthMax} levels; mostly an object.`,
            }),
            example: event,
          },
        },
      },
      answers: { 200: jsonAnswer('The event is stored.', acceptedOneAnswer, { accepted: 1 }) },
      problems: [...recordProblems, ...keyProblems],
      sample: { body: event },
    },
    handle({ body, token, query, idempotencyKey }) {
      const { options, headers } = readEventQuery(query, token.parse)
      const key = readIdempotencyKey(idempotencyKey)
      const stored = ingest.one(
        opened(body),
        token,
        key === undefined ? options : { ...options, key },
      )
      return stored.then(headers === undefined ? acceptOne : () => ({ ...acceptedOne, headers }))
    },
  }
}

const rejectedSchema = Type.Object({
  index: Type.Integer({ minimum: 0, description: 'Which event of the body, from 0.' }),
  code: Type.String({ description: 'As in a problem.' }),
  detail: Type.String(),
  field: Type.Optional(Type.String({ description: 'The field at fault.' })),
  position: Type.Optional(positionSchema),
})

const acceptedBatchAnswer = Type.Object({
  accepted: Type.Integer({ minimum: 0, description: 'Events that are on disk now.' }),
  rejected: Type.Integer({ minimum: 0, description: 'Events that were refused.' }),
  errors: Type.Array(rejectedSchema, {
    description: `The first ${limits.ingestErrorsListedMax} refusals.`,
  }),
})

function aboutBatch(config: Dependencies['config']): Operation {
  return {
    id: 'sendEvents',
    tag: 'Events',
    summary: 'Send many events',
    description: `A JSON array, JSON by the line, or JSON texts one after the other: told apart by the first
bytes, whatever the content type says. An object that is \`{"logs":[…]}\` and nothing else holds events too. At most ${bytes(config.batchBytesMax)} and ${limits.batchEventsMax}
events. One bad event never loses the others: it is counted, and the first ${limits.ingestErrorsListedMax}
are named in the answer. 400 only when nothing could be read at all.`,
    parameters,
    headers: keyHeader,
    body: {
      contents: {
        'application/json': {
          schema: Type.Unknown({ description: 'An array of events, or any of the other forms.' }),
          example: [event],
        },
        'application/x-ndjson': {
          schema: Type.String({ description: 'One event a line.' }),
          example: '{"message":"one"}\n{"message":"two"}\n',
        },
        'application/stream+json': {
          schema: Type.String({ description: 'Events one after the other.' }),
        },
      },
    },
    answers: {
      200: jsonAnswer('What could be read is stored.', acceptedBatchAnswer, {
        accepted: 2,
        rejected: 0,
        errors: [],
      }),
    },
    problems: [...recordProblems, ...keyProblems, 'events_unreadable'],
    sample: {
      contentType: 'application/x-ndjson',
      body: '{"message":"cart opened","user":7}\n{"message":"cart paid","user":7,"ms":182}',
    },
  }
}

function batch({ config, ingest }: Dependencies): DescribedRoute {
  return {
    method: 'POST',
    path: '/api/v1/webhook/event/logs',
    access: 'ingestion-token',
    body: 'ingest',
    contentTypes: ['application/json', 'application/x-ndjson', 'application/stream+json'],
    bodyBytesMax: config.batchBytesMax,
    about: aboutBatch(config),
    async handle({ body, token, query, memory, idempotencyKey }) {
      const { options, headers } = readEventQuery(query, token.parse)
      const key = readIdempotencyKey(idempotencyKey)
      const stored = await ingest.batch(body, token, { ...options, format: 'events', key }, memory)
      const { accepted, rejected, errors } = stored
      return { ...jsonReply({ accepted, rejected, errors }), ...(headers && { headers }) }
    },
  }
}
