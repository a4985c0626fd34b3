/**
 * What a client hears of a mistake in its query. The page, which tells it itself, does without the table of
 * problems.
 */

import { ProblemError } from '../problems.ts'
import type { QueryFault } from './fault.ts'
import { positionAt } from './position.ts'

export function problemOf(fault: QueryFault, text: string): ProblemError {
  const { members } = fault.extras
  return new ProblemError(fault.code, fault.detailIn(text), {
    field: 'query',
    position: positionAt(text, fault.offset),
    ...(members === undefined ? {} : { members }),
  })
}
