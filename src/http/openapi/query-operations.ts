/** The document's words on asking for records and on looking around among them. */

import { limits } from '../../limits.ts'
import {
  contextSchema,
  facetsSchema,
  fieldsSchema,
  valuesSchema,
} from '../resources/query/explore.ts'
import { histogramSchema, selectSchema } from '../resources/query/query.ts'
import { facetsAnswer, fieldsAnswer, valuesAnswer } from '../schemas/explore.ts'
import { contextAnswer, histogramAnswer } from '../schemas/records.ts'
import { selectAnswer } from '../schemas/select.ts'
import { bodyLike, described, jsonAnswer, type Operation } from './operation.ts'
import { queryProblems } from './route-problems.ts'
import { capture } from './samples.ts'

const records = {
  query: 'A query; see the language above.',
  variables: 'The values of variables, `$name` in the query.',
  startTime: 'Begin of the range, inclusive.',
  endTime: 'End of the range, inclusive.',
  timeoutMs: 'How long the answer may take; then it is 503.',
}

/** From 1970 to 2100: all records there are. */
export const anyTime = { startTime: 0, endTime: 4_102_444_800_000 }

const oneSelector =
  'The query must have one selector; what is done with its records does not matter here.'

const topLimit = `How many values of a field; ${limits.topValuesDefault} when absent.`

const selectSample = bodyLike(selectSchema, {
  query: 'logs{service.name="checkout", log_level="error"} |= "timed out"',
  ...anyTime,
  limit: 10,
})

export const queryOperations = {
  select: {
    id: 'queryLogs',
    tag: 'Queries',
    summary: 'Records, their number, and what an expression comes to',
    description: `\`count\` is the exact number of all matching records. \`logs\` are the earliest of them,
ties in order of arrival; \`"order":"desc"\` gives the latest. A page of records ends early, with a cursor,
at ${limits.answerLengthMax / 1024 ** 2} Mi characters.

A query that groups, such as \`count by (log_level) (logs)\`, has \`groups\` in its answer. Any other
expression, such as \`avg(logs | unwrap duration_ms)\`, is evaluated over the whole range: its answer has
\`value\`, or \`groups\` with values. For values over time see \`/api/v1/query_range\`.

A client that goes away cancels its query.`,
    body: described(selectSchema, {
      ...records,
      limit: `How many records at most; ${limits.queryLimitDefault} when absent.`,
      order: 'Earliest first (`asc`, when absent) or latest first.',
      cursor: '`nextCursor` of the last answer to the same query.',
    }),
    answers: { 200: jsonAnswer('What matches.', selectAnswer) },
    problems: [...queryProblems, 'cursor_invalid'],
    sample: { body: selectSample },
  },

  histogram: {
    id: 'queryHistogram',
    tag: 'Queries',
    summary: 'Counts by time and level',
    description: `${oneSelector} At most ${limits.histogramBucketsMax} buckets.`,
    body: described(histogramSchema, {
      ...records,
      bucketMs: 'Width of a bucket; about 60 of a round width when 0 or absent.',
    }),
    answers: { 200: jsonAnswer('All buckets of the range.', histogramAnswer) },
    problems: queryProblems,
    sample: { body: bodyLike(histogramSchema, { query: 'logs', ...anyTime }) },
  },

  facets: {
    id: 'queryFacets',
    tag: 'Exploring',
    summary: 'The most frequent values of the fields that matter',
    description: `${oneSelector} A field with more than ${limits.fieldValuesMax} distinct values is said to
have too many.`,
    body: described(facetsSchema, {
      ...records,
      fields: 'Which fields; the most useful ones when absent.',
      limit: topLimit,
    }),
    answers: { 200: jsonAnswer('Fields with values and counts.', facetsAnswer) },
    problems: queryProblems,
    sample: {
      body: bodyLike(facetsSchema, {
        query: 'logs',
        ...anyTime,
        fields: ['log_level', 'service.name'],
        limit: 5,
      }),
    },
  },

  fields: {
    id: 'queryFields',
    tag: 'Exploring',
    summary: 'The names of all fields, with counts',
    description: oneSelector,
    body: described(fieldsSchema, records),
    answers: { 200: jsonAnswer('Names, the most frequent first.', fieldsAnswer) },
    problems: queryProblems,
    sample: { body: bodyLike(fieldsSchema, { query: 'logs', ...anyTime }) },
  },

  values: {
    id: 'queryValues',
    tag: 'Exploring',
    summary: 'The most frequent values of one field',
    description: oneSelector,
    body: described(valuesSchema, {
      ...records,
      field: 'The name of the field.',
      prefix: 'What the values begin with, in the case in which they stand.',
      limit: topLimit,
    }),
    answers: { 200: jsonAnswer('Values, the most frequent first.', valuesAnswer) },
    problems: queryProblems,
    sample: {
      body: bodyLike(valuesSchema, {
        query: 'logs',
        ...anyTime,
        field: 'service.name',
        prefix: 'c',
      }),
    },
  },

  context: {
    id: 'queryContext',
    tag: 'Exploring',
    summary: 'The records around one record',
    description:
      'Of the same stream: the same `service.name` and `environment`, whatever the query was that found the record.',
    body: described(contextSchema, {
      id: 'The `id` of a record in any answer.',
      before: `How many earlier records; ${limits.contextRecordsDefault} when absent.`,
      after: `How many later records; ${limits.contextRecordsDefault} when absent.`,
      timeoutMs: records.timeoutMs,
    }),
    answers: { 200: jsonAnswer('Its neighbours.', contextAnswer) },
    problems: ['field_invalid', 'record_unknown', 'queries_overloaded', 'query_timeout'],
    sample: {
      before: [
        capture('RECORD_ID', {
          from: '/api/v1/query/logs',
          body: bodyLike(selectSchema, { query: 'logs', ...anyTime, limit: 1 }),
          behind: '"logs":[{"id":',
        }),
      ],
      body: bodyLike(contextSchema, { id: '$RECORD_ID', before: 2, after: 2 }),
    },
  },
} as const satisfies Record<string, Operation>
