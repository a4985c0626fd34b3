/**
 * One condition on a text, in the form in which it is cheapest to test on many: compiled once per
 * query, tried on strings (dictionaries, index entries) and, by the columns, on UTF-8 bytes.
 */
import { beforeMatch } from '../threads/turn.ts'
import { hasAddressIn, readIpRange } from './ip-range.ts'
import { hasShape, textsOfShape } from './line-shape.ts'
import { compilePattern, type Pattern } from './pattern.ts'

/** What a text must be, apart from a negation. */
export type Test =
  | { readonly kind: 'equals'; readonly text: string; readonly bytes: Buffer }
  | { readonly kind: 'contains'; readonly text: string; readonly bytes: Buffer }
  | { readonly kind: 'matches'; readonly pattern: Pattern }

/** Is, is not, matches, matches not: of a label's value. Expressions are RE2's, anchored at both ends. */
export type MatchOperator = '=' | '!=' | '=~' | '!~'

/**
 * Contains, contains not, matches, matches not, is of a pattern (`line-shape.ts`), is not: of a message.
 * Expressions are not anchored.
 */
export type FilterOperator = '|=' | '!=' | '|~' | '!~' | '|>' | '!>'

export interface Condition {
  readonly test: Test
  readonly isNegated: boolean
}

/** Throws ProblemError `query_regex` for an expression that cannot be used. */
export function conditionOfMatcher(matcher: {
  readonly operator: MatchOperator
  readonly value: string
}): Condition {
  const { operator, value } = matcher
  const isNegated = operator === '!=' || operator === '!~'
  if (operator === '=~' || operator === '!~') {
    return { test: { kind: 'matches', pattern: compilePattern(value, 'anchored') }, isNegated }
  }
  return { test: { kind: 'equals', text: value, bytes: Buffer.from(value) }, isNegated }
}

/**
 * One of several texts is enough.
 * Throws ProblemError `query_regex` for an expression that cannot be used.
 */
export function conditionOfFilter(filter: {
  readonly operator: FilterOperator
  readonly text: string
  readonly others?: readonly string[]
  readonly isAddress?: true
}): Condition {
  const { operator, text, others = [], isAddress } = filter
  const isNegated = operator.startsWith('!')
  if (isAddress) return { test: { kind: 'matches', pattern: ofAddresses(text) }, isNegated }
  if (operator === '|>' || operator === '!>') {
    return { test: { kind: 'matches', pattern: ofShapes([text, ...others]) }, isNegated }
  }
  const isPattern = operator === '|~' || operator === '!~'
  if (!isPattern && others.length === 0) {
    return { test: { kind: 'contains', text, bytes: Buffer.from(text) }, isNegated }
  }
  const expression = [text, ...others].map(one => `(?:${isPattern ? one : quoted(one)})`).join('|')
  const pattern = compilePattern(others.length === 0 ? text : expression, 'anywhere')
  return { test: { kind: 'matches', pattern }, isNegated }
}

/** What is of one of some patterns of lines. */
function ofShapes(patterns: readonly string[]): Pattern {
  const shapes = patterns.map(textsOfShape)
  return {
    source: shapes.map(texts => texts.map(quoted).join('.*')).join('|'),
    matches: line => {
      beforeMatch(line.length)
      return shapes.some(texts => hasShape(texts, line))
    },
  }
}

/** What has an address of those that `text` says. */
export function ofAddresses(text: string): Pattern {
  const range = readIpRange(text)
  if (range === undefined) throw new TypeError(`no addresses: ${text}`)
  return {
    source: '',
    matches: line => {
      beforeMatch(line.length)
      return hasAddressIn(range, line)
    },
    mayMatchNumbers: () => false,
  }
}

/** The expression that matches `text` and nothing else. */
export function quoted(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, '\\$&')
}

/** A condition on an attribute. */
export interface AttributeCondition {
  readonly name: string
  readonly condition: Condition
  /** Whether records without the attribute pass: as if its value were empty. */
  readonly passesAbsent: boolean
}

/** Whether a text meets the condition. */
export function holds(condition: Condition, text: string): boolean {
  return passes(condition.test, text) !== condition.isNegated
}

/** Whether a text passes a test, negation left aside. */
export function passes(test: Test, text: string): boolean {
  if (test.kind === 'equals') return text === test.text
  if (test.kind === 'contains') return text.includes(test.text)
  return test.pattern.matches(text)
}
