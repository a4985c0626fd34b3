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

const asked = {
  access: 'viewer',
  takesBasic: true,
  body: 'form',
  errors: prometheusErrors,
} as const

/** The route of an operation that is asked by GET alone. */
export function byGet(operation: Asked): DescribedRoute {
  return { method: 'GET', ...asked, ...operation }
}

/** Both routes of an operation. */
export function byGetAndPost(operation: Asked): readonly DescribedRoute[] {
  return [byGet(operation), { method: 'POST', ...asked, ...operation }]
}
