/**
 * The words of a query, for colours and completion. Unlike the service's grammar it takes any text, because
 * a query is wrong most of the time while it is being typed; what it does not know is `other`.
 */

export type TokenKind =
  | 'operation'
  | 'keyword'
  | 'label'
  | 'string'
  | 'number'
  | 'operator'
  | 'bracket'
  | 'comma'
  | 'variable'
  | 'space'
  | 'other'

export interface Token {
  readonly kind: TokenKind
  /** In UTF-16 code units; a token's end is the next one's start. */
  readonly start: number
  readonly end: number
  readonly text: string
}

export const operations: readonly string[] = [
  ...['count', 'rate', 'sum', 'avg', 'min', 'max', 'quantile', 'count_distinct'],
  ...['topk', 'bottomk'],
]
/** LogQL's, which are understood but not offered: each has one above that says the same. */
const logqlOperations = [
  ...['count', 'bytes', 'sum', 'avg', 'min', 'max', 'quantile'].map(name => `${name}_over_time`),
  ...['bytes_rate', 'stddev', 'stdvar', 'vector'],
]
const groupings = ['by', 'without']
const keywords = ['logs', ...groupings, 'unwrap', 'offset', 'bool']

/** Where a word is a label, and `-` and `/` are parts of words. */
type Place = 'query' | 'braces' | 'grouping' | 'unwrap'

const forms: readonly (readonly [TokenKind, RegExp])[] = [
  ['space', /\s+/uy],
  ['string', /"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`[^`]*`?/suy],
  ['variable', /\$(?:\{[\p{L}\p{N}_.]*\}?|[\p{L}_][\p{L}\p{N}_]*)/uy],
  ['bracket', /[(){}]/uy],
  ['comma', /,/uy],
]
const labelForm = /[\p{L}\p{M}\p{N}_.:/-]+/uy
const queryForms: readonly (readonly [TokenKind, RegExp])[] = [
  ['number', /(?:\d[\p{N}\p{L}_.]*|\.\d+)/uy],
  ['keyword', /[\p{L}_][\p{L}\p{M}\p{N}_.]*/uy],
  ['operator', /\|[=~]?|[!=<>][=~]?|[-+*/%^]/uy],
]
const matchOperator = /=~?|![=~]?/uy

/** The words of `text` in order; together they are the whole of it. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let place: Place = 'query'
  let last: Token | undefined
  for (let start = 0; start < text.length; ) {
    const token = nextToken(text, start, place)
    tokens.push(token)
    start = token.end
    if (token.kind === 'space') continue
    place = placeAfter(place, token, last)
    last = token
  }
  return tokens
}

function nextToken(text: string, start: number, place: Place): Token {
  const token = (kind: TokenKind, found: string): Token => {
    return { kind, start, end: start + found.length, text: found }
  }
  const own: typeof forms =
    place === 'query'
      ? queryForms
      : [
          ['label', labelForm],
          ['operator', matchOperator],
        ]
  for (const [kind, form] of [...forms, ...own]) {
    form.lastIndex = start
    const found = form.exec(text)?.[0]
    if (found === undefined || found === '') continue
    return token(kind === 'keyword' ? kindOfWord(found) : kind, found)
  }
  return token('other', String.fromCodePoint(text.codePointAt(start)!))
}

function kindOfWord(word: string): TokenKind {
  if (keywords.includes(word)) return 'keyword'
  return operations.includes(word) || logqlOperations.includes(word) ? 'operation' : 'other'
}

/** Whether what follows in brackets are labels. */
export function isGrouping(token: Token | undefined): boolean {
  return token !== undefined && groupings.includes(token.text)
}

function placeAfter(place: Place, { kind, text }: Token, last: Token | undefined): Place {
  if (text === '{' && kind === 'bracket') return 'braces'
  if (text === '}') return 'query'
  if (place === 'braces') return place
  if (text === '(') return isGrouping(last) ? 'grouping' : 'query'
  if (text === ')') return 'query'
  if (text === 'unwrap' && kind === 'keyword') return 'unwrap'
  return place === 'unwrap' ? 'query' : place
}
