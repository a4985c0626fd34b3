/**
 * Words, as template columns see them: maximal runs of ASCII letters and digits. Everything between
 * words, bytes of non-ASCII characters too, separates them.
 *
 * Texts are taken as bytes. Where a string stands for bytes it is `latin1`: one character a byte, so
 * that comparing and searching need no decoding, and any bytes at all survive.
 */

/** What a byte is. A word's kinds are the kinds of its bytes, or-ed. */
export const separatorKind = 0
const letterKind = 1
export const digitKind = 2

/** The kind of each byte. */
export const byteKinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (/[0-9]/.test(character)) return digitKind
  return /[A-Za-z]/.test(character) ? letterKind : separatorKind
})

/** Where the word ends that begins at `start` of a latin1 text; `start` itself if none does. */
export function wordEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && byteKinds[text.charCodeAt(end)] !== separatorKind) end++
  return end
}

/** Multiplier of the hashes here: odd, with well-mixed bits (2^32 / golden ratio). */
export const hashMultiplier = 0x9e3779b1

/** The hash by which `WordTable` finds a word. The splitter computes the same on its way. */
export function hashWord(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, hashMultiplier)
  return hash
}

const initialBits = 8

/**
 * Distinct words of one buffer, numbered from 0 in the order in which they were added. Words stay
 * where they are; the table keeps places. (A Map would need a string per look-up, which takes five
 * times as long.)
 */
export class WordTable {
  readonly #bytes: Uint8Array
  #count = 0
  /** Word number plus one, by hash; 0 where free. At most half full. */
  #slots = new Int32Array(1 << initialBits)
  #shift = 32 - initialBits
  #starts = new Uint32Array(1 << (initialBits - 1))
  #ends = new Uint32Array(1 << (initialBits - 1))

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get count(): number {
    return this.#count
  }

  startOf(word: number): number {
    return this.#starts[word]!
  }

  endOf(word: number): number {
    return this.#ends[word]!
  }

  /** The number of a word, or -1. */
  find(start: number, end: number, hash: number): number {
    return this.#slots[this.#slotOf(start, end, hash)]! - 1
  }

  /** The number of a word, which is added when it is new. */
  add(start: number, end: number, hash: number): number {
    const slot = this.#slotOf(start, end, hash)
    const known = this.#slots[slot]!
    if (known !== 0) return known - 1
    const word = this.#count++
    this.#slots[slot] = word + 1
    this.#starts[word] = start
    this.#ends[word] = end
    if (this.#count === this.#starts.length) this.#grow()
    return word
  }

  /** Where the word is, or the free slot where it would be. */
  #slotOf(start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1
    let slot = hash >>> this.#shift
    for (;;) {
      const word = this.#slots[slot]! - 1
      if (word === -1 || this.#isAt(word, start, end)) return slot
      slot = (slot + 1) & mask
    }
  }

  #isAt(word: number, start: number, end: number): boolean {
    const bytes = this.#bytes
    let at = this.#starts[word]!
    if (this.#ends[word]! - at !== end - start) return false
    for (let i = start; i < end; i++, at++) {
      if (bytes[i] !== bytes[at]) return false
    }
    return true
  }

  #grow(): void {
    const starts = new Uint32Array(this.#starts.length * 2)
    starts.set(this.#starts)
    this.#starts = starts
    const ends = new Uint32Array(this.#ends.length * 2)
    ends.set(this.#ends)
    this.#ends = ends
    this.#slots = new Int32Array(this.#slots.length * 2)
    this.#shift--
    const mask = this.#slots.length - 1
    for (let word = 0; word < this.#count; word++) {
      let slot = hashWord(this.#bytes, starts[word]!, ends[word]!) >>> this.#shift
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = word + 1
    }
  }
}
