/** The selectors in a query: what leads from figures to the records behind them. */

import { withMatcher } from './edit.ts'
import { type Token, tokensOf } from './tokens.ts'

/** The selectors in a query, each with its filters of lines: what the log viewer can show. */
export function selectorsOf(query: string): readonly string[] {
  return [...new Set(found(query).map(({ text }) => text))]
}

/**
 * The query for the records that one group of a query's answer was made of: its first selector, narrowed to
 * the group's labels. Undefined when all selectors are about another time (`offset`), or there is none.
 */
export function recordsBehind(
  query: string,
  labels: Readonly<Record<string, string>>,
): string | undefined {
  const selector = found(query).find(({ isShifted }) => !isShifted)?.text
  if (selector === undefined) return undefined
  return Object.entries(labels).reduce((narrowed, [label, value]) => {
    return withMatcher(narrowed, { label, operator: '=', value })
  }, selector)
}

interface FoundSelector {
  readonly text: string
  /** Its records are of an earlier time than the one that is asked about. */
  readonly isShifted: boolean
}

function found(query: string): readonly FoundSelector[] {
  const tokens = tokensOf(query)
  return tokens.flatMap(({ kind, text, start }, index) => {
    if (kind !== 'keyword' || text !== 'logs') return []
    const end = afterFilters(tokens, afterBraces(tokens, index))
    const isShifted = tokens.slice(end).find(isShiftOrEnd)?.text === 'offset'
    return [{ text: query.slice(start, tokens[end]!.end), isShifted }]
  })
}

/** Behind a selector: its offset, or the bracket that closes the aggregate around it. */
function isShiftOrEnd({ kind, text }: Token): boolean {
  return (kind === 'keyword' && text === 'offset') || (kind === 'bracket' && text === ')')
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
