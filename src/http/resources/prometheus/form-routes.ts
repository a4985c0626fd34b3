/** How operations of Prometheus' API are asked: with a form, by GET or by POST; and how they fail. */

import type { Operation } from '../../openapi/operation.ts'
import type { DescribedRoute, FormRequest, Handler } from '../../route.ts'
import { prometheusErrors } from './errors.ts'

/** An operation at `path`. */
interface Asked {
  readonly path: string
  readonly about: Operation
  readonly handle: Handler<FormRequest>
}

export function byGet(operation: Asked): DescribedRoute {
  return { method: 'GET', access: 'viewer', body: 'form', errors: prometheusErrors, ...operation }
}

/** Both routes of an operation. */
export function byGetAndPost(operation: Asked): readonly DescribedRoute[] {
  const byPost: DescribedRoute = {
    method: 'POST',
    access: 'viewer',
    body: 'form',
    errors: prometheusErrors,
    ...operation,
  }
  return [byGet(operation), byPost]
}
