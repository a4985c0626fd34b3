/**
 * Splunk's HTTP Event Collector: events as JSON objects one after the other, or as lines of text. What
 * Docker's built-in `splunk` driver, Fluent Bit's and Vector's outputs and `splunk-logging` send.
 *
 * A client that names its channel may ask whether its events are on disk. They are before the answer, so
 * every number that it is given here is acknowledged (`hec-questions.ts`).
 */

import { Type } from 'typebox'
import type { IngestBatchResult } from '../../../ingest/ingest.ts'
import { described } from '../../openapi/operation.ts'
import { jsonReply, type Reply } from '../../reply/reply.ts'
import type { IngestRequest } from '../../route.ts'
import { hecAnswerSchema, hecErrors, hecWords } from './hec-answers.ts'
import { pickParameters, type Sender } from './sender.ts'

/** What the query may say of all events: Splunk's names. */
const metadata = ['host', 'source', 'sourcetype', 'index'] as const

const parameters = described(
  Type.Object({
    host: Type.Optional(Type.String()),
    source: Type.Optional(Type.String()),
    sourcetype: Type.Optional(Type.String()),
    index: Type.Optional(Type.String()),
    channel: Type.Optional(Type.String()),
  }),
  {
    host: 'The attribute `host` of events that have none.',
    source: 'The attribute `source` of events that have none.',
    sourcetype: 'The attribute `sourcetype` of events that have none.',
    index: 'The attribute `index` of events that have none.',
    channel: 'As the header `X-Splunk-Request-Channel`.',
  },
)

/** Acknowledgements that were given since the start. */
let ackCount = 0

function acknowledge(result: IngestBatchResult, { splunkChannel, query }: IngestRequest): Reply {
  const { rejected, errors } = result
  const hasChannel =
    splunkChannel !== '' || pickParameters(query, ['channel']).channel !== undefined
  const ack = hasChannel ? { ackId: ackCount++ } : {}
  if (rejected === 0) return jsonReply({ ...hecWords.success, ...ack })
  // Not a 400: its sender would send the good ones again.
  const { index, detail } = errors[0]!
  const bad = { 'invalid-event-number': index, detail: `${rejected} refused, the first: ${detail}` }
  return jsonReply({ ...hecWords.invalid, ...bad, ...ack })
}

const shared = {
  contentTypes: undefined,
  given: ({ query }: IngestRequest) => pickParameters(query, metadata),
  acknowledge,
  errors: hecErrors,
} as const

const headers = {
  'X-Splunk-Request-Channel':
    'Any text. The answer then has an `ackId`, which `/services/collector/ack` says is on disk.',
}

const answers = {
  200: {
    description: 'What could be read is stored. With code 6, some of it could not.',
    contents: {
      'application/json': { schema: hecAnswerSchema, example: { text: 'Success', code: 0 } },
    },
  },
}

const event = {
  time: 1795183402.118,
  host: 'web-1',
  source: 'checkout',
  event: { level: 'error', message: 'payment timed out' },
  fields: { order: '81723' },
}

export const hecEvents: Sender = {
  ...shared,
  paths: {
    sendHecEvents: '/services/collector/event',
    sendHecEventsVersioned: '/services/collector/event/1.0',
    sendHecEventsShort: '/services/collector',
    sendHecEventsShortVersioned: '/services/collector/1.0',
  },
  format: 'hec',
  about: {
    summary: "Send events as to Splunk's HTTP Event Collector",
    description: `JSON objects, one after the other. \`event\` is the event: a text is its message, an object is read as any
event is. \`time\`, seconds since 1970, is its time; \`host\`, \`source\`, \`sourcetype\`, \`index\` and the members of \`fields\`
are attributes, and under \`outer.\` where the event has such a field itself. Any \`Content-Type\` is taken, or none.

An event that is refused costs no other: the answer is 200 with code 6 then, and \`invalid-event-number\` is the first of
them, from 0. It is 400 only when none could be read.`,
    parameters,
    headers,
    body: {
      contents: {
        'application/json': {
          schema: Type.Unknown({ description: 'Objects with a member `event`, in a row.' }),
          example: event,
        },
      },
    },
    answers,
    sample: { body: event },
  },
}

export const hecLines: Sender = {
  ...shared,
  paths: {
    sendHecLines: '/services/collector/raw',
    sendHecLinesVersioned: '/services/collector/raw/1.0',
  },
  format: 'lines',
  about: {
    summary: "Send lines of text as to Splunk's HTTP Event Collector",
    description: 'Each line that is not empty is an event, with the time of receipt.',
    parameters,
    headers,
    body: {
      contents: { 'text/plain': { schema: Type.String(), example: 'one event\nanother one' } },
    },
    answers,
    sample: { contentType: 'text/plain', body: 'payment timed out' },
  },
}
