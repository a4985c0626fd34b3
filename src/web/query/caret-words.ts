/** The words of a query around the caret, and what a completion there would replace. */

import type { CompletionContext, CompletionKind } from './completion-context.ts'
import { unquoted } from './strings.ts'
import { type Token, tokensOf } from './tokens.ts'

export const plainContext = { label: '', isClosed: false, isPattern: false } as const

export class CaretWords {
  readonly query: string
  readonly caret: number
  /** Of the whole query, with white space. */
  readonly all: readonly Token[]
  /** In front of the caret, where the last may be cut. */
  readonly words: readonly Token[]
  /** The word that is being typed, and the one before it. */
  readonly current: Token | undefined
  readonly previous: Token | undefined

  constructor(query: string, caret: number) {
    const before = tokensOf(query.slice(0, caret))
    this.query = query
    this.caret = caret
    this.all = tokensOf(query)
    this.words = before.filter(({ kind }) => kind !== 'space')
    const last = before.at(-1)
    const isTyping = last !== undefined && last.kind !== 'space'
    this.current = isTyping ? this.words.at(-1) : undefined
    this.previous = this.words.at(isTyping ? -2 : -1)
  }

  /** @param token What is replaced; undefined: something new is written at the caret. */
  context(
    kind: CompletionKind,
    token: Token | undefined,
    typed = nameOf(token),
  ): CompletionContext {
    const to = Math.max(this.caret, this.#whole(token)?.end ?? this.caret)
    return { kind, from: token?.start ?? this.caret, to, typed, ...plainContext }
  }

  /** A value, behind its label and operator. */
  value(token: Token | undefined): CompletionContext {
    const at = token === undefined ? -1 : -2
    const [operator, label] = [this.words.at(at), this.words.at(at - 1)]
    const whole = this.#whole(token)
    const isString = token?.kind === 'string'
    const isClosed =
      isString && whole !== undefined && whole.end > this.caret && this.#closes(token)
    const context = this.context('value', token)
    const isPattern = operator?.text.endsWith('~') === true
    // An open string reaches to the end of the query: only what is typed is replaced.
    const to = isClosed || !isString ? context.to : this.caret
    return { ...context, to, label: nameOf(label), isClosed, isPattern }
  }

  #whole(token: Token | undefined): Token | undefined {
    return token && this.all.find(({ start }) => start === token.start)
  }

  /**
   * Whether the string that is being typed has its closing quote already. When somebody just began a string
   * in front of others, the next quote opens one of those: then an even number follows.
   */
  #closes({ text }: Token): boolean {
    const { query } = this
    const quote = text[0]
    let count = 0
    for (let i = this.caret; i < query.length; i++) {
      if (query[i] === '\\' && quote !== '`') i++
      else if (query[i] === quote) count++
    }
    return count % 2 === 1
  }
}

/** Whether a string is not closed yet where it stops. */
export function isOpenAt({ text }: Token): boolean {
  return text.length === 1 || text.at(-1) !== text[0] || /(^|[^\\])(\\\\)*\\.$/s.test(text)
}

function nameOf(token: Token | undefined): string {
  if (token === undefined) return ''
  return token.kind === 'string' ? unquoted(token.text) : token.text
}
