/**
 * How much an answer may take of a model's attention. Tokens are counted as a third of the bytes of the
 * JSON: words of English are longer, ids and numbers of logs about so long, and other scripts shorter in
 * characters.
 */

import { limits } from '../../../limits.ts'

export const bytesPerToken = 3

/** For what stands around the lists of an answer: names of its members, a cursor, how much was cut. */
const aroundBytes = 400

export class Budget {
  #leftBytes: number
  readonly bytes: number

  constructor(tokens: number = limits.mcpTokensDefault) {
    this.bytes = tokens * bytesPerToken
    this.#leftBytes = this.bytes - aroundBytes
  }

  get leftBytes(): number {
    return this.#leftBytes
  }

  /** A budget of its own, made of a share of what is left here. */
  part(share: number): Budget {
    const part = new Budget(0)
    part.#leftBytes = Math.floor(this.#leftBytes * share)
    this.#leftBytes -= part.#leftBytes
    return part
  }

  /** Takes what `value` needs as JSON, if there is so much left; returns whether there was. */
  take(value: unknown): boolean {
    const bytes = jsonBytes(value)
    if (bytes > this.#leftBytes) return false
    this.#leftBytes -= bytes
    return true
  }
}

/** With the comma behind it. */
function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1
}
