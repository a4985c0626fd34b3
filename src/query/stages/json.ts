/**
 * JSON as lines hold it, read without making objects of it: numbers keep all their digits, and a value
 * that is asked for as a whole is the text that is there.
 */

export type JsonValue =
  | { readonly kind: 'text' | 'number' | 'word'; readonly text: string }
  | {
      readonly kind: 'object'
      readonly members: readonly [string, JsonValue][]
      readonly text: string
    }
  | { readonly kind: 'array'; readonly items: readonly JsonValue[]; readonly text: string }

/** Deeper than any log line; the reader recurses. */
const depthMax = 128

const space = /[ \t\n\r]*/y
const plainString = /"[^"\\\u0000-\u001f]*"/y
const anyString = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const numberForm = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y
const wordForm = /true|false|null/y

/** The value of a line; undefined when it is no JSON. */
export function readJson(line: string): JsonValue | undefined {
  const reader = new JsonReader(line)
  const value = reader.value(0)
  return value !== undefined && reader.isAtEnd ? value : undefined
}

class JsonReader {
  readonly #line: string
  #at = 0

  constructor(line: string) {
    this.#line = line
    this.#skipSpace()
  }

  get isAtEnd(): boolean {
    return this.#at === this.#line.length
  }

  /** Takes the white space after it, too. */
  value(depth: number): JsonValue | undefined {
    const first = this.#line[this.#at]
    if (first === '"') {
      const text = this.#string()
      return text === undefined ? undefined : { kind: 'text', text }
    }
    if (first === '{' || first === '[') {
      if (depth === depthMax) return undefined
      return first === '{' ? this.#object(depth) : this.#array(depth)
    }
    const number = this.#take(numberForm)
    if (number !== undefined) return { kind: 'number', text: number }
    const word = this.#take(wordForm)
    return word === undefined ? undefined : { kind: 'word', text: word }
  }

  #object(depth: number): JsonValue | undefined {
    const start = this.#at
    const members: [string, JsonValue][] = []
    this.#skip()
    if (this.#line[this.#at] !== '}') {
      for (;;) {
        const key = this.#line[this.#at] === '"' ? this.#string() : undefined
        if (key === undefined || this.#line[this.#at] !== ':') return undefined
        this.#skip()
        const value = this.value(depth + 1)
        if (value === undefined) return undefined
        members.push([key, value])
        if (this.#line[this.#at] !== ',') break
        this.#skip()
      }
    }
    if (this.#line[this.#at] !== '}') return undefined
    const text = this.#line.slice(start, this.#at + 1)
    this.#skip()
    return { kind: 'object', members, text }
  }

  #array(depth: number): JsonValue | undefined {
    const start = this.#at
    const items: JsonValue[] = []
    this.#skip()
    if (this.#line[this.#at] !== ']') {
      for (;;) {
        const value = this.value(depth + 1)
        if (value === undefined) return undefined
        items.push(value)
        if (this.#line[this.#at] !== ',') break
        this.#skip()
      }
    }
    if (this.#line[this.#at] !== ']') return undefined
    const text = this.#line.slice(start, this.#at + 1)
    this.#skip()
    return { kind: 'array', items, text }
  }

  #string(): string | undefined {
    const plain = this.#take(plainString)
    if (plain !== undefined) return plain.slice(1, -1)
    const escaped = this.#take(anyString)
    // Half of a character can be written as an escape, and is no text.
    return escaped === undefined ? undefined : JSON.parse(escaped).toWellFormed()
  }

  #take(form: RegExp): string | undefined {
    form.lastIndex = this.#at
    if (!form.test(this.#line)) return undefined
    const text = this.#line.slice(this.#at, form.lastIndex)
    this.#at = form.lastIndex
    this.#skipSpace()
    return text
  }

  /** One character, and the white space after it. */
  #skip(): void {
    this.#at++
    this.#skipSpace()
  }

  #skipSpace(): void {
    if (this.#line.charCodeAt(this.#at) > 32) return
    space.lastIndex = this.#at
    space.test(this.#line)
    this.#at = space.lastIndex
  }
}

/** Texts, numbers and words by their keys, those of inner objects joined by `_`; arrays are left out. */
export function flatten(
  value: JsonValue,
  take: (key: string, text: string) => void,
  prefix = '',
): void {
  if (value.kind !== 'object') return
  for (const [key, member] of value.members) {
    const name = prefix + key
    if (member.kind === 'object') flatten(member, take, `${name}_`)
    else if (member.kind !== 'array' && !isNull(member)) take(name, member.text)
  }
}

/** What is at a path, as text: what an object or array is written as; empty for null and nothing. */
export function textAt(value: JsonValue, path: readonly (string | number)[]): string {
  let found: JsonValue | undefined = value
  for (const step of path) {
    if (typeof step === 'number') found = found?.kind === 'array' ? found.items[step] : undefined
    else {
      found =
        found?.kind === 'object' ? found.members.findLast(([key]) => key === step)?.[1] : undefined
    }
  }
  return found === undefined || isNull(found) ? '' : found.text
}

const isNull = ({ kind, text }: JsonValue) => kind === 'word' && text === 'null'
