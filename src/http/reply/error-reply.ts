/**
 * Errors in the form that a route's clients read: a problem document, unless the route says
 * otherwise.
 */

import type { ProblemError } from '../../problems.ts'
import type { NativeRequest } from '../native.ts'
import { otlpEncodingOf, otlpProblemReply } from '../resources/events/otlp-answers.ts'
import { prometheusReply } from '../resources/prometheus/errors.ts'
import type { Route } from '../routes.ts'
import { problemReply, type Reply } from './reply.ts'

/**
 * Makes the answer to a failed request. `headers` come after those that the problem itself asks
 * for.
 */
export type ErrorReply = (error: ProblemError, headers?: Reply['headers']) => Reply

/** How errors of `errors`, a route's form of them, are answered to `request`. */
export function errorReplyFor(
  errors: Route['errors'],
  request: Pick<NativeRequest, 'getHeader'>,
): ErrorReply {
  if (errors === undefined) return problemReply
  if (errors === 'prometheus') return prometheusReply
  const encoding = otlpEncodingOf(request.getHeader('content-type'))
  return (error, headers) => otlpProblemReply(error, encoding, headers)
}
