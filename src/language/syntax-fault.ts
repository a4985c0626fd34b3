/**
 * From what Parsimmon knows of a failed parse (how far it came, what it tried there) to a sentence
 * that helps: what was expected there, what was found, and for the usual mistakes what to write instead.
 */

import { QueryFault, shortened } from './fault.ts'
import { endOfQuery, remedyFor } from './usual-mistakes.ts'

/** Most likely first: what continues with the query before what opens something new. */
const byUsefulness: readonly string[] = [
  'a label',
  'a string',
  'a duration',
  'a whole number',
  'a number from 0 to 1',
  '")"',
  '"{"',
  '"}"',
  '","',
  '"="',
  'a stage',
  '"|="',
  '"!="',
  '"=~"',
  '"|~"',
  '"!~"',
  'a comparison',
  '"in"',
  '"logs"',
  '"|"',
  '"["',
  '"]"',
  '"unwrap"',
  '"offset"',
  '"or"',
  'an operation',
  'a number',
  '"("',
  '"-"',
  '"bool"',
  '"by"',
  'an operator',
  endOfQuery,
]

/**
 * The fault for a parse that could not continue at `offset`.
 * @param tried What Parsimmon tried there, in its order, possibly with repetitions.
 */
export function syntaxFault(text: string, offset: number, tried: readonly string[]): QueryFault {
  const query = text.trimEnd()
  const named = new Set(tried.map(word => (word === 'EOF' ? endOfQuery : word)))
  const expected = [...named].sort((a, b) => rank(a) - rank(b))
  const found = tokenAt(query, offset)
  const shown = offset === query.length ? 'the end of the query' : quote(found)
  const what = `expected ${inWords(expected)} but found ${shown}`
  const remedy = remedyFor({ before: query.slice(0, offset), rest: query.slice(offset), expected })
  return new QueryFault('query_syntax', offset, what, { members: { expected, found }, remedy })
}

function rank(expected: string): number {
  const index = byUsefulness.indexOf(expected)
  return index < 0 ? byUsefulness.length : index
}

function inWords(expected: readonly string[]): string {
  const last = expected.at(-1)!
  return expected.length === 1 ? last : `${expected.slice(0, -1).join(', ')} or ${last}`
}

const quote = (token: string) => (token.includes('"') ? token : `"${token}"`)

const tokenForms = /[\p{L}\p{M}\p{N}_.:/$-]+|(["'`])(?:\\.|(?!\1).){0,40}\1?|[=!~|<>&]+|./suy

/** The token at `offset` as the client wrote it, cut when it is long. */
function tokenAt(query: string, offset: number): string {
  tokenForms.lastIndex = offset
  return shortened(tokenForms.exec(query)?.[0] ?? endOfQuery)
}
