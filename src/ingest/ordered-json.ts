/**
 * JSON whose objects keep the order of their names.
 *
 * JavaScript puts names that are integers before all others, whatever their order was: `{"b":1,"1":2}`
 * would come back as `{"1":2,"b":1}`. An object that would is made one that enumerates its names as
 * they came; `JSON.stringify` and `for` do as it says. Only texts that have such names come here: it
 * takes several times as long as `JSON.parse`.
 */

import { byte } from './bytes.ts'
import { isExact, rawNumber } from './numbers.ts'

/**
 * Reads `text`, which must be JSON, and not too deep. Of names that appear twice the first has the place
 * and the last the value; numbers are as `parseWithRawNumbers` has them.
 */
export function parseInOrder(text: string): unknown {
  return new OrderedParser(text).value()
}

class OrderedParser {
  readonly #text: string
  #offset = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): unknown {
    const start = this.#skip()
    switch (this.#text[start]) {
      case '{':
        this.#offset = start + 1
        return this.#object()
      case '[':
        this.#offset = start + 1
        return this.#array()
      case '"':
        return this.#string(start)
      default:
        return this.#scalar(start)
    }
  }

  /** Skips white space, commas and colons, which mean nothing in a text that is known to be valid. */
  #skip(): number {
    let current = this.#text.charCodeAt(this.#offset)
    while (current <= byte.space || current === byte.comma || current === byte.colon) {
      this.#offset += 1
      current = this.#text.charCodeAt(this.#offset)
    }
    return this.#offset
  }

  /** Whether the object or array ends here; then its bracket is passed. */
  #ends(bracket: string): boolean {
    const isEnd = this.#text[this.#skip()] === bracket
    if (isEnd) this.#offset += 1
    return isEnd
  }

  #array(): unknown[] {
    const values: unknown[] = []
    while (!this.#ends(']')) values.push(this.value())
    return values
  }

  #object(): object {
    const object: Record<string, unknown> = {}
    const names: string[] = []
    while (!this.#ends('}')) {
      const name = this.#string(this.#offset)
      names.push(name)
      const value = this.value()
      if (name === '__proto__') Object.defineProperty(object, name, { value, ...usual })
      else object[name] = value
    }
    return inOrder(object, names)
  }

  #string(start: number): string {
    const text = this.#text
    let hasEscape = false
    let end = start + 1
    for (let current = text.charCodeAt(end); current !== byte.quote; ) {
      const isEscape = current === byte.backslash
      hasEscape ||= isEscape
      end += isEscape ? 2 : 1
      current = text.charCodeAt(end)
    }
    this.#offset = end + 1
    return hasEscape ? JSON.parse(text.slice(start, end + 1)) : text.slice(start + 1, end)
  }

  #scalar(start: number): unknown {
    const text = this.#text
    let end = start
    while (end < text.length && !' \t\r\n,]}'.includes(text[end]!)) end += 1
    this.#offset = end
    const source = text.slice(start, end)
    const isNumber = source[0] === '-' || (source >= '0' && source < ':')
    if (!isNumber) return JSON.parse(source)
    return isExact(source) ? Number(source) : rawNumber(source)
  }
}

/** An assignment would take it for more than a name. */
const usual = { configurable: true, enumerable: true, writable: true }

/** `object`, or one with its fields that enumerates them as `names` does, in which some appear twice. */
function inOrder(object: object, names: readonly string[]): object {
  const keys = Object.keys(object)
  const distinct = keys.length === names.length ? names : [...new Set(names)]
  let same = 0
  while (same < keys.length && keys[same] === distinct[same]) same += 1
  return same === keys.length ? object : new Proxy(object, { ownKeys: () => distinct as string[] })
}
