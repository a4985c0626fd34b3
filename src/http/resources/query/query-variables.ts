/**
 * Values of a query's variables, for operations whose parameters are in the query string: each is a
 * parameter of its own, `var.NAME=VALUE`, and of several values one for each. Bodies have
 * `variables` instead.
 */

import type { Variables, VariableValue } from '../../../language/variables.ts'

const prefix = 'var.'

/** By name, without a prototype; what is there more than once has several values. */
export function readVariables(parameters: URLSearchParams): Variables {
  const variables: Record<string, VariableValue> = Object.create(null)
  for (const name of new Set(parameters.keys())) {
    if (!name.startsWith(prefix)) continue
    const values = parameters.getAll(name)
    variables[name.slice(prefix.length)] = values.length === 1 ? values[0]! : values
  }
  return variables
}
