/**
 * Elasticsearch's bulk API: what Filebeat, Logstash, Fluent Bit, Vector, Elastic's own clients and the
 * transports of pino, winston and Serilog send. What they ask before is in `elastic-probes.ts`.
 */

import { Type } from 'typebox'
import { bulkTimestampField } from '../../../ingest/formats/bulk.ts'
import { elasticErrors, elasticReply } from './elastic-answers.ts'
import type { Sender } from './sender.ts'

const body =
  '{"create":{"_index":"logs"}}\n{"@timestamp":"2026-11-20T10:00:00Z","message":"paid"}\n'

const itemSchema = Type.Object({
  _index: Type.String(),
  _id: Type.Optional(Type.String()),
  status: Type.Integer({
    description: `201 when it is stored, 400 when it never will be, 409 when another one has its id, 429 when it
may be sent again: then nothing of the request is stored.`,
  }),
  result: Type.Optional(Type.Literal('created')),
  error: Type.Optional(Type.Object({ type: Type.String(), reason: Type.String() })),
})

const answerSchema = Type.Object({
  took: Type.Integer({ description: 'Always 0.' }),
  errors: Type.Boolean({ description: 'Whether any document was refused.' }),
  items: Type.Array(Type.Record(Type.String(), itemSchema), {
    description: 'What became of each action, under its name, in order.',
  }),
})

const shared: Omit<Sender, 'paths' | 'about'> = {
  contentTypes: [
    'application/json',
    'application/x-ndjson',
    'application/vnd.elasticsearch+json',
    'application/vnd.elasticsearch+x-ndjson',
  ],
  format: 'bulk',
  timestampField: bulkTimestampField,
  hasEventKeys: true,
  acknowledge({ rejected, answers = '' }) {
    return elasticReply(`{"took":0,"errors":${rejected > 0},"items":[${answers}]}`)
  },
  errors: elasticErrors,
}

const about: Sender['about'] = {
  summary: "Send documents as to Elasticsearch's bulk API",
  description: `By the line an action and its document. \`create\` and \`index\` append the document, which is read as any
event is; its time is in \`@timestamp\`, or else as a text in \`time\`. \`update\` and \`delete\` are refused, each alone, with status 400 in its item. The
index and the id of an action are repeated in the answer and not stored. A document with an \`_id\` that is sent again
to the same index is stored once, and its item is that of the first time; \`create\` of another document with that \`_id\`
has status 409, and \`index\` appends it. When events arrive faster than they can be stored, or the disk is full, nothing of the
request is stored and each item has status 429; a request of more than 8 MiB, or for which there is no memory, is answered
429 or 503 as a whole. All of these may be sent again.

Clients are given the address \`http://127.0.0.1:7007/elastic\`, and an ingestion token as the password or as the API key.`,
  body: {
    contents: {
      'application/x-ndjson': { schema: Type.String(), example: body },
      'application/json': { schema: Type.String({ description: 'The same.' }) },
      'application/vnd.elasticsearch+x-ndjson': { schema: Type.String() },
      'application/vnd.elasticsearch+json': { schema: Type.String() },
    },
  },
  answers: {
    200: {
      description: 'What has status 201 is stored.',
      contents: { 'application/json': { schema: answerSchema } },
      headers: { 'X-Elastic-Product': 'Elasticsearch.' },
    },
  },
  sample: { contentType: 'application/x-ndjson', body },
}

export const elasticBulk: Sender = {
  ...shared,
  paths: { sendElasticBulk: '/elastic/_bulk' },
  about,
}

export const elasticBulkOfIndex: Sender = {
  ...shared,
  paths: { sendElasticBulkOfIndex: '/elastic/{index}/_bulk' },
  given: ({ pathParameter }) => ({ index: pathParameter('index') }),
  about: {
    ...about,
    pathParameters: { index: 'The `_index` of actions that have none.' },
    sample: { ...about.sample, path: { index: 'logs' } },
  },
}
