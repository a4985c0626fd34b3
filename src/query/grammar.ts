/**
 * The query language: from text to the tree of `ast.ts`.
 *
 *     query      = aggregate | selector
 *     aggregate  = op [grouping] "(" selector ")" | op "(" selector ")" [grouping]
 *     grouping   = "by" "(" label { "," label } [","] ")"
 *     selector   = "logs" [ "{" [ matcher { "," matcher } [","] ] "}" ] { lineFilter }
 *     matcher    = label ( "=" | "!=" | "=~" | "!~" ) string
 *     lineFilter = ( "|=" | "!=" | "|~" | "!~" ) string
 *
 * White space may stand between any two tokens. No word is reserved: what a word means follows from
 * where it stands, so that a label may be called `by`, `count` or `logs`. Every branch is decided by
 * its first token; nothing is parsed twice, and the time is proportional to the text.
 */

import P from 'parsimmon'
import { limits } from '../limits.ts'
import type { FilterOperator, LineFilter, Matcher, MatchOperator, Query, Selector } from './ast.ts'
import { QueryFault } from './fault.ts'
import { patternRefusal } from './pattern.ts'
import { patternCost } from './pattern-cost.ts'
import { type Located, loneSurrogate, quoted } from './strings.ts'
import { syntaxFault } from './syntax-fault.ts'

/**
 * Parses a query.
 * @throws ProblemError `query_syntax`, `query_regex` or `query_too_large`, always with the position.
 *   `query_syntax` also has the members `expected`, what could have stood there, most likely first,
 *   and `found`, the token that did.
 */
export function parseQuery(text: string): Query {
  try {
    checkText(text)
    // The line feed, as white space, changes nothing. Without it a query of `__proto__` would have
    // Parsimmon write to Object.prototype: it keeps positions in an object under the input's text.
    const result = query.parse(`${text}\n`)
    if (result.status) {
      return result.value
    }
    throw syntaxFault(text, Math.min(result.index.offset, text.trimEnd().length), result.expected)
  } catch (error) {
    throw error instanceof QueryFault ? error.toProblem(text) : error
  }
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

// Tokens. Each takes the white space behind it, so that errors point at the next token.

const token = <T>(parser: P.Parser<T>): P.Parser<T> => parser.skip(P.optWhitespace)

const symbol = (text: string) => token(P.string(text)).desc(`"${text}"`)

const keyword = <T extends string>(word: T): P.Parser<T> =>
  token(P.regexp(new RegExp(`${word}(?![\\p{L}\\p{M}\\p{N}_])`, 'u')))
    .desc(`"${word}"`)
    .result(word)

/** Not the beginning of a longer operator: `==` is reported as such, not as a stray `=`. */
const operator = <T extends string>(text: T): P.Parser<T> =>
  token(P.regexp(new RegExp(`${text.replace('|', '\\|')}(?![=~])`)))
    .desc(`"${text}"`)
    .result(text)

const string = token(quoted).desc('a string')

/** Where the next token begins. Not `P.index`, which would look for the line and the column too. */
const here: P.Parser<number> = P((_, offset) => P.makeSuccess(offset, offset))

const bareLabel: P.Parser<Located> = P.seqMap(
  here,
  P.regexp(/[\p{L}\p{M}\p{N}_.:/-]+/u),
  (offset, value) => ({ value, offset }),
)

const label = token(P.alt(bareLabel, quoted)).desc('a label')

/** One item or more, with commas between them, and one more at the end if you like. */
const listOf = <T>(item: P.Parser<T>): P.Parser<T[]> =>
  item.sepBy1(symbol(',')).skip(symbol(',').atMost(1))

// Selectors.

/** A matcher or a line filter, and the string that it tests with, for errors about the string. */
interface Term<T> {
  readonly term: T
  readonly isPattern: boolean
  readonly string: Located
}

const matchOperator: P.Parser<MatchOperator> = P.alt(
  operator('='),
  operator('!='),
  operator('=~'),
  operator('!~'),
)

const matcher: P.Parser<Term<Matcher>> = P.seqMap(
  label,
  matchOperator,
  string,
  (label, operator, string) => ({
    term: { label: label.value, operator, value: string.value },
    isPattern: operator === '=~' || operator === '!~',
    string,
  }),
)

const filterOperator: P.Parser<FilterOperator> = P.alt(
  operator('|='),
  operator('!='),
  operator('|~'),
  operator('!~'),
)

const lineFilter: P.Parser<Term<LineFilter>> = P.seqMap(
  filterOperator,
  string,
  (operator, string) => ({
    term: { operator, text: string.value },
    isPattern: operator === '|~' || operator === '!~',
    string,
  }),
)

const matchers = listOf(matcher).fallback([]).wrap(symbol('{'), symbol('}'))

const selector: P.Parser<Selector> = P.seqMap(
  keyword('logs'),
  matchers.fallback([]),
  lineFilter.many(),
  (_, matchers, filters) => {
    checkTerms([...matchers, ...filters])
    return {
      kind: 'selector',
      matchers: matchers.map(({ term }) => term),
      filters: filters.map(({ term }) => term),
    }
  },
)

function checkTerms(terms: readonly Term<unknown>[]): void {
  const tooLarge = (offset: number, what: string) => new QueryFault('query_too_large', offset, what)

  const { queryTermsMax, queryPatternsMax, queryPatternCostMax } = limits
  if (terms.length > queryTermsMax) {
    const what = `more than ${queryTermsMax} matchers and line filters`
    throw tooLarge(terms[queryTermsMax]!.string.offset, what)
  }
  const patterns = terms.filter(({ isPattern }) => isPattern)
  if (patterns.length > queryPatternsMax) {
    const what = `more than ${queryPatternsMax} regular expressions`
    throw tooLarge(patterns[queryPatternsMax]!.string.offset, what)
  }
  let cost = 0
  for (const { string } of patterns) {
    const refusal = patternRefusal(string.value)
    if (refusal !== undefined) {
      throw new QueryFault('query_regex', string.offset, `${refusal}, in the string`)
    }
    cost += patternCost(string.value)
    if (cost > queryPatternCostMax) {
      const what = `regular expressions of more than ${queryPatternCostMax} instructions in all`
      throw tooLarge(string.offset, what)
    }
  }
}

// Aggregates.

const grouping: P.Parser<string[]> = keyword('by')
  .then(listOf(label).wrap(symbol('('), symbol(')')))
  .map(labels => {
    const superfluous = labels[limits.queryGroupLabelsMax]
    if (superfluous !== undefined) {
      const what = `more than ${limits.queryGroupLabelsMax} labels to group by`
      throw new QueryFault('query_too_large', superfluous.offset, what)
    }
    // A label that stands twice groups no further.
    return [...new Set(labels.map(({ value }) => value))]
  })

const argument = selector.wrap(symbol('('), symbol(')'))

const operation = keyword('count')

const aggregate: P.Parser<Query> = P.seqMap(
  operation,
  P.alt(
    P.seqMap(grouping, argument, (by, selector) => ({ by, selector })),
    P.seqMap(argument, grouping.fallback([]), (selector, by) => ({ by, selector })),
  ),
  (operation, { by, selector }) => ({ kind: 'aggregate', operation, by, selector }),
)

const query: P.Parser<Query> = P.optWhitespace.then(P.alt<Query>(selector, aggregate))
