/**
 * Selectors: `logs{label="value"} |= "text"`, or as in LogQL `{label="value"} |= "text"`. What they may
 * hold in all, `Reading` knows.
 */

import P from 'parsimmon'
import type { FilterOperator, MatchOperator } from '../match/condition.ts'
import type { LineFilter, Matcher, Selector } from './ast.ts'
import { stage } from './grammar-stages.ts'
import { here, keyword, label, listOf, operator, string, symbol } from './grammar-tokens.ts'
import { ownName } from './logql-names.ts'
import type { Meaning } from './reading.ts'
import type { Stage } from './stage.ts'

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
  keyword('or').then(string).many(),
  (operator, string, others) => reading => {
    const textOf = (leaf: typeof string) =>
      reading.term(leaf, operator === '|~' || operator === '!~')
    const text = textOf(string)
    if (others.length === 0) return { operator, text }
    return { operator, text, others: others.map(textOf) }
  },
)

/** A line filter behind a stage, which may have changed the line. */
const laterLineFilter: P.Parser<Meaning<Stage>> = lineFilter.map(filter => reading => ({
  kind: 'line',
  filter: filter(reading),
}))

const matchers = listOf(matcher).fallback([])
const inBraces = matchers.wrap(symbol('{'), symbol('}'))

/** Where a selector begins, and what it means. */
export interface SelectorText {
  readonly offset: number
  readonly meaning: Meaning<Selector>
}

type Beginning = Meaning<Pick<Selector, 'matchers' | 'names'>>

const ofOwnNames: P.Parser<Beginning> = keyword('logs')
  .then(inBraces.fallback([]))
  .map(matchers => reading => ({ matchers: matchers.map(matcher => matcher(reading)) }))

/** Prometheus' clients write the name of the metric so, which is `logs` for all records. */
const isMetricName = ({ label, operator, value }: Matcher) =>
  label === '__name__' && operator === '=' && value === 'logs'

/** Described as the other beginning of a selector: one of them is enough to be told. */
const ofLogqlNames: P.Parser<Beginning> = matchers
  .wrap(symbol('{').desc('"logs"'), symbol('}'))
  .map(matchers => reading => ({
    matchers: matchers
      .map(matcher => matcher(reading))
      .filter(matcher => !isMetricName(matcher))
      .map(matcher => ({ ...matcher, label: ownName(matcher.label) })),
    names: 'logql',
  }))

export const selector: P.Parser<SelectorText> = P.seqMap(
  here,
  P.alt(ofOwnNames, ofLogqlNames),
  lineFilter.many(),
  P.alt(stage, laterLineFilter).many(),
  (offset, beginning, filters, stages) => ({
    offset,
    meaning: reading => ({
      kind: 'selector',
      ...beginning(reading),
      filters: filters.map(filter => filter(reading)),
      ...(stages.length > 0 && { stages: stages.map(one => one(reading)) }),
    }),
  }),
)
