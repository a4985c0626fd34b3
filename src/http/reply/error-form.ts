/** Forms of errors other than a problem document, for operations whose clients read another. */

import type { ProblemError } from '../../problems.ts'
import type { NativeRequest } from '../native.ts'
import type { Content } from '../openapi/operation.ts'
import type { Reply } from './reply.ts'

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
