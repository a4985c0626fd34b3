/** Datadog's log intake: what its agent, its libraries, Fluent Bit and Vector send. */

import { Type } from 'typebox'
import { type ProblemError, problems } from '../../../problems.ts'
import { described, jsonAnswer } from '../../openapi/operation.ts'
import { jsonErrors } from '../../reply/error-form.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { pickParameters, type Sender } from './sender.ts'

/** Datadog has 403 for every key that is none, and for none at all. */
function statusOf({ code, status }: ProblemError): number {
  const isCredential = code === 'credential_missing' || code === 'credential_invalid'
  return isCredential ? 403 : status
}

const errorSchema = Type.Object(
  {
    errors: Type.Array(
      Type.Object({ status: Type.String(), title: Type.String(), detail: Type.String() }),
    ),
  },
  { $id: 'DatadogErrors', description: "Why logs were refused, in Datadog's form." },
)

const datadogErrors = jsonErrors({
  schema: errorSchema,
  statusOf,
  documentOf(error) {
    const { title } = problems[error.code]
    return { errors: [{ status: String(statusOf(error)), title, detail: error.placedMessage }] }
  },
})

const names = ['ddsource', 'ddtags', 'hostname', 'service'] as const

const log = {
  ddsource: 'nodejs',
  ddtags: 'env:prod,version:1.2',
  hostname: 'web-1',
  service: 'checkout',
  status: 'error',
  message: 'payment timed out',
}

export const datadogLogs: Sender = {
  paths: { sendDatadogLogs: '/api/v2/logs', sendDatadogLogsV1: '/v1/input' },
  contentTypes: ['application/json'],
  format: 'datadog',
  given: ({ query }) => pickParameters(query, names),
  acknowledge({ rejected, errors }) {
    if (rejected === 0) return jsonReply({}, 202)
    const { index, code, detail } = errors[0]!
    const title = `${rejected} logs were refused, the others are stored`
    const first = `the first is log ${index}: ${code}: ${detail}`
    return jsonReply({ errors: [{ status: '400', title, detail: first }] }, 202)
  },
  errors: datadogErrors,
  about: {
    summary: "Send logs as to Datadog's log intake",
    description: `An array of logs, or one. \`message\` is the event, the rest is around it as attributes; \`status\` is its level, and
each tag of \`ddtags\` an attribute too. The time is in \`timestamp\`, \`@timestamp\` or \`date\`. A log that is refused costs no
other: the answer is 202 even so, and names the first.`,
    parameters: described(
      Type.Object(Object.fromEntries(names.map(name => [name, Type.Optional(Type.String())]))),
      Object.fromEntries(names.map(name => [name, `The \`${name}\` of logs that have none.`])),
    ),
    body: {
      contents: {
        'application/json': {
          schema: Type.Unknown({ description: 'An array of logs, or one.' }),
          example: [log],
        },
      },
    },
    answers: {
      202: jsonAnswer(
        'What could be read is stored.',
        Type.Object({ errors: Type.Optional(Type.Array(Type.Unknown())) }),
        {},
      ),
    },
    sample: { body: [log] },
  },
}

export const datadogValidate: DescribedRoute = {
  method: 'GET',
  path: '/api/v1/validate',
  access: 'ingestion-token',
  body: 'none',
  errors: datadogErrors,
  about: {
    id: 'validateDatadogKey',
    tag: 'Senders',
    summary: 'Whether the key is good, as Datadog says it',
    answers: {
      200: jsonAnswer('It is.', Type.Object({ valid: Type.Literal(true) }), { valid: true }),
    },
    sample: {},
  },
  handle: () => jsonReply({ valid: true }),
}
