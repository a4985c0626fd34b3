/** The document's words on answers without a bound: live tails and exports. */

import { Type } from 'typebox'
import { limits } from '../../limits.ts'
import { exportSchema } from '../resources/query/export.ts'
import { tailSchema } from '../resources/query/tail.ts'
import { recordSchema } from '../schemas/records.ts'
import { bodyLike, described, type Operation } from './operation.ts'
import { anyTime } from './query-operations.ts'

const droppedSchema = Type.Object(
  { count: Type.Integer({ minimum: 1 }) },
  {
    description:
      'So many matching records are missing here: the client reads too slowly, or was away too long.',
  },
)

export const streamOperations = {
  tail: {
    id: 'tailLogs',
    tag: 'Streams',
    summary: 'Follow records as they arrive',
    description: `A stream of server-sent events. It begins with the last few records that match, then gives
each new one soon after it was acknowledged, in the order of arrival, none twice.

The \`id\` of an event resumes behind it: \`EventSource\` sends it as \`Last-Event-ID\` when it connects again. After
${limits.tailHeartbeatMs / 1000} s of silence comes a comment as a heartbeat, with an \`id\` too. The stream ends when the service stops or
the credential is deleted. At most ${limits.tailsMax} clients at once.

\`query\` must be a selector. Its variables are parameters of their own: \`var.NAME=VALUE\`.`,
    parameters: described(tailSchema, {
      query: 'A selector; see the language above.',
      last: `How many records to begin with; ${limits.tailLastDefault} when absent.`,
      lastEventId: 'For clients that cannot send the header `Last-Event-ID`, which goes before.',
    }),
    headers: {
      'Last-Event-ID': 'The `id` of the last event that was received: goes on behind it.',
    },
    answers: {
      200: {
        description: 'Events until somebody ends it.',
        contents: {
          'text/event-stream': {
            schema: Type.String({ description: 'UTF-8, as of WHATWG HTML, section 9.2.' }),
            events: { record: recordSchema, dropped: droppedSchema },
          },
        },
      },
    },
    problems: [
      'field_invalid',
      'query_syntax',
      'query_regex',
      'query_too_large',
      'queries_overloaded',
      'query_timeout',
      'tails_too_many',
    ],
    sample: {
      options: '-N',
      parameters: { query: 'logs{log_level="error"}', last: '5' },
    },
  },

  export: {
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
    ],
    sample: {
      headers: { Accept: 'text/csv' },
      body: bodyLike(exportSchema, { query: 'logs{log_level="error"}', ...anyTime }),
    },
  },
} as const satisfies Record<string, Operation>
