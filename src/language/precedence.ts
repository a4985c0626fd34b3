/**
 * Which operator binds tighter, and a flat run of operands made into a tree by it. As in PromQL:
 *
 *     or < and unless < comparison < + - < * / % < sign < ^
 *
 * `^` groups to the right, the others to the left,
 * so that `-1^2` is `-(1^2)` and `2^-1` is allowed.
 */

import {
  type Binary,
  type ComparisonOperator,
  type Expression,
  hasLogqlNames,
  isScalar,
  type Matching,
  type SetOperator,
} from './ast.ts'
import { QueryFault } from './fault.ts'
import type { Meaning, Reading } from './reading.ts'

const loosest = 1
const comparison = 3
export const signPrecedence = 6
export const powerPrecedence = 7
/** Of what no operator can take apart: numbers, calls, parentheses. */
export const primaryPrecedence = 8

const precedences: Readonly<Record<Binary['operator'], number>> = {
  or: loosest,
  and: 2,
  unless: 2,
  '==': comparison,
  '!=': comparison,
  '<': comparison,
  '<=': comparison,
  '>': comparison,
  '>=': comparison,
  '+': 4,
  '-': 4,
  '*': 5,
  '/': 5,
  '%': 5,
  '^': powerPrecedence,
}

export function precedenceOf(operator: Binary['operator']): number {
  return precedences[operator]
}

export function isComparison(operator: Binary['operator']): operator is ComparisonOperator {
  return precedences[operator] === comparison
}

export function isOfSets(operator: Binary['operator']): operator is SetOperator {
  return precedences[operator] < comparison
}

/** A sign or an operator between operands, and where it is. */
export interface Sign {
  readonly sign: '-' | '+'
  readonly offset: number
}
export interface Infix {
  readonly operator: Binary['operator']
  readonly isBool: boolean
  readonly matching: MatchingText | undefined
  readonly offset: number
}

/** Which series belong together; its labels are known once it is known whose names they are. */
export interface MatchingText {
  readonly offset: number
  readonly meaning: (reading: Reading, names: 'ours' | 'logql') => Matching
}

export interface Operand {
  readonly signs: readonly Sign[]
  readonly primary: Meaning<Expression>
}

/** Operands with operators between them; of the first no operator is before it. */
export interface Run {
  readonly first: Operand
  readonly rest: readonly { readonly infix: Infix; readonly operand: Operand }[]
}

/**
 * The tree of a run. Recurses at most as deep as a query may have operators.
 * @throws QueryFault on too many operators, on two numbers compared without `bool`, and
 *   on numbers where series are needed.
 */
export function treeOf({ first, rest }: Run, reading: Reading): Expression {
  const marks = [first.signs, ...rest.map(({ infix, operand }) => [infix, ...operand.signs])].flat()
  for (const { offset } of marks) {
    reading.take('operators', offset)
  }
  let operand = first
  let next = 0
  const advance = () => {
    operand = rest[next]!.operand
    next += 1
  }

  /** The operand with all that binds tighter than its signs, then its signs. */
  function signed(): Expression {
    const { signs, primary } = operand
    let power = primary(reading)
    const infix = rest[next]?.infix
    if (infix?.operator === '^') {
      advance()
      power = join(infix, power, signed(), reading)
    }
    return signs.reduceRight(withSign, power)
  }

  function climb(minimum: number): Expression {
    let left = signed()
    for (;;) {
      const infix = rest[next]?.infix
      if (infix === undefined || precedenceOf(infix.operator) < minimum) return left
      advance()
      left = join(infix, left, climb(precedenceOf(infix.operator) + 1), reading)
    }
  }
  return climb(loosest)
}

function withSign(operand: Expression, { sign }: Sign): Expression {
  return sign === '-' ? { kind: 'negation', operand } : operand
}

function join(infix: Infix, left: Expression, right: Expression, reading: Reading): Binary {
  const { operator, isBool, matching } = infix
  const scalarCount = [left, right].filter(isScalar).length
  if (isComparison(operator) && !isBool && scalarCount === 2) {
    throw fault(infix.offset, 'two numbers are compared without bool', {
      expected: `"${operator} bool"`,
      found: operator,
      remedy: `write ${operator} bool, which gives 1 or 0`,
    })
  }
  if (isOfSets(operator) && scalarCount > 0) {
    throw fault(infix.offset, `${operator} is between series, and a number is none`, {
      expected: 'series',
      found: 'a number',
      remedy: 'vector(0) is a series of a number',
    })
  }
  if (matching === undefined) return { kind: 'binary', operator, isBool, left, right }
  if (scalarCount > 0) {
    throw fault(matching.offset, 'labels are matched between series, and a number has none', {
      expected: 'series',
      found: 'a number',
      remedy: 'leave on (…) or ignoring (…) out',
    })
  }
  const names = hasLogqlNames(left) || hasLogqlNames(right) ? 'logql' : 'ours'
  const matched = matching.meaning(reading, names)
  if (isOfSets(operator) && matched.many !== undefined) {
    throw fault(
      matching.offset,
      `${operator} keeps whole series, and takes no group_${matched.many}`,
      {
        expected: 'no group_left',
        found: `group_${matched.many}`,
        remedy: `leave group_${matched.many} out`,
      },
    )
  }
  return { kind: 'binary', operator, isBool, matching: matched, left, right }
}

function fault(
  offset: number,
  what: string,
  { expected, found, remedy }: { expected: string; found: string; remedy: string },
): QueryFault {
  const members = { expected: [expected], found }
  return new QueryFault('query_syntax', offset, what, { members, remedy })
}
