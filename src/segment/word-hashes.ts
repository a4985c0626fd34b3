/**
 * The distinct words of many texts, kept as hashes of 32 bits: two words with the same hash count as
 * one, which a filter cannot tell anyway. A table with open addressing, because a Set of numbers
 * takes ten times as long.
 */
import type { TextColumn } from '../columns/column.ts'
import { isWordByte } from './tokens.ts'

const emptyHash = 0x811c9dc5
const capacityMin = 1024

export class WordHashes {
  /** Distinct hashes so far. */
  size = 0
  /** Zero: free. Its length is a power of two, and at most half of it is taken. */
  #slots = new Uint32Array(capacityMin)

  /** Adds all words of all texts. A text's end also ends a word. */
  addTexts({ offsets, bytes }: TextColumn): void {
    let at = offsets[0]!
    for (let i = 1; i < offsets.length; i++) {
      const end = offsets[i]!
      while (at < end) {
        let byte = bytes[at++]!
        if (isWordByte[byte] === 0) continue
        let hash = emptyHash
        do {
          hash = addByte(hash, byte)
          if (at === end) break
          byte = bytes[at++]!
        } while (isWordByte[byte] === 1)
        this.#add(finish(hash))
      }
    }
  }

  /** The hashes, each once. */
  toArray(): Uint32Array {
    const hashes = new Uint32Array(this.size)
    let count = 0
    for (let slot = 0; slot < this.#slots.length; slot++) {
      const hash = this.#slots[slot]!
      if (hash !== 0) hashes[count++] = hash
    }
    return hashes
  }

  #add(hash: number): void {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = hash & mask
    while (slots[slot] !== 0) {
      if (slots[slot] === hash) return
      slot = (slot + 1) & mask
    }
    slots[slot] = hash
    this.size++
    if (this.size * 2 > slots.length) this.#grow()
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(old.length * 2)
    this.size = 0
    for (const hash of old) {
      if (hash !== 0) this.#add(hash)
    }
  }
}

/** The hash of one word; the same that `WordHashes` gives it. Not zero, below 2^32. */
export function hashOfWord(word: string): number {
  let hash = emptyHash
  for (let i = 0; i < word.length; i++) hash = addByte(hash, word.charCodeAt(i))
  return finish(hash)
}

/** FNV-1a: one multiplication a byte. */
function addByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193)
}

/** The last steps of MurmurHash3, by which every bit of a hash depends on every byte of the word. */
function finish(fnv: number): number {
  let hash = fnv
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  hash ^= hash >>> 16
  return hash === 0 ? 1 : hash >>> 0
}
