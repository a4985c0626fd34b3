/** Forms of errors other than a problem document, for operations whose clients read another. */

import type { TSchema } from 'typebox'
import type { ProblemError } from '../../problems.ts'
import type { NativeRequest } from '../native.ts'
import type { Content } from '../openapi/operation.ts'
import { jsonReply, problemHeaders, type Reply } from './reply.ts'

/**
 * Makes the answer to a failed request. `headers` come after those that the problem itself asks
 * for.
 */
export type ErrorReply = (error: ProblemError, headers?: Reply['headers']) => Reply

export interface ErrorForm {
  /** How errors are answered to `request`, which may say in which encoding. */
  replyTo(request: Pick<NativeRequest, 'getHeader'>): ErrorReply
  statusOf(error: ProblemError): number
  /** By content type, as the document says it. */
  readonly contents: Readonly<Record<string, Content>>
}

interface JsonErrors {
  readonly schema: TSchema
  /** Of `schema`. */
  documentOf(error: ProblemError): object
  /** The problem's own when absent. */
  readonly statusOf?: ErrorForm['statusOf']
  /** Of every error. */
  readonly headers?: NonNullable<Reply['headers']>
}

/** A form that is JSON of its own. `reply` makes the answer to one error. */
export function jsonErrors({
  schema,
  documentOf,
  statusOf = error => error.status,
  headers: own = [],
}: JsonErrors): ErrorForm & { readonly reply: ErrorReply } {
  const reply: ErrorReply = (error, headers = []) => ({
    ...jsonReply(documentOf(error), statusOf(error)),
    headers: [...own, ...problemHeaders(error), ...headers],
  })
  return { reply, replyTo: () => reply, statusOf, contents: { 'application/json': { schema } } }
}
