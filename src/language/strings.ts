/**
 * Strings in a query: "…" and '…' with JSON's escapes, `…` raw.
 *
 * Written by hand and not as a regular expression, so that a mistake inside a string is reported
 * where it is. Since nothing else in the language begins with a quote, such a mistake ends the
 * parse at once (a thrown fault), instead of letting the grammar try its other branches.
 */

import P from 'parsimmon'
import { QueryFault } from './fault.ts'

/** The value of a token, and where the token begins. */
export interface Located {
  readonly value: string
  readonly offset: number
}

/**
 * A string in any of the three forms. The input has to end in a line feed that is not the
 * query's own, as `parseQuery` sees to it.
 * @throws QueryFault on a string that is not closed and on a broken escape.
 */
export const quoted: P.Parser<Located> = P((input, offset) => {
  const quote = input[offset]
  if (quote === '`') {
    return rawString(input, offset)
  }
  if (quote === '"' || quote === "'") {
    return escapedString(input, offset, quote)
  }
  return P.makeFailure(offset, 'a string')
})

function rawString(input: string, offset: number): P.Reply<Located> {
  const close = input.indexOf('`', offset + 1)
  if (close < 0) {
    throw unclosed(offset, '`', 'end of query')
  }
  return P.makeSuccess(close + 1, { value: input.slice(offset + 1, close), offset })
}

const plain = { '"': /[^"\\\n\r]*/y, "'": /[^'\\\n\r]*/y } as const

function escapedString(input: string, offset: number, quote: '"' | "'"): P.Reply<Located> {
  let value = ''
  let end = offset + 1
  for (;;) {
    plain[quote].lastIndex = end
    const run = plain[quote].exec(input)![0]
    value += run
    end += run.length
    if (input[end] === quote) {
      return P.makeSuccess(end + 1, { value, offset })
    }
    const isEscape = input[end] === '\\'
    const isQueryOver = end + (isEscape ? 2 : 1) === input.length // One for the added line feed.
    if (isQueryOver || !isEscape) {
      throw unclosed(offset, quote, isQueryOver ? 'end of query' : 'line break')
    }
    const escaped = readEscape(input, end)
    value += escaped.value
    end += escaped.length
  }
}

function unclosed(offset: number, quote: string, found: string): QueryFault {
  const remedies = {
    'line break': 'write a line break as \\n, or put the string in backticks',
    'end of query': `put ${quote} where the string ends`,
  }
  return new QueryFault('query_syntax', offset, 'the string is not closed: it begins', {
    members: { expected: [`closing ${quote}`], found },
    remedy: remedies[found as keyof typeof remedies],
  })
}

const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const unicodeEscape = /\\u([0-9A-Fa-f]{4})/y

/** The escape whose backslash is at `offset`; two `\u` in a row when they are one character. */
function readEscape(input: string, offset: number): { value: string; length: number } {
  const letter = input[offset + 1]!
  if (Object.hasOwn(simpleEscapes, letter)) {
    return { value: simpleEscapes[letter]!, length: 2 }
  }
  if (letter !== 'u') {
    throw unknownEscape(offset, `\\${String.fromCodePoint(input.codePointAt(offset + 1)!)}`)
  }
  const first = readUnit(input, offset)
  if (first === undefined) {
    const found = input.slice(offset, offset + 6).replace(/[\s"'`].*/s, '')
    throw new QueryFault('query_syntax', offset, 'expected four hexadecimal digits after "\\u"', {
      members: { expected: ['four hexadecimal digits'], found },
    })
  }
  if (first.isWellFormed()) {
    return { value: first, length: 6 }
  }
  const pair = first + (readUnit(input, offset + 6) ?? '')
  if (!pair.isWellFormed()) {
    throw loneSurrogate(offset, input.slice(offset, offset + 6))
  }
  return { value: pair, length: 12 }
}

function readUnit(input: string, offset: number): string | undefined {
  unicodeEscape.lastIndex = offset
  const digits = unicodeEscape.exec(input)?.[1]
  return digits === undefined ? undefined : String.fromCharCode(Number.parseInt(digits, 16))
}

function unknownEscape(offset: number, found: string): QueryFault {
  const isLineBreak = found === '\\\n' || found === '\\\r'
  const what = isLineBreak ? 'a backslash before a line break' : `unknown escape ${found}`
  return new QueryFault('query_syntax', offset, what, {
    members: { expected: ['one of \\" \\\' \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX'], found },
    remedy: 'double the backslash, or put the string in backticks, where it is a plain character',
  })
}

/** Half of a surrogate pair is no character, and no record can hold it. */
export function loneSurrogate(offset: number, found: string): QueryFault {
  return new QueryFault(
    'query_syntax',
    offset,
    'expected a whole character but found half of one',
    {
      members: { expected: ['a whole character'], found },
    },
  )
}
