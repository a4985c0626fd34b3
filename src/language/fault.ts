/**
 * A mistake in a query, as the parts of the parser throw it: they know an offset, but not the
 * whole text. `query-problem.ts` turns it into the ProblemError that the client gets.
 */

import type { ProblemCode } from '../problems.ts'
import { placeInWords, positionAt } from './position.ts'

export interface FaultExtras {
  /** What to write instead; follows the place in the detail. */
  readonly remedy?: string | undefined
  readonly members?: { readonly expected: readonly string[]; readonly found: string }
}

export class QueryFault extends Error {
  readonly code: ProblemCode
  /** Where in the query, in UTF-16 code units. */
  readonly offset: number
  readonly extras: FaultExtras

  /** `what`: the first part of the detail; `at line 1, column 14` is put after it. */
  constructor(code: ProblemCode, offset: number, what: string, extras: FaultExtras = {}) {
    super(what)
    this.name = 'QueryFault'
    this.code = code
    this.offset = offset
    this.extras = extras
  }

  /** What is wrong, where, and what to write instead. */
  detailIn(text: string): string {
    const { remedy } = this.extras
    const place = placeInWords(positionAt(text, this.offset))
    return `${this.message} at ${place}${remedy ? `; ${remedy}` : ''}`
  }
}

const foundLengthMax = 40

/** What a client wrote, cut when it is long. */
export function shortened(text: string): string {
  return text.length <= foundLengthMax ? text : `${text.slice(0, foundLengthMax)}…`
}
