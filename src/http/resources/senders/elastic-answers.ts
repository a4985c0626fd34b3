/** What answers under `/elastic` share: the header that clients want to see, and the form of errors. */

import { Type } from 'typebox'
import type { ProblemCode } from '../../../problems.ts'
import { jsonErrors } from '../../reply/error-form.ts'
import type { Reply } from '../../reply/reply.ts'

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
  journal_full: busyType,
  storage_full: fullType,
  storage_failed: fullType,
  not_ready: fullType,
  stopping: 'node_closed_exception',
  internal: 'exception',
}
const usualType = 'illegal_argument_exception'

const causeSchema = { type: Type.String(), reason: Type.String() }

const errorSchema = Type.Object(
  {
    error: Type.Object({ ...causeSchema, root_cause: Type.Array(Type.Object(causeSchema)) }),
    status: Type.Integer(),
  },
  { $id: 'ElasticError', description: "Why a request failed, in Elasticsearch's form." },
)

export const elasticErrors = jsonErrors({
  schema: errorSchema,
  headers: [product],
  documentOf({ code, status, placedMessage }) {
    const cause = { type: types[code] ?? usualType, reason: placedMessage }
    return { error: { root_cause: [cause], ...cause }, status }
  },
})
