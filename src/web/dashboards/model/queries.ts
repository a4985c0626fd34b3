/** Queries of widgets: the variables in them. */

import type { Variable } from './board.ts'

export type Values = Readonly<Record<string, string>>

/** How the value of a variable stands in the address; the API's parameters are called the same. */
export function variableParam(name: string): string {
  return `var.${name}`
}

/** The value of every variable: what the address says where that is allowed, or else its default. */
export function valuesOf(variables: readonly Variable[], address: URLSearchParams): Values {
  const values: Record<string, string> = Object.create(null)
  for (const { name, defaultValue, isOverridable } of variables) {
    const chosen = isOverridable ? address.get(variableParam(name)) : null
    values[name] = chosen ?? defaultValue
  }
  return values
}

/** A value in the words of its selector: what matches everything is called so. */
export function valueText(value: string): string {
  if (value === '.*') return 'all'
  return value === '' ? 'none' : value
}
