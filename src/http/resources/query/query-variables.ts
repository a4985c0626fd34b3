/**
 * Values of a query's variables, for operations whose parameters are in the query string: each is a
 * parameter of its own, `var.NAME=VALUE`. Bodies have `variables` instead.
 */

import type { Variables } from '../../../language/variables.ts'

const prefix = 'var.'

/** By name, without a prototype; of a name that is there twice the last. */
export function readVariables(parameters: URLSearchParams): Variables {
  const variables: Record<string, string> = Object.create(null)
  for (const [name, value] of parameters) {
    if (name.startsWith(prefix)) variables[name.slice(prefix.length)] = value
  }
  return variables
}
