/**
 * Which runs of three bytes are in some bytes, in 4 KiB: small enough to be kept when the bytes
 * themselves are not. A text whose runs are not all there cannot be in the bytes.
 */

const bits = 2 ** 15

/** Nothing is told of shorter texts. */
export const trigramBytes = 3

export class Trigrams {
  readonly #marks = new Uint32Array(bits / 32)

  constructor(bytes: Uint8Array) {
    const marks = this.#marks
    for (let at = 2; at < bytes.length; at++) {
      const mark = markOf(bytes[at - 2]!, bytes[at - 1]!, bytes[at]!)
      marks[mark >>> 5]! |= 1 << (mark & 31)
    }
  }

  get heldBytes(): number {
    return this.#marks.byteLength
  }

  /** False when the bytes do not hold the text; a shorter text than `trigramBytes` they always may. */
  mayHold(text: Uint8Array): boolean {
    for (let at = 2; at < text.length; at++) {
      const mark = markOf(text[at - 2]!, text[at - 1]!, text[at]!)
      if (((this.#marks[mark >>> 5]! >>> (mark & 31)) & 1) === 0) return false
    }
    return true
  }
}

/** The low five bits of each byte tell letters apart, but for their case, and digits. */
function markOf(first: number, second: number, third: number): number {
  return ((first & 31) << 10) | ((second & 31) << 5) | (third & 31)
}
