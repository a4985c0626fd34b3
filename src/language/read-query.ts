/**
 * From the text of a query to its tree. The page reads queries while they are typed, too: therefore nothing
 * here needs the engine for expressions, which is larger than the page.
 */

import P from 'parsimmon'
import { limits } from '../limits.ts'
import type { Query, Selector } from './ast.ts'
import { withoutComments } from './comments.ts'
import { QueryFault } from './fault.ts'
import { expression } from './grammar-expressions.ts'
import { type SelectorText, selector } from './grammar-selectors.ts'
import { beginsInLanguage, words } from './grammar-words.ts'
import { type FoundSelector, type Meaning, type PatternRefusal, Reading } from './reading.ts'
import { loneSurrogate } from './strings.ts'
import { syntaxFault } from './syntax-fault.ts'
import type { Variables } from './variables.ts'

/** Takes the selector that is the whole query. */
const taking =
  (selector: SelectorText): Meaning<Selector> =>
  reading => {
    const placed = selector(reading)
    reading.takeSelector({ ...placed, offsetMs: 0 })
    return placed.selector
  }

const query = P.optWhitespace.then(P.alt<Meaning<Query>>(selector.map(taking), expression))

/** A query, and the selectors in it in their order. */
export interface ReadQuery {
  readonly query: Query
  /** Whether it is written as words; `printQuery` says which query they became. */
  readonly isWords: boolean
  readonly selectors: readonly FoundSelector[]
}

/**
 * Reads a query by the grammar of `grammar.ts`.
 * @param form Whether a query may be of words only, too.
 * @param refusalOf Why an expression cannot be taken; undefined when it can.
 * @throws QueryFault for whatever is wrong with the query.
 */
export function readQuery(
  text: string,
  variables: Variables,
  refusalOf: PatternRefusal,
  form: 'words too' | 'no words' = 'words too',
): ReadQuery {
  checkText(text)
  // The line feed behind it, as white space, changes nothing. Without it a query of `__proto__` would
  // have Parsimmon write to Object.prototype: it keeps positions in an object under the input's text.
  const reading = new Reading(variables, refusalOf)
  const mayBeWords = form === 'words too' && !beginsInLanguage(text)
  const asWords = mayBeWords ? words.parse(`${text}\n`) : undefined
  if (asWords?.status) {
    const query = taking(asWords.value)(reading)
    return { query, isWords: true, selectors: reading.selectors }
  }
  // Words may have a number sign in them; in the language it begins a comment.
  const code = withoutComments(text)
  const result = query.parse(`${code}\n`)
  if (!result.status) {
    throw syntaxFault(code, Math.min(result.index.offset, code.trimEnd().length), result.expected)
  }
  return { query: result.value(reading), isWords: false, selectors: reading.selectors }
}

function checkText(text: string): void {
  if (text.length > limits.queryLengthMax) {
    const offset = limits.queryLengthMax
    throw new QueryFault('query_too_large', offset, `the query is longer than ${offset} characters`)
  }
  if (!text.isWellFormed()) {
    const offset = text.search(/\p{Surrogate}/u)
    throw loneSurrogate(offset, text[offset]!)
  }
}
