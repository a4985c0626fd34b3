/** Distinct skeletons, found by hash and told by their bytes: in a tenth of the memory of a Map of texts. */

import { hashMultiplier } from '../words.ts'
import { skeletonLengthMax, writeSkeleton } from './skeleton.ts'

const wordBytes = 4
const initialCount = 512

/** Where each skeleton is written first: in whole words, which are compared and hashed faster than bytes. */
const roomWords = new Uint32Array(Math.ceil(skeletonLengthMax / wordBytes))
const room = Buffer.from(roomWords.buffer)

/** Numbered from 0 in the order in which they were added. */
export class SkeletonTable {
  #count = 0
  /** Number plus one; 0 where free. At most half full. */
  #slots = new Int32Array(2 * initialCount)
  #shift = 32 - Math.log2(2 * initialCount)
  #hashes = new Int32Array(initialCount)
  /** Bytes of each. */
  #lengths = new Uint16Array(initialCount)
  /** The word with which each begins, and, behind the last, with which the next one will. */
  #begins = new Uint32Array(initialCount + 1)
  /** Of all, filled up with zeros to whole words. */
  #words = new Uint32Array(8 * initialCount)

  get count(): number {
    return this.#count
  }

  /** That all skeletons take. */
  get byteLength(): number {
    return wordBytes * this.#begins[this.#count]!
  }

  /** The number of the skeleton of the message in `bytes[start, end)`, which is added when it is new. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const length = writeSkeleton(bytes, start, end, room)
    const wordCount = Math.ceil(length / wordBytes)
    for (let at = length; at < wordBytes * wordCount; at++) room[at] = 0
    let hash = 0
    for (let i = 0; i < wordCount; i++) {
      hash = Math.imul(hash ^ roomWords[i]!, hashMultiplier)
      // High bits of a word would never come to the lower ones.
      hash ^= hash >>> 15
    }
    const mask = this.#slots.length - 1
    let slot = (hash >>> this.#shift) & mask
    for (let known = this.#slots[slot]!; known !== 0; known = this.#slots[slot]!) {
      if (this.#hashes[known - 1] === hash && this.#isAt(known - 1, length, wordCount)) {
        return known - 1
      }
      slot = (slot + 1) & mask
    }
    this.#slots[slot] = this.#count + 1
    return this.#keep(length, wordCount, hash)
  }

  /** A skeleton as latin1. */
  latin1Of(number: number): string {
    const begin = wordBytes * this.#begins[number]!
    const bytes = Buffer.from(this.#words.buffer)
    return bytes.toString('latin1', begin, begin + this.#lengths[number]!)
  }

  #isAt(number: number, length: number, wordCount: number): boolean {
    if (this.#lengths[number] !== length) return false
    const words = this.#words
    const begin = this.#begins[number]!
    for (let i = 0; i < wordCount; i++) if (words[begin + i] !== roomWords[i]) return false
    return true
  }

  #keep(length: number, wordCount: number, hash: number): number {
    const number = this.#count++
    const begin = this.#begins[number]!
    if (this.#words.length < begin + wordCount) this.#words = enlarged(this.#words, wordCount)
    this.#words.set(roomWords.subarray(0, wordCount), begin)
    this.#begins[number + 1] = begin + wordCount
    this.#lengths[number] = length
    this.#hashes[number] = hash
    if (this.#count === this.#hashes.length) this.#grow()
    return number
  }

  #grow(): void {
    const hashes = new Int32Array(2 * this.#count)
    hashes.set(this.#hashes)
    this.#hashes = hashes
    const lengths = new Uint16Array(2 * this.#count)
    lengths.set(this.#lengths)
    this.#lengths = lengths
    this.#begins = enlarged(this.#begins, 0)
    this.#slots = new Int32Array(4 * this.#count)
    this.#shift--
    const mask = this.#slots.length - 1
    for (let number = 0; number < this.#count; number++) {
      let slot = (hashes[number]! >>> this.#shift) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = number + 1
    }
  }
}

function enlarged(values: Uint32Array, by: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * values.length + by)
  larger.set(values)
  return larger
}
