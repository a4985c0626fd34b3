/** What a rule asks: its query as an expression that has a value, or one per group, at each moment. */
import { type Aggregate, countOf, type Expression, isScalar, operandsOf } from '../language/ast.ts'
import { parseAsked } from '../language/grammar.ts'
import { ProblemError } from '../problems.ts'

/**
 * The expression of a rule's query: of a selector, or of words, how many records match.
 * @param field The name of the query in the request, for refusals.
 * @throws ProblemError as `parseQuery`; `field_invalid` for what no rule can be about.
 */
export function expressionOf(text: string, field = 'query'): Expression {
  const { query } = parseAsked(text)
  const expression = query.kind === 'selector' ? countOf(query) : query
  if (isScalar(expression)) {
    throw new ProblemError('field_invalid', `"${field}" must be about records`, { field })
  }
  // The first of all records of a range and the first of those of each window are different ones.
  if (hasDistinct(expression)) {
    const detail = `"${field}" must be without "| distinct": count_distinct counts values`
    throw new ProblemError('field_invalid', detail, { field })
  }
  return expression
}

/**
 * Whose records a rule about new patterns counts, and by which labels.
 * @throws ProblemError as `expressionOf`; `field_invalid` for what is neither a selector nor a count.
 */
export function countedOf(text: string, field = 'query'): Aggregate {
  const expression = expressionOf(text, field)
  if (expression.kind === 'aggregate' && expression.operation === 'count') return expression
  const detail = `"${field}" must be a selector, or a count, in a rule about new patterns`
  throw new ProblemError('field_invalid', detail, { field })
}

function hasDistinct(expression: Expression): boolean {
  if (expression.kind !== 'aggregate' && expression.kind !== 'range') {
    return operandsOf(expression).some(hasDistinct)
  }
  return expression.selector.stages?.some(({ kind }) => kind === 'distinct') ?? false
}
