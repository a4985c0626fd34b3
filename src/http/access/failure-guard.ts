/**
 * What a wrong credential leads to besides its 401: it is counted by address, told, and beyond a bound
 * refused.
 */

import type { BlockList } from 'node:net'
import { ProblemError } from '../../problems.ts'
import type { HttpDependencies, LoggerDoor } from '../dependencies.ts'
import type { NativeRequest, NativeResponse } from '../native.ts'
import type { AuthFailures } from './auth-failures.ts'
import { addressKey, clientAddress } from './client-address.ts'

export interface FailureGuardParts {
  readonly failures: AuthFailures
  /** Whose `X-Forwarded-For` is believed; undefined: nobody's. */
  readonly trustedProxies: BlockList | undefined
  readonly metrics: Pick<HttpDependencies['metrics'], 'noteWrongCredential'>
  readonly logger: Pick<LoggerDoor, 'warn'>
}

export class FailureGuard {
  readonly #parts: FailureGuardParts

  constructor(parts: FailureGuardParts) {
    this.#parts = parts
  }

  /** What `judge` and `addressOf` need of a request; to be read while it is valid. Empty when nobody is
   *  trusted. */
  forwardedFor(request: NativeRequest): string {
    if (this.#parts.trustedProxies === undefined) return ''
    const named: string[] = []
    // All of them: a proxy may add a line of its own after the one that its client sent.
    request.forEach((name, value) => {
      if (name === 'x-forwarded-for') named.push(value)
    })
    return named.join(',')
  }

  /** Where a request comes from. The response is alive. */
  addressOf(response: NativeResponse, forwardedFor: string): string {
    const socket = new Uint8Array(response.getRemoteAddress())
    return clientAddress(socket, forwardedFor, this.#parts.trustedProxies)
  }

  /** The problem to answer instead of `error`. The response is alive. */
  judge(error: ProblemError, response: NativeResponse, forwardedFor: string): ProblemError {
    if (!isGuess(error)) return error
    const { failures, metrics, logger } = this.#parts
    const address = this.addressOf(response, forwardedFor)
    const verdict = failures.note(addressKey(address))
    metrics.noteWrongCredential(verdict.kind === 'beyond')
    if (verdict.kind === 'within') return error
    if (verdict.isFirst) {
      logger.warn({ address }, 'too many wrong credentials come from this address')
    }
    const { retryAfterSeconds } = verdict
    const detail = `wrong credentials are looked at again in ${retryAfterSeconds} s; a good one is let in`
    return new ProblemError('credential_failures_too_many', detail, { retryAfterSeconds })
  }
}

/** Whether somebody sent a secret that is not valid. The cookie of a session that has ended is no guess. */
function isGuess({ code, extras }: ProblemError): boolean {
  return code === 'credential_invalid' && extras.field !== 'Cookie'
}
