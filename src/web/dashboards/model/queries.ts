/** Queries of widgets: the variables in them. */

import type { Variables, VariableValue } from '../../../language/variables.ts'
import type { Variable } from './board.ts'

export type Values = Variables

/** What matches everything, with `=~`. */
export const anyValue = '.*'

/** How the value of a variable stands in the address; the API's parameters are called the same. */
export function variableParam(name: string): string {
  return `var.${name}`
}

/** The value of every variable: what the address says where that is allowed, or else its default. */
export function valuesOf(variables: readonly Variable[], address: URLSearchParams): Values {
  const values: Record<string, VariableValue> = Object.create(null)
  for (const { name, defaultValue, isOverridable } of variables) {
    const chosen = isOverridable ? address.getAll(variableParam(name)) : []
    values[name] = chosen.length > 1 ? chosen : (chosen[0] ?? defaultValue)
  }
  return values
}

/** A value in the words of its selector: what matches everything is called so. */
export function valueText(value: VariableValue): string {
  if (typeof value !== 'string') {
    return value.length > 2 ? `${value.length} values` : value.map(valueText).join(', ')
  }
  if (value === anyValue) return 'all'
  return value === '' ? 'none' : value
}

/**
 * The value with `choice` added to what is chosen, or taken from it.
 * @param known The values that can be chosen: what else was there, such as an expression, goes.
 */
export function withChoice(
  value: VariableValue,
  choice: string,
  known: readonly string[],
): VariableValue {
  const chosen = (typeof value === 'string' ? [value] : value).filter(one => known.includes(one))
  const next = chosen.includes(choice) ? chosen.filter(one => one !== choice) : [...chosen, choice]
  return next.length > 1 ? next : (next[0] ?? '')
}
