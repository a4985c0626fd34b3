/** Runs what Loki's clients ask within the service's bounds. */

import type { FormRequest } from '../../route.ts'
import { boundsOf, type QueryDependencies } from '../query/bounds.ts'

export function runAsked<T>(
  { config, runner }: QueryDependencies,
  request: FormRequest,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  return runner.run(work, boundsOf(request, undefined, config))
}
