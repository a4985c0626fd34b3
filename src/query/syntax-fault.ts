/**
 * From what Parsimmon knows of a failed parse (how far it came, what it tried there) to a sentence
 * that helps: what could stand there, what does, and for the usual mistakes what to write instead.
 */

import { QueryFault } from './fault.ts'

const endOfQuery = 'end of query'

/** Most likely first: what goes on with the query before what opens something new. */
const byUsefulness: readonly string[] = [
  'a label',
  'a string',
  '"("',
  '")"',
  '"{"',
  '"}"',
  '","',
  '"="',
  '"|="',
  '"!="',
  '"=~"',
  '"|~"',
  '"!~"',
  '"logs"',
  '"count"',
  '"by"',
  endOfQuery,
]

/**
 * The fault for a parse that could not go on at `offset`.
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

const tokenLengthMax = 40
const tokenForms = /[\p{L}\p{M}\p{N}_.:/$-]+|(["'`])(?:\\.|(?!\1).){0,40}\1?|[=!~|<>&]+|./suy

/** The token at `offset` as the client wrote it, cut when it is long. */
function tokenAt(query: string, offset: number): string {
  tokenForms.lastIndex = offset
  const token = tokenForms.exec(query)?.[0] ?? endOfQuery
  return token.length <= tokenLengthMax ? token : `${token.slice(0, tokenLengthMax)}…`
}

/** Where a parse stopped: the text on both sides, and what could have stood there. */
interface Stop {
  readonly before: string
  readonly rest: string
  readonly expected: readonly string[]
}

interface Mistake {
  /** Mistakes are told apart by what was expected and how the rest begins. */
  readonly expected: string
  readonly rest: RegExp
  readonly remedy: string
}

const writeSelector = 'a selector begins with the word logs: logs{label="value"}'
const oneExpression = 'a query is one selector or one aggregate'

/** The first that applies is told. */
const mistakes: readonly Mistake[] = [
  { expected: '"logs"', rest: /^[{]/, remedy: writeSelector },
  { expected: '"logs"', rest: /^count\b/, remedy: 'count takes a selector: count(logs)' },
  { expected: '"logs"', rest: /^(logs|count)\b/i, remedy: 'write logs and count in lower case' },
  { expected: '"count"', rest: /^\w+\s*(\(|by\b)/, remedy: 'known operations: count' },
  { expected: '"count"', rest: /^$/, remedy: 'the shortest query is: logs' },
  { expected: '"count"', rest: /^/, remedy: 'to search for a text: logs |= "text"' },
  { expected: '"logs"', rest: /^/, remedy: writeSelector },
  { expected: '"="', rest: /^==/, remedy: 'equal is a single =' },
  { expected: '"="', rest: /^~/, remedy: 'to match a regular expression: =~' },
  { expected: '"="', rest: /^!/, remedy: 'unequal is != and not matching is !~' },
  { expected: '"="', rest: /^/, remedy: 'a matcher is label="value"' },
  { expected: 'a string', rest: /^[“”„‘’«»]/, remedy: 'use straight quotes: "value"' },
  { expected: 'a string', rest: /^[\p{L}\p{N}_$-]/u, remedy: 'put the value in quotes: "value"' },
  { expected: '","', rest: /^(and|&&|&)/i, remedy: 'matchers are joined by a comma' },
  { expected: '","', rest: /^(or\b|\|)/i, remedy: 'for alternatives use label=~"first|second"' },
  { expected: '","', rest: /^[\p{L}"'`]/u, remedy: 'matchers are joined by a comma' },
  { expected: '"|="', rest: /^["'`]/, remedy: 'to search for a text: |= "text"' },
  { expected: '"|="', rest: /^\|/, remedy: 'the line filters are |= != |~ and !~' },
  { expected: '"|="', rest: /^=/, remedy: 'conditions on labels stand in braces: logs{a="b"}' },
  { expected: endOfQuery, rest: /^by\b/, remedy: 'by (…) goes with count, and only once' },
  { expected: endOfQuery, rest: /^[-+*/%^<>=]|^(and|or|unless)\b/i, remedy: oneExpression },
]

function remedyFor({ before, rest, expected }: Stop): string | undefined {
  const mistake = mistakes.find(one => expected.includes(one.expected) && one.rest.test(rest))
  if (mistake?.expected === '"="' && /:\s*$/.test(before)) {
    return 'a matcher is label="value", with = and not a colon'
  }
  return mistake?.remedy
}
