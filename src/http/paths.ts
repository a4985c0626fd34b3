/**
 * The paths of the table of routes: literal parts, and `{name}` for a part that is a parameter.
 */

import assert from 'node:assert/strict'
import { ProblemError } from '../problems.ts'
import type { NativeRequest } from './native.ts'
import { pagePaths } from './page-paths.ts'
import type { Route } from './route.ts'

/** `path` as uWebSockets writes it. */
export function nativePattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** The names of the parameters of `path`, in order. */
export function parameterNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
}

const noParameters = parameterOf(new Map())

/**
 * What stands for the parameters `names`, decoded, by name. Throws `path_unknown` if that cannot be; the
 * function asserts that the path has the name.
 */
export function readPathParameters(
  names: readonly string[],
  request: Pick<NativeRequest, 'getParameter'>,
): (name: string) => string {
  if (names.length === 0) return noParameters
  try {
    const values = names.map(
      (name, index) => [name, decodeURIComponent(request.getParameter(index) ?? '')] as const,
    )
    return parameterOf(new Map(values))
  } catch {
    throw new ProblemError('path_unknown', 'a part of the path is not percent-encoded UTF-8')
  }
}

function parameterOf(values: ReadonlyMap<string, string>): (name: string) => string {
  return name => {
    const value = values.get(name)
    assert(value !== undefined, `BUG: the path has no {${name}}`)
    return value
  }
}

/** All routes that have `path`, whatever their method. */
export function routesAt<R extends Pick<Route, 'path'>>(
  routes: readonly R[],
  path: string,
): readonly R[] {
  const parts = path.split('/')
  return routes.filter(route => isAt(route.path.split('/'), parts))
}

const pagePatterns: readonly string[] = Object.values(pagePaths)

/**
 * Where somebody wanted to go who put a slash after the path of a page; undefined where that is not so.
 * With the query, to be sent as `Location`. Operations have one path each, and no other.
 */
export function pathWithoutSlash(
  routes: readonly Route[],
  request: Pick<NativeRequest, 'getMethod' | 'getUrl' | 'getQuery'>,
): string | undefined {
  const path = request.getUrl()
  const isLook = request.getMethod() === 'get' || request.getMethod() === 'head'
  if (!isLook || !path.endsWith('/')) return undefined
  const meant = path.slice(0, -1)
  const isPage = routesAt(routes, meant).some(route => pagePatterns.includes(route.path))
  const query = request.getQuery()
  return isPage ? `${meant}${query ? `?${query}` : ''}` : undefined
}

/** What `Allow` says of a path that has these routes. */
export function allowedMethods(routes: readonly Route[]): string {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...methods, 'OPTIONS'].join(', ')
}

function isAt(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((part, index) =>
      part.startsWith('{') ? parts[index] !== '' : part === parts[index],
    )
  )
}
