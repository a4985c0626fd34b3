/** What the OpenAPI document says of a server: all that `conforms.ts` has to know of its routes. */
import { openapiDocument } from '../../src/http/openapi/document.ts'
import type { JsonObject } from '../../src/http/openapi/schema-json.ts'
import type { DescribedRoute, Route } from '../../src/http/route.ts'

export type DescribedPath = Pick<Route, 'method' | 'path' | 'errors'>

/** Plain JSON, so that it can be kept in a file. */
export interface Described {
  readonly routes: readonly DescribedPath[]
  readonly document: JsonObject
}

/** Servers that have the same list of routes share the document. */
const described = new WeakMap<readonly Route[], Described>()

export function describe(all: readonly Route[]): Described {
  const known = described.get(all) ?? describeAnew(all)
  described.set(all, known)
  return known
}

function describeAnew(all: readonly Route[]): Described {
  const routes = all.filter((route): route is DescribedRoute => 'about' in route)
  const document = openapiDocument(routes, { version: '0.0.0' })
  return {
    routes: routes.map(({ method, path, errors }) => ({ method, path, ...(errors && { errors }) })),
    document,
  }
}
