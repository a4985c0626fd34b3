/** The problem with which a query is refused. */

import { parseQuery } from '../../src/language/grammar.ts'
import type { Variables } from '../../src/language/variables.ts'
import { ProblemError } from '../../src/problems.ts'

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
