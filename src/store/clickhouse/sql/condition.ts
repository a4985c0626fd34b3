/**
 * What a selector asks, as a condition of SQL: exact where SQL provably means the same, else one that holds
 * for more, of which we test the rest.
 */
import type {
  Conditions,
  LineFilter,
  Matcher,
  Selector,
  SetMatcher,
} from '../../../language/ast.ts'
import { textsOfShape } from '../../../match/line-shape.ts'
import { literalChoices } from '../../../match/literals.ts'
import { asksForPattern } from '../../../query/pattern-condition.ts'
import type { QueryParams } from '../connection.ts'
import { hasAddress } from './addresses.ts'
import { Bound } from './bound.ts'
import { matchesExpression } from './expression.ts'
import { isMessage, labelText } from './label.ts'
import { hasShape, shapeTextsMax } from './line-shape.ts'
import { isNotTold, toldPatternHolds } from './pattern-id.ts'
import { comparesQuantity } from './quantity.ts'
import { searchHolds } from './search.ts'
import { mayComeThrough } from './stage-needs.ts'
import { all, always, any, atLeast, exactly, maybe, not, type Truth } from './truth.ts'
import { wordsOfAny } from './words.ts'

export interface SqlCondition {
  /** Of rows that may match, an expression for `WHERE`. */
  readonly sql: string
  readonly params: QueryParams
  /** Whether all of these do match. */
  readonly isExact: boolean
}

/** Which rows a condition is asked of: all of them, or those that tell of which kind their message is. */
type AskedRows = 'all' | 'told'

/**
 * The selector's expressions can be compiled. Ask with the settings of `exactNumbers` (`quantity.ts`).
 * `hasWords`: whether the table has the index of words, which is asked as well then.
 */
export function conditionOf(
  { stages = [], alternatives = [], ...own }: Selector,
  hasWords: boolean,
  rows: AskedRows = 'all',
): SqlCondition {
  const bound = new Bound('p')
  const selected = any([own, ...alternatives].map(one => meets(one, hasWords, bound, rows)))
  const { sql, isExact } =
    stages.length === 0 ? selected : all([selected, mayComeThrough(stages, hasWords, bound)])
  return { sql, params: bound.params, isExact }
}

function meets(
  { matchers, filters, searches = [] }: Conditions,
  hasWords: boolean,
  bound: Bound,
  rows: AskedRows,
): Truth {
  return all([
    ...matchers.map(matcher => matcherHolds(matcher, bound, rows)),
    ...filters.map(filter => filterHolds(filter, bound)),
    ...searches.map(search => searchHolds(search, bound)),
    ...(hasWords ? matchers.map(matcher => wordsOfMatcher(matcher, bound)) : []),
    ...(hasWords ? filters.map(filter => wordsOfFilter(filter, bound)) : []),
  ])
}

/** What follows of the words of a message that meets a matcher. */
function wordsOfMatcher(matcher: Matcher, bound: Bound): Truth {
  if (!isMessage(matcher.label) || 'unit' in matcher) return always
  if ('values' in matcher) {
    const { operator, values } = matcher
    return operator === 'in'
      ? wordsOfAny(
          values.map(value => [value]),
          bound,
        )
      : always
  }
  const { operator, value } = matcher
  if (operator === '=') return wordsOfAny([[value]], bound)
  return operator === '=~' ? wordsOfAny(literalChoices(value), bound) : always
}

/** The same of one that comes through a filter. */
function wordsOfFilter(
  { operator, text, others = [], isAddress }: LineFilter,
  bound: Bound,
): Truth {
  if (isAddress || operator.startsWith('!')) return always
  const choices = [text, ...others].flatMap(one => {
    if (operator === '|=') return [[one]]
    return operator === '|~' ? literalChoices(one) : [textsOfShape(one)]
  })
  return wordsOfAny(choices, bound)
}

function matcherHolds(matcher: Matcher, bound: Bound, rows: AskedRows): Truth {
  if (asksForPattern(matcher)) {
    const holds = toldPatternHolds(matcher, bound)
    return rows === 'told' ? holds : any([atLeast(isNotTold), holds])
  }
  const text = labelText(matcher.label, bound)
  if ('values' in matcher) return isOneOf(text, matcher, bound)
  if ('unit' in matcher) return comparesQuantity(text, matcher, bound)
  const { operator, value } = matcher
  switch (operator) {
    case '=':
      return exactly(`${text} = ${bound.text(value)}`)
    case '!=':
      return exactly(`${text} != ${bound.text(value)}`)
    case '=~':
      return matchesExpression(text, value, 'anchored', bound)
    case '!~':
      return not(matchesExpression(text, value, 'anchored', bound))
  }
}

function isOneOf(text: string, { operator, values }: SetMatcher, bound: Bound): Truth {
  return exactly(`${text} ${operator === 'in' ? 'IN' : 'NOT IN'} ${bound.texts(values)}`)
}

/** `line`: in SQL. */
export function filterHolds(
  { operator, text, others = [], isAddress }: LineFilter,
  bound: Bound,
  line = 'Body',
): Truth {
  const holds = any(
    [text, ...others].map(one => lineHas(one, { operator, isAddress, line }, bound)),
  )
  return operator.startsWith('!') ? not(holds) : holds
}

/** The message has one text of a filter, negation left aside. */
function lineHas(
  text: string,
  {
    operator,
    isAddress,
    line,
  }: {
    readonly operator: LineFilter['operator']
    readonly isAddress: true | undefined
    readonly line: string
  },
  bound: Bound,
): Truth {
  const has = (part: string) => exactly(`position(${line}, ${bound.text(part)}) > 0`)
  if (isAddress) return exactly(hasAddress(line, text))
  switch (operator) {
    case '|=':
    case '!=':
      return has(text)
    case '|~':
    case '!~':
      return matchesExpression(line, text, 'anywhere', bound)
    case '|>':
    case '!>': {
      const texts = textsOfShape(text)
      if (texts.length <= shapeTextsMax) return exactly(hasShape(texts, line, bound))
      return all([...texts.filter(part => part !== '').map(has), maybe])
    }
  }
}
