/**
 * What is wrong with a query, told here at once, by the grammar of the service. Only expressions are left to
 * the service, whose engine is larger than this page.
 */

import { QueryFault } from '../../language/fault.ts'
import { readQuery } from '../../language/read-query.ts'
import { endOfQuery } from '../../language/usual-mistakes.ts'
import type { ApiProblem } from '../api/problem.ts'

export interface QueryMistake {
  readonly message: string
  /** Where it is, in UTF-16 code units. */
  readonly offset: number
  /** What stands there; it may be cut. */
  readonly found: string
  /** Nothing is wrong but that the query is not finished: what is missing may be typed next. */
  readonly isUnfinished: boolean
}

/** What is wrong with a query; undefined when nothing is. */
export function mistakeIn(text: string): QueryMistake | undefined {
  try {
    readQuery(text, {}, () => undefined)
    return undefined
  } catch (error) {
    if (!(error instanceof QueryFault)) throw error
    const found = error.extras.members?.found ?? ''
    const message = error.detailIn(text)
    return { message, offset: error.offset, found, isUnfinished: found === endOfQuery }
  }
}

/** What the service found wrong; undefined when that has no place in the query. */
export function mistakeOf(problem: ApiProblem | undefined): QueryMistake | undefined {
  if (problem?.position === undefined) return undefined
  const { message, position, found = '' } = problem
  return { message, offset: position.offset, found, isUnfinished: false }
}

/** Whether the word with the mistake may still be being typed: then it is not marked yet. */
export function mayBecomeRight(text: string, { offset, isUnfinished }: QueryMistake): boolean {
  return isUnfinished || /^[\p{L}\p{M}\p{N}_.:/-]+$/u.test(text.slice(offset))
}
