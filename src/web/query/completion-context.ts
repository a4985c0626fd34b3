/**
 * What could be completed at a place in a query: which kind of word, how far it is typed, what it
 * replaces.
 */

import type { CheckQuery } from './mistake.ts'
import { unquoted } from './strings.ts'
import { isGrouping, type Token, tokensOf } from './tokens.ts'

export type CompletionKind = 'start' | 'label' | 'operator' | 'value' | 'filter' | 'text'

export interface CompletionContext {
  readonly kind: CompletionKind
  /** The part of the query that a completion replaces. */
  readonly from: number
  readonly to: number
  /** What of it stands before the caret, without quotes and escapes. */
  readonly typed: string
  /** For a value: the label whose value it is. */
  readonly label: string
  /** For a value: whether it stands in quotes that are closed. */
  readonly isClosed: boolean
  /** For a value or a text: whether it stands where an expression must. */
  readonly isPattern: boolean
  /** For a text to search for: what must be written around it. */
  readonly form?: 'query' | 'filter' | 'string'
}

const plain = { label: '', isClosed: false, isPattern: false } as const

/** Undefined where nothing is to be completed, such as behind a finished query. */
export function completionAt(query: string, caret: number): CompletionContext | undefined {
  const before = tokensOf(query.slice(0, caret))
  const all = tokensOf(query)
  const last = before.at(-1)
  const isTyping = last !== undefined && last.kind !== 'space'
  const words = before.filter(({ kind }) => kind !== 'space')
  const current = isTyping ? words.at(-1) : undefined
  const previous = words.at(current === undefined ? -1 : -2)
  const place = placeOf(words)

  const here = (kind: CompletionKind, token: Token | undefined, typed: string) => {
    const whole = token && all.find(({ start }) => start === token.start)
    const to = Math.max(caret, whole?.end ?? caret)
    return { kind, from: token?.start ?? caret, to, typed, ...plain }
  }
  /** @param at Of the operator, among the words from their end. */
  const value = (token: Token | undefined, at: number): CompletionContext => {
    const [operator, label] = [words.at(at), words.at(at - 1)]
    const whole = token && all.find(({ start }) => start === token.start)
    const isClosed =
      token?.kind === 'string' &&
      whole !== undefined &&
      whole.end > caret &&
      closes(token, query, caret)
    const isString = token?.kind === 'string'
    const context = here('value', token, isString ? unquoted(token.text) : (token?.text ?? ''))
    const isPattern = operator?.text.endsWith('~') === true
    // An open string reaches to the end of the query: only what is typed is replaced.
    const to = isClosed || !isString ? context.to : caret
    return { ...context, to, label: nameOf(label), isClosed, isPattern }
  }

  if (place === 'closed') return undefined
  if (place === 'grouping') {
    return isLabel(current)
      ? here('label', current, nameOf(current))
      : opensItem(current ?? previous)
        ? here('label', undefined, '')
        : undefined
  }
  if (place === 'braces') {
    if (current?.kind === 'string' && previous?.kind === 'operator') {
      return isOpenAt(current) ? value(current, -2) : undefined
    }
    if (current?.kind === 'string') {
      if (!isOpenAt(current) || !opensItem(previous)) return undefined
      const { from, to, typed } = value(current, -2)
      return { kind: 'label', from, to, typed, ...plain }
    }
    if (current?.kind === 'operator') {
      return isMatchOperator(current)
        ? value(undefined, -1)
        : here('operator', current, current.text)
    }
    if (current === undefined && isMatchOperator(previous)) return value(undefined, -1)
    // A value whose quotes were forgotten.
    if (isLabel(current) && isMatchOperator(previous)) return value(current, -2)
    if (isLabel(current)) return here('label', current, nameOf(current))
    if (opensItem(current ?? previous)) return here('label', undefined, '')
    return current === undefined && isLabel(previous) ? here('operator', undefined, '') : undefined
  }
  if (current?.kind === 'label') return here('label', current, current.text) // unwrap
  if (current === undefined && previous?.text === 'unwrap') return here('label', undefined, '')
  if (current?.kind === 'operator' && /^[|!]/.test(current.text) && canFilter(previous)) {
    return here('filter', current, current.text)
  }
  if (current === undefined && canFilter(previous)) return here('filter', undefined, '')
  const isWord = current !== undefined && ['other', 'keyword', 'operation'].includes(current.kind)
  if (isWord && canBegin(previous)) return here('start', current, current.text)
  const opener = current ?? previous
  return opener === undefined || (canBegin(opener) && opener.kind !== 'other')
    ? here('start', undefined, '')
    : undefined
}

/**
 * Words at the end of what is typed that are no part of a query, but may be what somebody looks for: the
 * whole text, or what stands behind a selector. Undefined where there are none.
 */
export function phraseAt(
  query: string,
  caret: number,
  check: CheckQuery,
): CompletionContext | undefined {
  const before = query.slice(0, caret)
  const mistake = check(before)
  if (mistake === undefined || query.slice(caret).trim() !== '') return undefined
  const words = tokensOf(before).filter(({ kind }) => kind !== 'space')
  const first = words[0]?.start ?? caret
  const here = (from: number, form: CompletionContext['form'] & string): CompletionContext => {
    const text = before.slice(from).trim()
    const typed = /^["'`]/.test(text) ? unquoted(text) : text
    return { kind: 'text', from, to: query.length, typed, form, ...plain }
  }
  if (mistake.offset <= first || !words.some(isLogs)) {
    return mistake.isUnfinished || first === caret ? undefined : here(first, 'query')
  }
  const stopped = before.slice(mistake.offset)
  const last = words.findLast(({ end }) => end <= mistake.offset)
  if (placeOf(words) !== 'query' || !/^[\p{L}\p{N}"'`]/u.test(stopped)) return undefined
  if (last?.kind === 'operator' && isFilterOperator(last)) {
    return { ...here(mistake.offset, 'string'), isPattern: last.text.endsWith('~') }
  }
  return canFilter(last) ? here(mistake.offset, 'filter') : undefined
}

const isLogs = ({ kind, text }: Token) => kind === 'keyword' && text === 'logs'
const isFilterOperator = ({ text }: Token) => ['|=', '!=', '|~', '!~'].includes(text)

function placeOf(words: readonly Token[]): 'query' | 'braces' | 'grouping' | 'closed' {
  const opener = words.findLastIndex(({ kind }) => kind === 'bracket')
  const bracket = words[opener]?.text
  if (bracket === '{') return 'braces'
  if (bracket !== '(') return 'query'
  const before = words[opener - 1]
  if (isGrouping(before)) return 'grouping'
  // A number, or a filter by labels, of which nothing is offered.
  return before?.text === 'vector' || before?.text === '|' ? 'closed' : 'query'
}

const isLabel = (token: Token | undefined) => token?.kind === 'label'
const opensItem = (token: Token | undefined) => token?.kind === 'comma' || token?.kind === 'bracket'
const isMatchOperator = (token: Token | undefined) =>
  token?.kind === 'operator' && ['=', '!=', '=~', '!~'].includes(token.text)

/** Whether a string is not closed yet where it stops. */
function isOpenAt({ text }: Token): boolean {
  return text.length === 1 || text.at(-1) !== text[0] || /(^|[^\\])(\\\\)*\\.$/s.test(text)
}

/**
 * Whether the string that is being typed has its closing quote already. When somebody just began a string
 * in front of others, the next quote opens one of those: then an even number follows.
 */
function closes({ text }: Token, query: string, caret: number): boolean {
  const quote = text[0]
  let count = 0
  for (let i = caret; i < query.length; i++) {
    if (query[i] === '\\' && quote !== '`') i++
    else if (query[i] === quote) count++
  }
  return count % 2 === 1
}

/** A line filter may follow `logs`, `}`, or another filter's string. */
function canFilter(token: Token | undefined): boolean {
  return token?.text === 'logs' || token?.text === '}' || token?.kind === 'string'
}

/** An operand may begin at the beginning, behind `(`, a comma, or an operator. */
function canBegin(token: Token | undefined): boolean {
  if (token === undefined) return true
  const isOperator = token.kind === 'operator' && token.text !== '|'
  return token.text === '(' || token.kind === 'comma' || isOperator
}

function nameOf(token: Token | undefined): string {
  if (token === undefined) return ''
  return token.kind === 'string' ? unquoted(token.text) : token.text
}
