/** Queries of widgets: the variables in them, and the selectors that lead to the records behind them. */

import { expandVariables, variableForm } from '../../../query/variables.ts'
import { quoted, unquoted } from '../../query/strings.ts'
import { type Token, tokensOf } from '../../query/tokens.ts'
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

/** The selectors in a query, each with its filters of lines: what the log viewer can show. */
export function selectorsOf(query: string): readonly string[] {
  const tokens = tokensOf(query)
  const found: string[] = []
  for (const [index, { kind, text, start }] of tokens.entries()) {
    if (kind !== 'keyword' || text !== 'logs') continue
    const end = afterFilters(tokens, afterBraces(tokens, index))
    found.push(query.slice(start, tokens[end]!.end))
  }
  return [...new Set(found)]
}

/** The index of the last token of what begins with `logs` at `index`. */
function afterBraces(tokens: readonly Token[], index: number): number {
  const open = nextWord(tokens, index)
  if (tokens[open]?.text !== '{') return index
  const close = tokens.findIndex(
    ({ text, kind }, at) => at > open && text === '}' && kind === 'bracket',
  )
  return close < 0 ? tokens.length - 1 : close
}

const filters = ['|=', '!=', '|~', '!~']

function afterFilters(tokens: readonly Token[], index: number): number {
  const operator = nextWord(tokens, index)
  const operand = operator < 0 ? -1 : nextWord(tokens, operator)
  const isFilter = filters.includes(tokens[operator]?.text ?? '')
  const isText = ['string', 'variable'].includes(tokens[operand]?.kind ?? '')
  return isFilter && isText ? afterFilters(tokens, operand) : index
}

function nextWord(tokens: readonly Token[], after: number): number {
  return tokens.findIndex(({ kind }, at) => at > after && kind !== 'space')
}
