/** What answers under `/elastic` share: the header that clients want to see, and the form of errors. */

import { Type } from 'typebox'
import { type ProblemCode, type ProblemError, problems } from '../../../problems.ts'
import type { ErrorForm } from '../../reply/error-form.ts'
import { jsonReply, problemHeaders, type Reply } from '../../reply/reply.ts'

/** Elastic's own clients and Logstash refuse a service that does not say this. */
const product = ['X-Elastic-Product', 'Elasticsearch'] as const

/** `json`: the body. */
export function elasticReply(json: string): Reply {
  return { status: 200, contentType: 'application/json', body: json, headers: [product] }
}

const busyType = 'es_rejected_execution_exception'
const fullType = 'cluster_block_exception'

/** Elasticsearch's names for what other than the request is wrong. */
const types: Partial<Record<ProblemCode, string>> = {
  credential_missing: 'security_exception',
  credential_invalid: 'security_exception',
  credential_failures_too_many: 'security_exception',
  ingest_overloaded: busyType,
  storage_full: fullType,
  storage_failed: fullType,
  not_ready: fullType,
  stopping: 'node_closed_exception',
  internal: 'exception',
}
const usualType = 'illegal_argument_exception'

/** `headers` come after those that the problem itself asks for. */
function errorReply(error: ProblemError, headers: Reply['headers'] = []): Reply {
  const { status } = problems[error.code]
  const cause = { type: types[error.code] ?? usualType, reason: error.placedMessage }
  const document = { error: { root_cause: [cause], ...cause }, status }
  return {
    ...jsonReply(document, status),
    headers: [product, ...problemHeaders(error), ...headers],
  }
}

const causeSchema = { type: Type.String(), reason: Type.String() }

export const elasticErrors: ErrorForm = {
  replyTo: () => errorReply,
  statusOf: ({ status }) => status,
  contents: {
    'application/json': {
      schema: Type.Object(
        {
          error: Type.Object({
            ...causeSchema,
            root_cause: Type.Array(Type.Object(causeSchema)),
          }),
          status: Type.Integer(),
        },
        { $id: 'ElasticError', description: "Why a request failed, in Elasticsearch's form." },
      ),
    },
  },
}
