/** How operations of Loki's API are asked: with a form, by GET or by POST; and how they fail. */

import type { Operation } from '../../openapi/operation.ts'
import type { DescribedRoute, FormRequest, Handler } from '../../route.ts'
import { lokiErrors } from './errors.ts'

/** An operation at `/loki/api/v1/` and `path`. */
interface Asked {
  readonly path: string
  readonly about: Omit<Operation, 'tag'>
  readonly handle: Handler<FormRequest>
}

export function byGet(operation: Asked): DescribedRoute {
  return { method: 'GET', ...commonTo(operation) }
}

/** Both routes of an operation. */
export function byGetAndPost(operation: Asked): readonly DescribedRoute[] {
  return [byGet(operation), { method: 'POST', ...commonTo(operation) }]
}

export function lokiPath(path: string): string {
  return `/loki/api/v1/${path}`
}

function commonTo({ path, about, handle }: Asked) {
  return {
    access: 'viewer',
    takesBasic: true,
    body: 'form',
    errors: lokiErrors,
    path: lokiPath(path),
    about: { ...about, tag: 'Loki' },
    handle,
  } as const
}
