/** Queries of widgets: the variables in them. */

import { expandVariables, variableForm } from '../../../language/variables.ts'
import { quoted, unquoted } from '../../query/strings.ts'
import { tokensOf } from '../../query/tokens.ts'
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

/** A selector with the values in it, for places that take no variables. In it all of them are texts. */
export function expanded(selector: string, values: Values): string {
  return tokensOf(selector)
    .map(({ kind, text }) => {
      if (kind === 'string' && text.includes('$')) {
        const inner = unquoted(text)
        const outer = expandVariables(inner, values, () => {})
        return outer === inner ? text : quoted(outer)
      }
      return kind === 'variable' ? variableValue(text, values) : text
    })
    .join('')
}

/** Outside of strings a variable stands for a whole one. */
function variableValue(written: string, values: Values): string {
  const [, inBraces, bare] = variableForm.exec(written) ?? []
  const name = inBraces ?? bare ?? ''
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  return value === undefined ? written : quoted(value)
}
