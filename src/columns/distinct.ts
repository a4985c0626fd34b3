/**
 * Finds the distinct values of a column on their bytes, without making strings: an open-addressing
 * hash table that starts small, so that the usual few values stay in the fastest memory.
 *
 * It gives up as soon as a dictionary cannot pay. That also bounds what values made to collide can
 * cost: they lose the dictionary, not our time.
 */
import type { TextColumn } from './column.ts'

export interface DistinctValues {
  /** For each value, the number of the distinct value that it is. */
  readonly codes: Uint16Array
  /** Where each distinct value stands first, in order of first appearance. */
  readonly firsts: Uint32Array
}

/** Distinct values of one column; their codes fit 16 bits. */
export const distinctMax = 65_536

/** After this many values, and again at the end, the share that is new must be small enough. */
const trialCount = 4_096
const trialShareMax = 0.95
const distinctShareMax = 0.5

/** Looked-at places per value, on average, beyond which the table gives up. A few are usual. */
const probesPerValueMax = 16

const emptySlot = -1

/** The distinct values, or undefined when there are too many of them. */
export function findDistinct(values: TextColumn): DistinctValues | undefined {
  const valueCount = values.offsets.length - 1
  const table = new DistinctTable(values)
  const codes = new Uint16Array(valueCount)
  for (let i = 0; i < valueCount; i++) {
    if (i === trialCount && table.size > trialCount * trialShareMax) return undefined
    const code = table.codeOf(i)
    if (code === distinctMax || table.probes > probesPerValueMax * (i + trialCount)) {
      return undefined
    }
    codes[i] = code
  }
  if (table.size > Math.max(1, valueCount * distinctShareMax)) return undefined
  return { codes, firsts: table.firsts.slice(0, table.size) }
}

class DistinctTable {
  size = 0
  probes = 0
  firsts = new Uint32Array(64)
  #hashes = new Int32Array(64)
  #slots = new Int32Array(256).fill(emptySlot)
  readonly #offsets: Uint32Array
  readonly #bytes: Buffer
  readonly #view: DataView

  constructor({ offsets, bytes }: TextColumn) {
    this.#offsets = offsets
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** The number of value `index`, new or known; `distinctMax` when there would be too many. */
  codeOf(index: number): number {
    const start = this.#offsets[index]!
    const end = this.#offsets[index + 1]!
    const hash = this.#hash(start, end)
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = hash & mask
    for (let code = slots[slot]!; code !== emptySlot; code = slots[slot]!) {
      this.probes++
      if (this.#hashes[code] === hash && this.#isSame(this.firsts[code]!, start, end)) return code
      slot = (slot + 1) & mask
    }
    if (this.size === distinctMax) return distinctMax
    const code = this.size++
    slots[slot] = code
    this.firsts[code] = index
    this.#hashes[code] = hash
    if (this.size === this.firsts.length) this.#grow()
    return code
  }

  /** Doubles the table; it is never more than a quarter full. */
  #grow(): void {
    const firsts = new Uint32Array(this.firsts.length * 2)
    const hashes = new Int32Array(firsts.length)
    firsts.set(this.firsts)
    hashes.set(this.#hashes)
    this.firsts = firsts
    this.#hashes = hashes
    const slots = new Int32Array(firsts.length * 4).fill(emptySlot)
    const mask = slots.length - 1
    for (let code = 0; code < this.size; code++) {
      let slot = hashes[code]! & mask
      while (slots[slot] !== emptySlot) slot = (slot + 1) & mask
      slots[slot] = code
    }
    this.#slots = slots
  }

  #hash(start: number, end: number): number {
    let hash = end - start
    let at = start
    for (; at + 4 <= end; at += 4) {
      hash = Math.imul(hash ^ this.#view.getInt32(at, true), 0x9e3779b1)
      hash ^= hash >>> 15
    }
    for (; at < end; at++) hash = Math.imul(hash ^ this.#bytes[at]!, 0x85ebca6b)
    hash ^= hash >>> 13
    hash = Math.imul(hash, 0xc2b2ae35)
    return hash ^ (hash >>> 16)
  }

  #isSame(other: number, start: number, end: number): boolean {
    const otherStart = this.#offsets[other]!
    if (this.#offsets[other + 1]! - otherStart !== end - start) return false
    const shift = otherStart - start
    let at = start
    for (; at + 4 <= end; at += 4) {
      if (this.#view.getInt32(at, true) !== this.#view.getInt32(at + shift, true)) return false
    }
    for (; at < end; at++) {
      if (this.#bytes[at] !== this.#bytes[at + shift]) return false
    }
    return true
  }
}
