/** What the routes of all operations over records need, and within which bounds they run. */

import { ProblemError } from '../../../problems.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import type { AskingRequest } from '../../route.ts'
import type { QueryBounds, QueryRunner } from './query-runner.ts'

/** They share one runner, and so its bounds. */
export interface QueryDependencies extends Pick<HttpDependencies, 'store' | 'config'> {
  readonly runner: QueryRunner
}

/** The bounds of one query: as long as was asked for, as long as the service allows. */
export function boundsOf(
  { signal, caller }: Pick<AskingRequest, 'signal' | 'caller'>,
  askedTimeoutMs: number | undefined,
  { queryTimeoutMs }: QueryDependencies['config'],
): QueryBounds {
  const timeoutMs = readTimeout(askedTimeoutMs, queryTimeoutMs)
  return { timeoutMs, clientSignal: signal(), asker: caller.apiKey?.id }
}

/** How long an answer may take, ms: what was asked for, at most `maximum`. */
function readTimeout(asked: number | undefined, maximum: number): number {
  if (asked !== undefined && asked > maximum) {
    const detail = `"timeoutMs" must be at most ${maximum}, was ${asked}`
    throw new ProblemError('field_invalid', detail, { field: 'timeoutMs' })
  }
  return asked ?? maximum
}
