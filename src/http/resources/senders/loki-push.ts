/**
 * Loki's push API: what Promtail, Alloy, Docker's Loki plugin, Fluent Bit, Vector, pino-loki and winston-loki
 * send. Entries that cannot be read are answered 400, as Loki does, when the others are stored: its clients
 * send nothing again after a 400.
 */

import { Type } from 'typebox'
import { ProblemError } from '../../../problems.ts'
import { noContent } from '../../reply/reply.ts'
import { lokiErrors } from '../loki/errors.ts'
import type { Sender } from './sender.ts'

const json = 'application/json'
const protobuf = 'application/x-protobuf'

const request = {
  streams: [
    {
      stream: { app: 'checkout', level: 'error' },
      values: [['1795183402118000000', 'payment timed out', { trace_id: '4bf92f35' }]],
    },
  ],
}

export const lokiPush: Sender = {
  paths: { pushLoki: '/loki/api/v1/push' },
  contentTypes: [json, protobuf],
  format: contentType => (contentType === json ? 'loki-json' : 'loki-protobuf'),
  ownEncoding: 'snappy', // Said by some of those who send protobuf, which is always in snappy.
  acknowledge({ accepted, rejected, errors }) {
    if (rejected === 0) return noContent
    const { index, code, detail } = errors[0]!
    const text = `${rejected} of ${accepted + rejected} entries were refused and the others stored, the first is entry ${index}: ${code}: ${detail}`
    return lokiErrors.reply(new ProblemError('events_unreadable', text))
  },
  errors: lokiErrors,
  about: {
    summary: "Send entries as to Loki's push API",
    description: `In JSON, or in protobuf with snappy. An entry's line is the event; the labels of its stream and its structured
metadata are attributes, and under \`outer.\` where the event has such a field itself. \`level\`, or else \`detected_level\`,
is its level. \`X-Scope-OrgID\` has no effect.

An entry that is refused costs no other: the answer is 400 then, as Loki has it, and says which it was.`,
    body: {
      contents: {
        [json]: {
          schema: Type.Object({
            streams: Type.Array(Type.Unknown(), {
              description: 'Each with its labels, `stream`, and its entries, `values`.',
            }),
          }),
          example: request,
        },
        [protobuf]: { schema: Type.String({ description: 'The same in protobuf and snappy.' }) },
      },
    },
    answers: { 204: { description: 'All is stored.' } },
    problems: ['protobuf_invalid'],
    sample: { body: request },
  },
}
