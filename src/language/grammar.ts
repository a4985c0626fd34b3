/**
 * The query language: from text to the tree of `ast.ts`.
 *
 *     query      = selector | expression
 *     expression = { "-" | "+" } primary { infix { "-" | "+" } primary }       (see precedence.ts)
 *     infix      = "+" | "-" | "*" | "/" | "%" | "^" | comparison [ "bool" ]
 *     comparison = "==" | "!=" | "<" | "<=" | ">" | ">="
 *     primary    = number | variable | call | "vector" "(" expression ")" | "(" expression ")"
 *     call       = operation ( [ grouping ] "(" argument ")" | "(" argument ")" grouping )
 *     argument   = selector [ offset ]                                         count rate
 *                | selector range [ offset ]      rate count_over_time bytes_rate bytes_over_time
 *                | selector unwrap { "|" stage } range [ offset ]    sum avg min max _over_time
 *                | number "," selector unwrap { "|" stage } range [ offset ]  quantile_over_time
 *                | selector [ unwrap ] [ offset ]                              sum
 *                | selector unwrap [ offset ]                    avg min max count_distinct
 *                | number "," selector unwrap [ offset ]                       quantile
 *                | expression                      sum avg min max count stddev stdvar
 *                | number "," expression                                       topk bottomk
 *     grouping   = ( "by" | "without" ) "(" label { "," label } [","] ")"
 *     selector   = ( "logs" [ braces ] | braces ) { lineFilter } { "|" stage | lineFilter }
 *     stage      = condition | "unpack" | "decolorize" | ( "keep" | "drop" ) label [ = string ] , …
 *                | ( "json" | "logfmt" { flag } ) [ label [ "=" string ] { "," … } ]
 *                | ( "regexp" | "pattern" | "line_format" ) string
 *                | "label_format" label "=" ( label | string ) { "," … }       (see grammar-stages.ts)
 *     condition  = label ( "=" | "!=" | "=~" | "!~" ) string | label comparison quantity
 *                | "not" condition | "(" condition ")" | condition ( "and" | "," | "or" ) condition
 *     braces     = "{" [ matcher { "," matcher } [","] ] "}"
 *     matcher    = label ( "=" | "!=" | "=~" | "!~" ) string
 *     lineFilter = ( "|=" | "!=" | "|~" | "!~" ) string { "or" string }
 *     range      = "[" duration "]"
 *     unwrap     = "|" "unwrap" label
 *     offset     = "offset" duration
 *
 * A variable, `$name` or `${name}`, stands for a string, a label, a number or a duration; inside
 * strings see `variables.ts`. White space may stand between any two tokens. No word is reserved:
 * what a word means follows from where it stands, so that a label may be called `by`, `count` or
 * `logs`. Every branch is decided by its first token; nothing is parsed twice, and the time is
 * proportional to the text.
 */

import { patternRefusal } from '../match/pattern.ts'
import type { Query, Selector } from './ast.ts'
import { QueryFault } from './fault.ts'
import { printQuery } from './print.ts'
import { readQuery } from './read-query.ts'
import type { FoundSelector } from './reading.ts'
import type { Variables } from './variables.ts'

/**
 * Parses a query.
 * @param variables What `$name` stands for; by default none are given.
 * @throws ProblemError `query_syntax`, `query_regex` or `query_too_large`, always with the position
 *   in `text`. `query_syntax` also has the members `expected`, what could have stood there, most
 *   likely first, and `found`, the token that did.
 */
export function parseQuery(text: string, variables: Variables = {}): Query {
  return withPositions(text, () => readQuery(text, variables, patternRefusal).query)
}

/** A query whose records are those of one selector, taken `offsetMs` earlier. */
export interface SingleQuery {
  readonly query: Query
  readonly selector: Selector
  readonly offsetMs: number
}

/**
 * Parses a query for an operation that needs one selector. A selector that stands several times,
 * as in `sum(logs | unwrap a) / count(logs)`, counts as one; under different offsets it does not.
 * @throws ProblemError as `parseQuery`, and `query_syntax` for several selectors or none.
 */
export function parseSingle(text: string, variables: Variables = {}): SingleQuery {
  return withPositions(text, () => {
    const { query, selectors } = readQuery(text, variables, patternRefusal)
    const [first, ...others] = selectors
    if (first === undefined) {
      throw singleFault(text.search(/\S/), 'no selector: the query begins', 'a number')
    }
    const other = others.find(found => keyOf(found) !== keyOf(first))
    if (other !== undefined) {
      throw singleFault(other.offset, 'a second selector, where only one can be answered,', 'logs')
    }
    const { selector, offsetMs } = first
    return { query, selector, offsetMs }
  })
}

const keyOf = ({ selector, offsetMs }: FoundSelector) => `${offsetMs} ${printQuery(selector)}`

function singleFault(offset: number, what: string, found: string): QueryFault {
  const members = { expected: ['one selector'], found }
  return new QueryFault('query_syntax', offset, what, { members })
}

function withPositions<T>(text: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw error instanceof QueryFault ? error.toProblem(text) : error
  }
}
