/**
 * What a selector asks of records: matchers of labels in its braces, line filters and searches behind
 * them. What all of them may hold together, `Reading` knows.
 */

import P from 'parsimmon'
import type { FilterOperator, MatchOperator } from '../match/condition.ts'
import { anyText } from '../match/line-shape.ts'
import type { ComparisonOperator, LineFilter, Matcher, Search } from './ast.ts'
import { QueryFault, shortened } from './fault.ts'
import {
  address,
  addressesIn,
  here,
  keyword,
  label,
  listOf,
  operator,
  orderOperator,
  type Placed,
  placed,
  quantity,
  string,
  symbol,
  token,
  variable,
} from './grammar-tokens.ts'
import type { Leaf, Meaning } from './reading.ts'

type Asked = (label: Leaf) => Meaning<Matcher>

const matches =
  (operator: MatchOperator, string: Leaf): Asked =>
  label =>
  reading => ({
    label: reading.text(label),
    ...reading.match(operator, string),
  })

const compares =
  (operator: ComparisonOperator, number: Leaf): Asked =>
  label =>
  reading => {
    reading.take('terms', label.offset)
    return { label: reading.text(label), operator, ...reading.quantity(number) }
  }

const isAmong =
  (operator: 'in' | 'not in', values: readonly Leaf[]): Asked =>
  label =>
  reading => ({
    label: reading.text(label),
    operator,
    values: values.flatMap(value => reading.terms(value)),
  })

const aString = string.map(leaf => ({ leaf, isText: true }))
const aNumber = quantity.desc('a string').map(leaf => ({ leaf, isText: false }))

/** Of a text in quotes, or of a number without. */
const equality: P.Parser<Asked> = P.seqMap(
  P.alt(operator('='), operator('!=')),
  P.alt(aString, aNumber),
  (written, { leaf, isText }) =>
    isText ? matches(written, leaf) : compares(written === '=' ? '==' : '!=', leaf),
)

const match: P.Parser<Asked> = P.seqMap(P.alt(operator('=~'), operator('!~')), string, matches)

const order: P.Parser<Asked> = P.seqMap(
  orderOperator.desc('a comparison'),
  P.alt(quantity, token(variable).desc('a number')),
  compares,
)

const values = listOf(string).wrap(symbol('('), symbol(')'))

const membership: P.Parser<Asked> = P.seqMap(
  P.alt(
    keyword('in'),
    keyword('not')
      .then(keyword('in'))
      .result('not in' as const),
  ).desc('"in"'),
  values,
  isAmong,
)

const matcher: P.Parser<Meaning<Matcher>> = P.seqMap(
  label,
  P.alt(equality, match, order, membership),
  (label, asked) => asked(label),
)

export const matchers: P.Parser<Placed<Meaning<Matcher>>[]> = listOf(placed(matcher)).fallback([])

const filterOperator: P.Parser<FilterOperator> = P.alt(
  operator('|='),
  operator('!='),
  operator('|~'),
  operator('!~'),
  // Described as others are: a list of expected words is long enough.
  operator('|>').desc('"|~"'),
  operator('!>').desc('"!~"'),
)

/** A pattern of lines, in which nothing is captured. */
function shapeOf(leaf: Leaf): Meaning<string> {
  return reading => {
    const text = reading.term(leaf, false)
    const named = /<(?!_>)[A-Za-z_][A-Za-z0-9_]*>/.exec(text)?.[0]
    const twice = text.includes(`${anyText}${anyText}`)
    if (named === undefined && !twice) return text
    const expected = named === undefined ? 'a text between two <_>' : 'a pattern with <_> only'
    const found = named ?? `${anyText}${anyText}`
    const what = `expected ${expected} but found "${shortened(found)}" in the string`
    throw new QueryFault('query_syntax', leaf.offset, what, {
      members: { expected: [expected], found },
      ...(named && { remedy: `to read a label out of the line: | pattern "${shortened(text)}"` }),
    })
  }
}

/** `|= ip("10.0.0.0/8")`, alone: LogQL has no `or` behind it either. */
const addressFilter: P.Parser<Meaning<LineFilter>> = P.seqMap(
  filterOperator,
  here,
  address,
  (operator, offset, leaf) => reading => {
    if (operator === '|=' || operator === '!=') {
      return { operator, text: addressesIn(leaf)(reading), isAddress: true }
    }
    const what = `ip(…) goes with |= and != and not with ${operator}: it stands`
    const members = { expected: ['a string'], found: 'ip' }
    throw new QueryFault('query_syntax', offset, what, { members })
  },
)

const textFilter: P.Parser<Meaning<LineFilter>> = P.seqMap(
  filterOperator,
  string,
  keyword('or').then(string).many(),
  (operator, string, others) => reading => {
    const isShape = operator === '|>' || operator === '!>'
    const textOf = (leaf: Leaf) =>
      isShape ? shapeOf(leaf)(reading) : reading.term(leaf, operator === '|~' || operator === '!~')
    const text = textOf(string)
    if (others.length === 0) return { operator, text }
    return { operator, text, others: others.map(textOf) }
  },
)

export const lineFilter = P.alt(textFilter, addressFilter)

/** The beginning of a search, and not of a stage that asks a label called `search`. */
const beginningOfSearch = token(P.regexp(/\|\s*search(?=\s*(?:-\s*)?["'`$])/)).desc('a stage')

const searched: P.Parser<Meaning<Search>> = P.seqMap(
  token(P.string('-')).result(true).fallback(false),
  string,
  (isNegated, text) => reading => ({ text: reading.term(text, false), isNegated }),
)

/** Texts that stand anywhere in a record, or nowhere: `| search "timed out" -"retry"`. */
export const search: P.Parser<readonly Meaning<Search>[]> = beginningOfSearch.then(
  searched.atLeast(1),
)
