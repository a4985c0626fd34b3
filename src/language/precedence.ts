/**
 * Which operator binds tighter, and a flat run of operands made into a tree by it. As in PromQL:
 *
 *     comparison < + - < * / % < sign < ^        `^` groups to the right, the others to the left
 *
 * so that `-1^2` is `-(1^2)` and `2^-1` is allowed.
 */

import { type Binary, type ComparisonOperator, type Expression, isScalar } from './ast.ts'
import { QueryFault } from './fault.ts'
import type { Meaning, Reading } from './reading.ts'

const comparison = 1
export const signPrecedence = 4
export const powerPrecedence = 5
/** Of what no operator can take apart: numbers, calls, parentheses. */
export const primaryPrecedence = 6

const precedences: Readonly<Record<Binary['operator'], number>> = {
  '==': comparison,
  '!=': comparison,
  '<': comparison,
  '<=': comparison,
  '>': comparison,
  '>=': comparison,
  '+': 2,
  '-': 2,
  '*': 3,
  '/': 3,
  '%': 3,
  '^': powerPrecedence,
}

export function precedenceOf(operator: Binary['operator']): number {
  return precedences[operator]
}

export function isComparison(operator: Binary['operator']): operator is ComparisonOperator {
  return precedences[operator] === comparison
}

/** A sign or an operator between operands, and where it stands. */
export interface Sign {
  readonly sign: '-' | '+'
  readonly offset: number
}
export interface Infix {
  readonly operator: Binary['operator']
  readonly isBool: boolean
  readonly offset: number
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
 * @throws QueryFault on too many operators, and on two numbers compared without `bool`.
 */
export function treeOf({ first, rest }: Run, reading: Reading): Expression {
  const marks = [first.signs, ...rest.map(({ infix, operand }) => [infix, ...operand.signs])].flat()
  for (const { offset } of marks) {
    reading.takeOperator(offset)
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
      power = join(infix, power, signed())
    }
    return signs.reduceRight(withSign, power)
  }

  function climb(minimum: number): Expression {
    let left = signed()
    for (;;) {
      const infix = rest[next]?.infix
      if (infix === undefined || precedenceOf(infix.operator) < minimum) return left
      advance()
      left = join(infix, left, climb(precedenceOf(infix.operator) + 1))
    }
  }
  return climb(comparison)
}

function withSign(operand: Expression, { sign }: Sign): Expression {
  return sign === '-' ? { kind: 'negation', operand } : operand
}

function join({ operator, isBool, offset }: Infix, left: Expression, right: Expression): Binary {
  if (isComparison(operator) && !isBool && isScalar(left) && isScalar(right)) {
    throw new QueryFault('query_syntax', offset, 'two numbers are compared without bool', {
      members: { expected: [`"${operator} bool"`], found: operator },
      remedy: `write ${operator} bool, which gives 1 or 0`,
    })
  }
  return { kind: 'binary', operator, isBool, left, right }
}
