/**
 * The query language: from text to the tree of `ast.ts`.
 *
 *     query      = selector | expression | words                            (see grammar-words.ts)
 *     expression = { "-" | "+" } primary { infix { "-" | "+" } primary }       (see precedence.ts)
 *     infix      = ( "+" | "-" | "*" | "/" | "%" | "^" | comparison [ "bool" ] ) [ matching ]
 *                | ( "and" | "or" | "unless" ) [ matching ]
 *     matching   = ( "on" | "ignoring" ) labels [ ( "group_left" | "group_right" ) [ labels ] ]
 *     labels     = "(" [ label { "," label } [","] ] ")"
 *     comparison = "==" | "!=" | "<" | "<=" | ">" | ">="
 *     primary    = number | variable | call | "(" expression ")"
 *                | ( "vector" | "sort" | "sort_desc" ) "(" expression ")"
 *                | "label_replace" "(" expression "," string "," string "," string "," string ")"
 *     call       = operation ( [ grouping ] "(" argument ")" | "(" argument ")" grouping )
 *     argument   = selector [ offset ]                                         count rate
 *                | selector range [ offset ]     rate bytes_rate; count bytes absent _over_time
 *                | selector unwrap { "|" stage } range [ offset ]
 *                 rate rate_counter; sum avg min max stddev stdvar first last absent _over_time
 *                | number "," selector unwrap { "|" stage } range [ offset ]  quantile_over_time
 *                | selector [ unwrap ] [ offset ]                              sum
 *                | selector unwrap [ offset ]                    avg min max count_distinct
 *                | number "," selector unwrap [ offset ]                       quantile
 *                | expression                      sum avg min max count stddev stdvar
 *                | number "," expression                           topk bottomk approx_topk
 *     grouping   = ( "by" | "without" ) "(" label { "," label } [","] ")"
 *     selector   = conditions { "or" conditions } { "|" stage | lineFilter }
 *     conditions = ( "logs" [ braces ] | braces ) { lineFilter | search }
 *     search     = "|" "search" [ "-" ] string { [ "-" ] string }
 *     stage      = condition | "unpack" | "decolorize" | ( "keep" | "drop" ) label [ = string ] , …
 *                | ( "json" | "logfmt" { flag } ) [ label [ "=" string ] { "," … } ]
 *                | ( "regexp" | "pattern" | "line_format" ) string
 *                | "distinct" label { "," label }
 *                | "label_format" label "=" ( label | string ) { "," … }       (see grammar-stages.ts)
 *     condition  = label ( "=" | "!=" | "=~" | "!~" ) string | label comparison quantity
 *                | "not" condition | "(" condition ")"
 *                | condition ( "and" | "," | "or" | nothing, which is "and" ) condition
 *     braces     = "{" [ matcher { "," matcher } [","] ] "}"
 *     matcher    = label ( "=" | "!=" | "=~" | "!~" ) string
 *                | label ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) quantity
 *                | label [ "not" ] "in" "(" string { "," string } [","] ")"
 *     lineFilter = ( "|=" | "!=" | "|~" | "!~" | "|>" | "!>" ) string { "or" string }
 *                | ( "|=" | "!=" ) address
 *     address    = "ip" "(" string ")"; also label ( "=" | "!=" ) address as a condition
 *     range      = "[" duration "]"; it may stand right behind the selector's conditions, too, or
 *                  behind parentheses around all but itself: ({…} | json)[5m]
 *     unwrap     = "|" "unwrap" ( label | conversion "(" label ")" )
 *     conversion = "duration" | "duration_seconds" | "bytes"            not for count_distinct
 *     offset     = "offset" duration
 *
 * A variable, `$name` or `${name}`, stands for a string, a label, a number or a duration; inside
 * strings see `variables.ts`. White space and comments (`comments.ts`) may be between any two
 * tokens. No word is reserved: what a word means follows from where it is, so that a label may be
 * called `by`, `count` or `logs`. Every branch is decided by its first token; nothing is parsed
 * twice, and the time is proportional to the text.
 */

import { patternRefusal } from '../match/pattern.ts'
import type { Query, Selector } from './ast.ts'
import { QueryFault } from './fault.ts'
import { printQuery } from './print.ts'
import { problemOf } from './query-problem.ts'
import { type ReadQuery, readQuery } from './read-query.ts'
import type { FoundSelector } from './reading.ts'
import type { Variables } from './variables.ts'

/**
 * Parses a query.
 * @param variables What `$name` stands for; by default none are given.
 * @throws ProblemError `query_syntax`, `query_regex` or `query_too_large`, always with the position
 *   in `text`. `query_syntax` also has the members `expected`, what was expected there, most
 *   likely first, and `found`, the token that did.
 */
export function parseQuery(text: string, variables: Variables = {}): Query {
  return withPositions(text, () => readQuery(text, variables, patternRefusal).query)
}

/** A query, and whether it is written as words. */
export interface AskedQuery {
  readonly query: Query
  /** The query that its words became, in its canonical text; undefined when it is not of words. */
  readonly interpretedAs: string | undefined
}

/**
 * Parses a query of which it is to be said what its words became. Throws as `parseQuery` does.
 * @param form Whether a query may be of words only, too.
 */
export function parseAsked(
  text: string,
  variables: Variables = {},
  form: 'words too' | 'no words' = 'words too',
): AskedQuery {
  return withPositions(text, () => askedOf(readQuery(text, variables, patternRefusal, form)))
}

const askedOf = ({ query, isWords }: ReadQuery): AskedQuery => ({
  query,
  interpretedAs: isWords ? printQuery(query) : undefined,
})

/** A query whose records are those of one selector, taken `offsetMs` earlier. */
export interface SingleQuery extends AskedQuery {
  readonly selector: Selector
  readonly offsetMs: number
}

/**
 * Parses a query for an operation that needs one selector. A selector that appears several times,
 * as in `sum(logs | unwrap a) / count(logs)`, counts as one; under different offsets it does not.
 * @throws ProblemError as `parseQuery`, and `query_syntax` for several selectors or none.
 */
export function parseSingle(text: string, variables: Variables = {}): SingleQuery {
  return withPositions(text, () => {
    const read = readQuery(text, variables, patternRefusal)
    const [first, ...others] = read.selectors
    if (first === undefined) {
      throw singleFault(text.search(/\S/), 'no selector: the query begins', 'a number')
    }
    const other = others.find(found => keyOf(found) !== keyOf(first))
    if (other !== undefined) {
      throw singleFault(
        other.places.from,
        'a second selector, where only one can be answered,',
        'logs',
      )
    }
    const { selector, offsetMs } = first
    return { ...askedOf(read), selector, offsetMs }
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
    throw error instanceof QueryFault ? problemOf(error, text) : error
  }
}
