/**
 * A mistake in a query, as the parts of the parser throw it: they know an offset, but not the
 * whole text. `parseQuery` turns it into the ProblemError that the client gets.
 */

import { type ProblemCode, ProblemError } from '../problems.ts'
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

  toProblem(text: string): ProblemError {
    const position = positionAt(text, this.offset)
    const { remedy, members } = this.extras
    const detail = `${this.message} at ${placeInWords(position)}${remedy ? `; ${remedy}` : ''}`
    return new ProblemError(this.code, detail, {
      field: 'query',
      position,
      ...(members === undefined ? {} : { members }),
    })
  }
}

const foundLengthMax = 40

/** What a client wrote, cut when it is long. */
export function shortened(text: string): string {
  return text.length <= foundLengthMax ? text : `${text.slice(0, foundLengthMax)}…`
}
