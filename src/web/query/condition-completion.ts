/** Completion inside a matcher in braces, and of a condition behind a pipe: label, operator, value. */

import { type CaretWords, isOpenAt, plainContext } from './caret-words.ts'
import type { CompletionContext } from './completion-context.ts'
import type { Token } from './tokens.ts'

export const isLabel = (token: Token | undefined) => token?.kind === 'label'
export const opensItem = (token: Token | undefined) =>
  token?.kind === 'comma' || token?.kind === 'bracket'
const isMatchOperator = (token: Token | undefined) =>
  token?.kind === 'operator' && ['=', '!=', '=~', '!~'].includes(token.text)

/** @param opens Whether a label may follow the word. */
export function matcherCompletion(
  at: CaretWords,
  opens: (token: Token | undefined) => boolean = opensItem,
): CompletionContext | undefined {
  const { current, previous } = at
  if (current?.kind === 'string') {
    if (!isOpenAt(current)) return undefined
    if (previous?.kind === 'operator') return at.value(current)
    if (!opens(previous)) return undefined
    const { from, to, typed } = at.value(current)
    return { kind: 'label', from, to, typed, ...plainContext }
  }
  if (current?.kind === 'operator') {
    return isMatchOperator(current) ? at.value(undefined) : at.context('operator', current)
  }
  if (current === undefined && isMatchOperator(previous)) return at.value(undefined)
  // A value whose quotes were forgotten.
  if (isLabel(current) && isMatchOperator(previous)) return at.value(current)
  if (isLabel(current)) return at.context('label', current)
  if (opens(current ?? previous)) return at.context('label', undefined)
  return current === undefined && isLabel(previous) ? at.context('operator', undefined) : undefined
}
