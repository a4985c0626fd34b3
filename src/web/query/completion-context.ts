/**
 * What could be completed at a place in a query: which kind of word, how far it is typed, what it
 * replaces.
 */

import { CaretWords, plainContext } from './caret-words.ts'
import { isLabel, matcherCompletion, opensItem } from './condition-completion.ts'
import { mistakeIn } from './mistake.ts'
import { stageCompletion } from './stage-completion.ts'
import { beginsSelector, recordsBefore, recordsBehind } from './staged-records.ts'
import { unquoted } from './strings.ts'
import { isGrouping, type Token, tokensOf } from './tokens.ts'

export type CompletionKind =
  | 'start'
  | 'label'
  | 'operator'
  | 'value'
  | 'filter'
  | 'stage'
  | 'joint'
  | 'text'

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
  /** For a label or its operator: whether it stands in a condition behind a pipe. */
  readonly isCondition?: boolean
  /** For what stands in or behind a condition: words of conditions that may stand there, too. */
  readonly joints?: readonly string[]
  /** For a label or a value: the records that are meant, as a query, where stages make labels. */
  readonly records?: string
  /** For a text to search for: what must be written around it. */
  readonly form?: 'query' | 'filter' | 'string'
}

/** Undefined where nothing is to be completed, such as behind a finished query. */
export function completionAt(query: string, caret: number): CompletionContext | undefined {
  const at = new CaretWords(query, caret)
  const { words, current, previous } = at
  const place = placeOf(words)
  if (place === 'closed') return undefined
  if (place === 'grouping') {
    const isTyped = isLabel(current)
    if (!isTyped && !opensItem(current ?? previous)) return undefined
    return { ...at.context('label', isTyped ? current : undefined), ...recordsBehind(at) }
  }
  if (place === 'braces') return matcherCompletion(at)
  const unwrap = current === undefined ? previous : words.at(-2)
  if (unwrap?.text === 'unwrap' && (current === undefined || isLabel(current))) {
    return { ...at.context('label', current), ...recordsBefore(at, unwrap.start) }
  }
  if (words.at(-1)?.isStaged) return stageCompletion(at)
  if (current?.kind === 'operator' && /^[|!]/.test(current.text) && canFilter(previous)) {
    return at.context('filter', current)
  }
  if (current === undefined && canFilter(previous)) return at.context('filter', undefined)
  const isWord = current !== undefined && ['other', 'keyword', 'operation'].includes(current.kind)
  if (isWord && canJoin(previous)) return at.context('joint', current)
  if (isWord && canBegin(previous)) return at.context('start', current)
  const opener = current ?? previous
  return opener === undefined || (canBegin(opener) && opener.kind !== 'other')
    ? at.context('start', undefined)
    : undefined
}

/**
 * Words at the end of what is typed that are no part of a query, but may be what somebody looks for: the
 * whole text, or what stands behind a selector. Undefined where there are none.
 */
export function phraseAt(query: string, caret: number): CompletionContext | undefined {
  const before = query.slice(0, caret)
  const mistake = mistakeIn(before)
  if (mistake === undefined || query.slice(caret).trim() !== '') return undefined
  const words = tokensOf(before).filter(({ kind }) => kind !== 'space')
  const first = words[0]?.start ?? caret
  const here = (from: number, form: CompletionContext['form'] & string): CompletionContext => {
    const text = before.slice(from).trim()
    const typed = /^["'`]/.test(text) ? unquoted(text) : text
    return { kind: 'text', from, to: query.length, typed, form, ...plainContext }
  }
  if (mistake.offset <= first || !words.some(beginsSelector)) {
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

const isFilterOperator = ({ text }: Token) => ['|=', '!=', '|~', '!~', '|>', '!>'].includes(text)

function placeOf(words: readonly Token[]): 'query' | 'braces' | 'grouping' | 'closed' {
  const opener = words.findLastIndex(({ kind, isStaged }) => kind === 'bracket' && !isStaged)
  const bracket = words[opener]?.text
  if (bracket === '{') return 'braces'
  if (bracket !== '(') return 'query'
  const before = words[opener - 1]
  if (isGrouping(before)) return 'grouping'
  return before?.text === 'vector' ? 'closed' : 'query' // A number, of which nothing is offered.
}

/** A line filter may follow `logs`, `}`, or another filter's string. */
function canFilter(token: Token | undefined): boolean {
  return token?.text === 'logs' || token?.text === '}' || token?.kind === 'string'
}

/** A word between selectors or series may follow. */
function canJoin(token: Token | undefined): boolean {
  return canFilter(token) || token?.text === ')' || token?.kind === 'number'
}

/** An operand may begin at the beginning, behind `(`, a comma, or an operator. */
function canBegin(token: Token | undefined): boolean {
  if (token === undefined) return true
  const isOperator = token.kind === 'operator' && token.text !== '|'
  return token.text === '(' || token.kind === 'comma' || isOperator
}
