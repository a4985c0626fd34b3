/**
 * JSON in a record's text, to be folded and unfolded: as it is written, with every digit, keys in their order
 * and those that come twice.
 */

export type JsonNode =
  | { readonly kind: 'object' | 'list'; readonly members: readonly JsonMember[] }
  /** As it is written; of a text what it says. */
  | { readonly kind: 'text' | 'number' | 'word'; readonly text: string }

export interface JsonMember {
  /** Undefined in lists. */
  readonly key: string | undefined
  readonly value: JsonNode
}

/** An object or list, and the text in front of it. */
export interface FoundJson {
  readonly before: string
  readonly node: JsonNode
}

/** Longer texts, and deeper ones, stay texts: nobody unfolds them. */
const lengthMax = 200_000
const depthMax = 64
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** JSON that the text is, or ends with; undefined where there is none with anything in it. */
export function jsonIn(text: string): FoundJson | undefined {
  if (text.length > lengthMax || !/[}\]]\s*$/.test(text)) return undefined
  for (const start of [text.search(/[{[]/), text.search(/\{/)]) {
    const node = start < 0 ? undefined : read(text.slice(start))
    if (node !== undefined) return { before: text.slice(0, start), node }
  }
  return undefined
}

function read(text: string): JsonNode | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const reader = new Reader(text.match(tokens) ?? [])
  const node = reader.value(0)
  return reader.isTooDeep || !('members' in node) || node.members.length === 0 ? undefined : node
}

/** Of tokens that are known to be JSON. */
class Reader {
  readonly #tokens: readonly string[]
  #at = 0
  isTooDeep = false

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  value(depth: number): JsonNode {
    const token = this.#tokens[this.#at++] ?? ''
    if (token.startsWith('"')) return { kind: 'text', text: JSON.parse(token) }
    if (token !== '{' && token !== '[') {
      return { kind: /^[-\d]/.test(token) ? 'number' : 'word', text: token }
    }
    this.isTooDeep ||= depth >= depthMax
    if (this.isTooDeep) return { kind: 'word', text: '' }
    const kind = token === '{' ? 'object' : 'list'
    const members: JsonMember[] = []
    while (this.#at < this.#tokens.length && !/^[}\]]$/.test(this.#tokens[this.#at]!)) {
      members.push({
        key: kind === 'object' ? this.#key() : undefined,
        value: this.value(depth + 1),
      })
      if (this.isTooDeep) break
      if (this.#tokens[this.#at] === ',') this.#at++
    }
    this.#at++
    return { kind, members }
  }

  #key(): string {
    const key: string = JSON.parse(this.#tokens[this.#at]!)
    this.#at += 2 // With its colon.
    return key
  }
}
