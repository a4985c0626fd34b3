/** Changes to a query's text that clicks make: what people wrote stays as they wrote it. */

import { labelText, quoted } from './strings.ts'
import { type Token, tokensOf } from './tokens.ts'

export interface WrittenMatcher {
  readonly label: string
  readonly operator: '=' | '!=' | '=~' | '!~'
  readonly value: string
}

/**
 * Adds the matcher to every selector of the query, unless it stands there already. The same label's
 * opposite (`=` for `!=`) with the same value is replaced. A query without any selector stays as it is.
 */
export function withMatcher(query: string, matcher: WrittenMatcher): string {
  const text = matcherText(matcher)
  const opposite = matcherText({ ...matcher, operator: opposites[matcher.operator] })
  return changeSelectors(query, matchers => {
    if (matchers.includes(text)) return matchers
    const at = matchers.indexOf(opposite)
    return at < 0 ? [...matchers, text] : matchers.with(at, text)
  })
}

/** Takes the matcher out of every selector that has it. */
export function withoutMatcher(query: string, matcher: WrittenMatcher): string {
  const text = matcherText(matcher)
  return changeSelectors(query, matchers => matchers.filter(one => one !== text))
}

const opposites = { '=': '!=', '!=': '=', '=~': '!~', '!~': '=~' } as const

export function matcherText({ label, operator, value }: WrittenMatcher): string {
  return `${labelText(label)}${operator}${quoted(value)}`
}

/** Rewrites the braces of each selector that `change` changes; without matchers they are left out. */
function changeSelectors(
  query: string,
  change: (matchers: readonly string[]) => readonly string[],
): string {
  const tokens = tokensOf(query)
  let result = ''
  for (let i = 0; i < tokens.length; i++) {
    result += tokens[i]!.text
    if (tokens[i]!.text !== 'logs' || tokens[i]!.kind !== 'keyword') continue
    const open = nextWord(tokens, i + 1)
    const hasBraces = tokens[open]?.text === '{'
    const close = hasBraces ? tokens.findIndex(({ text }, at) => at > open && text === '}') : i
    if (close < 0) continue // Not finished: whoever types it knows better.
    const before = hasBraces ? matchersIn(tokens.slice(open + 1, close)) : []
    const after = change(before)
    if (after === before || after.join() === before.join()) continue
    result += after.length === 0 ? '' : `{${after.join(', ')}}`
    i = close
  }
  return result
}

function nextWord(tokens: readonly Token[], from: number): number {
  return tokens.findIndex(({ kind }, at) => at >= from && kind !== 'space')
}

/** The matchers between braces, each without white space around its operator. */
function matchersIn(tokens: readonly Token[]): readonly string[] {
  const matchers: string[] = []
  let current = ''
  for (const { kind, text } of tokens) {
    if (kind === 'comma') {
      if (current !== '') matchers.push(current)
      current = ''
    } else if (kind !== 'space') {
      current += text
    }
  }
  return current === '' ? matchers : [...matchers, current]
}
