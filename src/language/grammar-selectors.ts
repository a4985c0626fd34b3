/** Selectors: `logs{label="value"} |= "text"`. What they may hold in all, `Reading` knows. */

import P from 'parsimmon'
import type { FilterOperator, MatchOperator } from '../match/condition.ts'
import type { LineFilter, Matcher, Selector } from './ast.ts'
import { here, keyword, label, listOf, operator, string, symbol } from './grammar-tokens.ts'
import type { Meaning } from './reading.ts'

const matchOperator: P.Parser<MatchOperator> = P.alt(
  operator('='),
  operator('!='),
  operator('=~'),
  operator('!~'),
)

const matcher: P.Parser<Meaning<Matcher>> = P.seqMap(
  label,
  matchOperator,
  string,
  (label, operator, string) => reading => ({
    label: reading.text(label),
    operator,
    value: reading.term(string, operator === '=~' || operator === '!~'),
  }),
)

const filterOperator: P.Parser<FilterOperator> = P.alt(
  operator('|='),
  operator('!='),
  operator('|~'),
  operator('!~'),
)

const lineFilter: P.Parser<Meaning<LineFilter>> = P.seqMap(
  filterOperator,
  string,
  (operator, string) => reading => ({
    operator,
    text: reading.term(string, operator === '|~' || operator === '!~'),
  }),
)

const matchers = listOf(matcher).fallback([]).wrap(symbol('{'), symbol('}'))

/** Where a selector begins, and what it means. */
export interface SelectorText {
  readonly offset: number
  readonly meaning: Meaning<Selector>
}

export const selector: P.Parser<SelectorText> = P.seqMap(
  here,
  keyword('logs'),
  matchers.fallback([]),
  lineFilter.many(),
  (offset, _, matchers, filters) => ({
    offset,
    meaning: reading => ({
      kind: 'selector',
      matchers: matchers.map(matcher => matcher(reading)),
      filters: filters.map(filter => filter(reading)),
    }),
  }),
)
