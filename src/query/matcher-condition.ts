/**
 * Matchers of labels as conditions on texts. What compares numbers asks columns of numbers without texts.
 */

import type { ComparisonOperator, Matcher, QuantityMatcher, Search } from '../language/ast.ts'
import { readersOf } from '../language/quantity.ts'
import { inAnyCaseOf } from '../match/any-case.ts'
import { type Condition, conditionOfMatcher, quoted } from '../match/condition.ts'
import type { MatchingNumbers, Pattern } from '../match/pattern.ts'
import { beforeMatch } from '../threads/turn.ts'

/** Throws ProblemError `query_regex` for an expression that cannot be used. */
export function conditionOf(matcher: Matcher): Condition {
  if ('values' in matcher) {
    return {
      test: { kind: 'matches', pattern: oneOf(matcher.values) },
      isNegated: matcher.operator === 'not in',
    }
  }
  if ('unit' in matcher) {
    return { test: { kind: 'matches', pattern: comparedWith(matcher) }, isNegated: false }
  }
  return conditionOfMatcher(matcher)
}

/** Contains the text in any case; that it is negated is for all texts of a record together. */
export function conditionOfSearch({ text }: Search): Condition {
  const hasCase = text !== fixedParts(text)[0] && text !== ''
  if (!hasCase) {
    return { test: { kind: 'contains', text, bytes: Buffer.from(text) }, isNegated: false }
  }
  return { test: { kind: 'matches', pattern: containingInAnyCase(text) }, isNegated: false }
}

export const comparisons: Readonly<Record<ComparisonOperator, (a: number, b: number) => boolean>> =
  {
    '==': (a, b) => a === b,
    '!=': (a, b) => a !== b,
    '>': (a, b) => a > b,
    '<': (a, b) => a < b,
    '>=': (a, b) => a >= b,
    '<=': (a, b) => a <= b,
  }

function comparedWith({ operator, unit, value }: QuantityMatcher): Pattern {
  const read = readersOf[unit]
  const compare = comparisons[operator]
  return {
    source: '',
    matches: text => {
      beforeMatch(text.length)
      const actual = read(text)
      return actual !== undefined && compare(actual, value)
    },
    // The same number means another quantity, or none, under another unit.
    ...(unit === 'number' && {
      numbers: matchingNumbers(operator, value),
      mayMatchNumbers: (least: number, greatest: number) =>
        mayHold(operator, value, least, greatest),
    }),
  }
}

const never = () => false

function matchingNumbers(operator: ComparisonOperator, value: number): MatchingNumbers {
  const isLess = (actual: number) => actual < value
  const isMore = (actual: number) => actual > value
  switch (operator) {
    case '>':
      return { isInside: true, isBelow: actual => actual <= value, isAbove: never }
    case '>=':
      return { isInside: true, isBelow: isLess, isAbove: never }
    case '<':
      return { isInside: true, isBelow: never, isAbove: actual => actual >= value }
    case '<=':
      return { isInside: true, isBelow: never, isAbove: isMore }
    default:
      return { isInside: operator === '==', isBelow: isLess, isAbove: isMore }
  }
}

/** Whether the comparison may hold for a number from `least` to `greatest`. */
function mayHold(
  operator: ComparisonOperator,
  value: number,
  least: number,
  greatest: number,
): boolean {
  if (operator === '>' || operator === '>=') return comparisons[operator](greatest, value)
  if (operator === '<' || operator === '<=') return comparisons[operator](least, value)
  const isWithin = least <= value && value <= greatest
  return operator === '==' ? isWithin : !(isWithin && least === greatest)
}

function oneOf(values: readonly string[]): Pattern {
  const wanted = new Set(values)
  return {
    source: values.map(quoted).join('|'),
    matches: text => {
      beforeMatch(text.length)
      return wanted.has(text)
    },
  }
}

/**
 * The parts of a text that are the same in any case: runs of ASCII characters that are no letters, none of
 * which is the lower case of another character.
 */
function fixedParts(text: string): readonly string[] {
  return text.match(/[^A-Za-z\u0080-\uffff]+/g) ?? []
}

function containingInAnyCase(text: string): Pattern {
  const folded = text.toLowerCase()
  const isInNumbers = /^[-.0-9]*$/.test(folded)
  const inAnyCase = inAnyCaseOf(text)
  return {
    source: fixedParts(text).map(quoted).join('.*'),
    ...(inAnyCase && { inAnyCase }),
    matches: other => {
      beforeMatch(other.length)
      return other.toLowerCase().includes(folded)
    },
    mayMatchNumbers: () => isInNumbers,
  }
}
