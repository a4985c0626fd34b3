/** The problem with which a query is refused. */

import { ProblemError } from '../../src/problems.ts'
import { parseQuery } from '../../src/query/grammar.ts'
import type { Variables } from '../../src/query/variables.ts'

/** Throws when the query is not refused, or refused by anything but a ProblemError. */
export function problemOf(text: string, variables?: Variables): ProblemError {
  try {
    parseQuery(text, variables)
  } catch (error) {
    if (error instanceof ProblemError) {
      return error
    }
    throw error
  }
  throw new Error(`was not refused: ${text}`)
}
