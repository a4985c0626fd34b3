/**
 * Conditions in a query of words: `timeout status:500 -host:node-3`. Of words, and so of these, case does
 * not matter.
 */

import type { Matcher, TextMatcher } from '../../language/ast.ts'
import { levelLabel } from '../../record.ts'
import { readText } from './read.ts'
import { literal, quoted } from './strings.ts'

/** Undefined where no word can say it: under `or`, of the message, of fields with odd names. */
export function withWord(query: string, condition: TextMatcher): string | undefined {
  const matcher = meaningOf(condition)
  if (matcher === undefined || alternativesOf(query) > 0) return undefined
  if (hasWord(query, condition)) return query
  const operator = condition.operator === '=' ? '!=' : '='
  const base = withoutWord(query, { ...condition, operator })
  return base === 'logs' ? wordOf(condition) : `${base.trimEnd()} ${wordOf(condition)}`
}

/** What no word is left of asks for all records. */
export function withoutWord(query: string, condition: TextMatcher): string {
  if (!hasWord(query, condition)) return query
  const rest = query.replace(formOf(condition), '').trim()
  return rest === '' ? 'logs' : rest
}

export function hasWord(query: string, condition: TextMatcher): boolean {
  const matcher = meaningOf(condition)
  if (matcher === undefined || alternativesOf(query) > 0) return false
  return (
    formOf(condition).test(query) &&
    matchersOf(query).some(one => JSON.stringify(one) === JSON.stringify(matcher))
  )
}

/** The values that words ask of a label: `status:500`. */
export function wordsOf(query: string, label: string): readonly string[] {
  if (alternativesOf(query) > 0) return []
  return matchersOf(query).flatMap(matcher => {
    if (matcher.label !== label || !('value' in matcher) || 'unit' in matcher) return []
    if (matcher.operator === '=' && matcher.value !== '') return [matcher.value]
    const value = matcher.operator === '=~' ? unescaped(matcher.value) : ''
    return hasWord(query, { label, operator: '=', value }) ? [value] : []
  })
}

/** What an expression that a word became matches, whatever the case. */
function unescaped(expression: string): string {
  return expression.replace(/^\(\?i\)/, '').replace(/\\(.)/gs, '$1')
}

function wordOf({ label, operator, value }: TextMatcher): string {
  const field = label === levelLabel ? 'level' : label
  const text = /^[\p{L}\p{N}_.:/@#%&+-]+$/u.test(value) ? value : quoted(value)
  return `${operator === '!=' ? '-' : ''}${field}:${text}`
}

/** The word with the white space before it. */
function formOf(condition: TextMatcher): RegExp {
  return new RegExp(`(?:^|\\s+)${literal(wordOf(condition)).replaceAll('/', '\\/')}(?=\\s|$)`, 'u')
}

/** The matcher that the word is read as; undefined where it is read as anything else. */
function meaningOf(condition: TextMatcher): Matcher | undefined {
  const isPlain = condition.operator === '=' || condition.operator === '!='
  if (!isPlain || condition.value === '') return undefined
  const [only, ...others] = matchersOf(wordOf(condition))
  return others.length === 0 && only?.label === condition.label ? only : undefined
}

function matchersOf(words: string): readonly Matcher[] {
  const read = readText(words)
  return read?.isWords && read.query.kind === 'selector' ? read.query.matchers : []
}

function alternativesOf(words: string): number {
  const { query } = readText(words) ?? {}
  return query?.kind === 'selector' ? (query.alternatives?.length ?? 0) : 0
}
