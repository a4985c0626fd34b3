/**
 * From the text of a query to its tree. The page reads queries while they are typed, too: therefore nothing
 * here needs the engine for expressions, which is larger than the page.
 */

import P from 'parsimmon'
import { limits } from '../limits.ts'
import type { Query } from './ast.ts'
import { QueryFault } from './fault.ts'
import { expression } from './grammar-expressions.ts'
import { selector } from './grammar-selectors.ts'
import { type FoundSelector, type Meaning, type PatternRefusal, Reading } from './reading.ts'
import { loneSurrogate } from './strings.ts'
import { syntaxFault } from './syntax-fault.ts'
import type { Variables } from './variables.ts'

const bareSelector: P.Parser<Meaning<Query>> = selector.map(({ offset, meaning }) => reading => {
  const selector = meaning(reading)
  reading.takeSelector({ selector, offset, offsetMs: 0 })
  return selector
})

const query = P.optWhitespace.then(P.alt<Meaning<Query>>(bareSelector, expression))

/** A query, and the selectors in it in their order. */
export interface ReadQuery {
  readonly query: Query
  readonly selectors: readonly FoundSelector[]
}

/**
 * Reads a query by the grammar of `grammar.ts`.
 * @param refusalOf Why an expression cannot be taken; undefined when it can.
 * @throws QueryFault for whatever is wrong with the query.
 */
export function readQuery(
  text: string,
  variables: Variables,
  refusalOf: PatternRefusal,
): ReadQuery {
  checkText(text)
  // The line feed, as white space, changes nothing. Without it a query of `__proto__` would have
  // Parsimmon write to Object.prototype: it keeps positions in an object under the input's text.
  const result = query.parse(`${text}\n`)
  if (!result.status) {
    throw syntaxFault(text, Math.min(result.index.offset, text.trimEnd().length), result.expected)
  }
  const reading = new Reading(variables, refusalOf)
  return { query: result.value(reading), selectors: reading.selectors }
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
