/**
 * What a thread keeps, weighed: what is worth the least is let go of first. A thread keeps ten thousand parts
 * of blocks and weighs all of them whenever its memory is full, which in one question over many blocks it is
 * again and again: so there is no object for each of them, and they are sorted as plain numbers.
 */
import type { Kept } from '../columns/kept.ts'
import { worthKeeping } from '../memory-policy.js'

/** Bits of a worth that give way to the number of what has it: less than a thousand-millionth of it. */
const numberBits = 20
/** What is more than this is not weighed. */
const keptMax = 2 ** numberBits
const numberMask = keptMax - 1
const worthsMin = 1_024

export class WeighedKept {
  readonly #kept: Kept[] = []
  readonly #keys: string[] = []
  /** Doubles from zero on are in the order of their bits; the last bits of each are its number. */
  #worths = new Float64Array(worthsMin)
  #words = new Uint32Array(this.#worths.buffer)

  /** `key`: of the block that it is a part of. */
  add(kept: Kept, key: string, isInUse: boolean): void {
    const number = this.#kept.length
    if (kept.heldBytes === 0 || number === keptMax) return
    if (number === this.#worths.length) this.#grow()
    this.#worths[number] = worthKeeping(kept, isInUse)
    const low = 2 * number // Of a little-endian machine; on others the order is a rough one.
    this.#words[low] = (this.#words[low]! & ~numberMask) | number
    this.#kept.push(kept)
    this.#keys.push(key)
  }

  /**
   * Releases one after the other, from what is worth the least on, until `isEnough`, which is told the block
   * of each. Returns whether it was. To be called once.
   */
  release(isEnough: (key: string) => boolean): boolean {
    this.#worths.subarray(0, this.#kept.length).sort()
    for (let i = 0; i < this.#kept.length; i++) {
      const number = this.#words[2 * i]! & numberMask
      this.#kept[number]!.release()
      if (isEnough(this.#keys[number]!)) return true
    }
    return false
  }

  #grow(): void {
    const larger = new Float64Array(2 * this.#worths.length)
    larger.set(this.#worths)
    this.#worths = larger
    this.#words = new Uint32Array(larger.buffer)
  }
}
