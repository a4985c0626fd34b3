/**
 * Names that people give: of a service, an environment, an API key; and queries that they keep.
 *
 * White space around a name is dropped when it is stored: a token cannot be edited, and a pasted
 * blank at the end would otherwise be part of every record's `service.name` for good.
 */

import { Type } from 'typebox'
import { limits } from '../limits.ts'

/**
 * Control characters (Cc) and lone surrogates (Cs) are refused: they cannot be typed into a query.
 * The look-ahead is tried once, so the expression takes time in proportion to the text.
 */
const namePattern = '^(?=[^]*\\S)[^\\p{Cc}\\p{Cs}]*$'

/** `subject` is what is named, as in "the sender's name". */
export function nameSchema(subject: string) {
  return Type.String({
    maxLength: limits.nameLengthMax,
    pattern: namePattern,
    description: `${subject}: 1 to ${limits.nameLengthMax} characters, not all white space, no control characters`,
  })
}

export const queryTextSchema = Type.String({
  minLength: 1,
  maxLength: limits.queryLengthMax,
  description: `the text of a query, 1 to ${limits.queryLengthMax} characters`,
})
