/**
 * The words of a query, for colours and completion. Unlike the service's grammar it takes any text, because
 * a query is wrong most of the time while it is being typed; what it does not know is `other`.
 */

export type TokenKind =
  | 'operation'
  | 'keyword'
  | 'stage'
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
  /** Whether it is part of a stage, the pipe before it, too. */
  readonly isStaged?: true
}

export const operations: readonly string[] = [
  ...['count', 'rate', 'sum', 'avg', 'min', 'max', 'quantile', 'count_distinct'],
  ...['topk', 'bottomk'],
]
/** LogQL's. Those that have one above that says the same are understood, but not offered. */
const logqlOperations = [
  ...['count', 'bytes', 'sum', 'avg', 'min', 'max', 'quantile'].map(name => `${name}_over_time`),
  ...['stddev', 'stdvar', 'first', 'last', 'absent'].map(name => `${name}_over_time`),
  ...['bytes_rate', 'stddev', 'stdvar', 'vector', 'sort', 'sort_desc', 'label_replace'],
  'approx_topk',
  'rate_counter',
]
const groupings = ['by', 'without']
const matchings = ['on', 'ignoring', 'group_left', 'group_right']
const keywords = ['logs', ...groupings, ...matchings, 'and', 'or', 'unless', 'offset', 'bool']

/** Stages of labels alone. */
export const takesLabels: readonly string[] = ['keep', 'drop', 'distinct']

/** What may follow a pipe, beside `unwrap` and conditions. */
export const stageNames: readonly string[] = [
  ...['json', 'logfmt', 'pattern', 'regexp', 'unpack', 'line_format', 'label_format'],
  ...takesLabels,
  'decolorize',
]

/** Everywhere but in `query` a word is a label, and `-` and `/` are parts of words. */
type Place = 'query' | 'braces' | 'grouping' | 'unwrap' | 'stage'

interface State {
  readonly place: Place
  /** In a stage: how many parentheses are open in it. */
  readonly depth: number
}

const forms: readonly (readonly [TokenKind, RegExp])[] = [
  // A comment, too.
  ['space', /\s+|#[^\n\r]*/uy],
  ['string', /"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`[^`]*`?/suy],
  ['variable', /\$(?:\{[\p{L}\p{N}_.]*\}?|[\p{L}_][\p{L}\p{N}_]*)/uy],
  ['bracket', /[(){}[\]]/uy],
  ['comma', /,/uy],
]
const labelForm = /[\p{L}\p{M}\p{N}_.:/-]+/uy
const queryForms: readonly (readonly [TokenKind, RegExp])[] = [
  ['number', /(?:\d[\p{N}\p{L}_.]*|\.\d+)/uy],
  ['keyword', /[\p{L}_][\p{L}\p{M}\p{N}_.]*/uy],
  ['operator', /[|!]>|\|[=~]?|[!=<>][=~]?|[-+*/%^]/uy],
]
const matchOperator = /=~?|![=~]?/uy
const stageForms: readonly (readonly [TokenKind, RegExp])[] = [
  ['operator', /[|!]>|\|[=~]?|[!=<>][=~]?|--(?:strict|keep-empty)/uy],
  ['label', labelForm],
]

/** The words of `text` in order; together they are the whole of it. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let state: State = { place: 'query', depth: 0 }
  let last: Token | undefined
  for (let start = 0; start < text.length; ) {
    const found = nextToken(text, start, state.place, last)
    const next = found.kind === 'space' ? state : stateAfter(state, found, last)
    const isStaged = [state.place, next.place].every(isOfStages) || next.place === 'stage'
    const token = isStaged ? { ...found, isStaged } : found
    tokens.push(token)
    start = token.end
    state = next
    if (token.kind !== 'space') last = token
  }
  return tokens
}

const isOfStages = (place: Place) => place === 'stage' || place === 'unwrap'

function nextToken(text: string, start: number, place: Place, last: Token | undefined): Token {
  const token = (kind: TokenKind, found: string): Token => {
    return { kind, start, end: start + found.length, text: found }
  }
  for (const [kind, form] of [...forms, ...formsOf[place]]) {
    form.lastIndex = start
    const found = form.exec(text)?.[0]
    if (found === undefined || found === '') continue
    if (place === 'stage' && kind === 'label') return token(kindInStage(found, last), found)
    return token(kind === 'keyword' ? kindOfWord(found) : kind, found)
  }
  return token('other', String.fromCodePoint(text.codePointAt(start)!))
}

const labelForms: typeof forms = [
  ['label', labelForm],
  ['operator', matchOperator],
]
const formsOf: Readonly<Record<Place, typeof forms>> = {
  query: queryForms,
  braces: labelForms,
  grouping: labelForms,
  unwrap: labelForms,
  stage: stageForms,
}

function kindOfWord(word: string): TokenKind {
  if (keywords.includes(word)) return 'keyword'
  return operations.includes(word) || logqlOperations.includes(word) ? 'operation' : 'other'
}

/** What a word is behind `last`, in a stage. */
function kindInStage(word: string, last: Token | undefined): TokenKind {
  if (last?.text === '|') {
    if (word === 'not' || word === 'unwrap') return 'keyword'
    return stageNames.includes(word) ? 'stage' : 'label'
  }
  if (last?.kind === 'operator') return /^[-\d.]/.test(word) ? 'number' : 'label'
  const isBehindValue = last !== undefined && endsCondition(last)
  if (isBehindValue) return ['and', 'or', 'offset'].includes(word) ? 'keyword' : 'label'
  if (word === 'offset' && last?.kind === 'stage') return 'keyword'
  return word === 'not' && last?.kind !== 'comma' ? 'keyword' : 'label'
}

/** Whether a condition, a filter of lines or a list of labels may end with it. */
export function endsCondition({ kind, text }: Token): boolean {
  return ['string', 'number', 'variable', 'label'].includes(kind) || text === ')'
}

/** Whether what follows in brackets are labels. */
export function isGrouping(token: Token | undefined): boolean {
  return token !== undefined && [...groupings, ...matchings].includes(token.text)
}

function stateAfter(state: State, token: Token, last: Token | undefined): State {
  if (state.place === 'stage') return stateInStage(state, token)
  const place = placeAfter(state.place, token, last)
  return { place, depth: 0 }
}

function stateInStage({ depth }: State, { kind, text }: Token): State {
  if (kind === 'keyword' && text === 'unwrap') return { place: 'unwrap', depth: 0 }
  const isLast = text === '[' || (text === ')' && depth === 0)
  if ((kind === 'bracket' && isLast) || (kind === 'keyword' && text === 'offset')) {
    return { place: 'query', depth: 0 }
  }
  if (kind !== 'bracket') return { place: 'stage', depth }
  return { place: 'stage', depth: depth + (text === '(' ? 1 : text === ')' ? -1 : 0) }
}

function placeAfter(place: Place, { kind, text }: Token, last: Token | undefined): Place {
  if (text === '{' && kind === 'bracket') return 'braces'
  if (text === '}') return 'query'
  if (place === 'braces') return place
  if (text === '|' && kind === 'operator') return 'stage'
  if (text === '(') return isGrouping(last) ? 'grouping' : 'query'
  if (text === ')') return 'query'
  return place === 'unwrap' ? 'query' : place
}
