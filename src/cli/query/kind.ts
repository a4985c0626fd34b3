/**
 * What a query asks for, read here only to choose the operation that answers it. The service judges
 * queries: one that cannot be read here (it may be of a later version) is sent all the same.
 */

import { operandsOf, type Query } from '../../language/ast.ts'
import { parseQuery } from '../../language/grammar.ts'
import { orProblem, ProblemError } from '../../problems.ts'

/** `aggregate`: an expression over one selector. `expression`: over several, or none. */
export type QueryKind = 'records' | 'aggregate' | 'expression' | 'unknown'

/**
 * By which of the API's operations a query is asked. `unknown` when it cannot be parsed here: a newer service
 * may know more.
 */
export function queryKind(text: string): QueryKind {
  const query = orProblem(() => parseQuery(text))
  if (query instanceof ProblemError) return 'unknown'
  if (query.kind === 'selector') return 'records'
  return selectorCount(query) === 1 ? 'aggregate' : 'expression'
}

/** The mistake in a query, with its position; undefined when none is found here. */
export function queryFault(text: string): ProblemError | undefined {
  const query = orProblem(() => parseQuery(text))
  return query instanceof ProblemError ? query : undefined
}

function selectorCount(query: Query): number {
  switch (query.kind) {
    case 'selector':
    case 'aggregate':
    case 'range':
      return 1
    default:
      return operandsOf(query).reduce((sum, operand) => sum + selectorCount(operand), 0)
  }
}
