/** Distinct sequences of symbols, found by hash: templates. */

/** The same with room for at least `by` more. */
export function enlarge(values: Uint32Array, by: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(values.length * 2 + by)
  larger.set(values)
  return larger
}

/** Numbered from 0 in the order in which they were added. */
export class SequenceTable {
  count = 0
  /** Number plus one; 0 where free. At most half full. */
  #slots = new Int32Array(1024)
  #shift = 22
  #hashes = new Int32Array(512)
  /** Where the symbols of each begin, and, behind the last, where the next one's will. */
  #begins = new Uint32Array(513)
  #symbols = new Uint32Array(16_384)

  /** The number of `symbols[0, length)`, which are added when they are new; `hash` is of these alone. */
  add(symbols: Uint32Array, length: number, hash: number): number {
    const mask = this.#slots.length - 1
    let slot = hash >>> this.#shift
    for (;;) {
      const sequence = this.#slots[slot]! - 1
      if (sequence === -1) break
      if (this.#hashes[sequence] === hash && this.#isAt(sequence, symbols, length)) return sequence
      slot = (slot + 1) & mask
    }
    const sequence = this.count++
    const begin = this.#begins[sequence]!
    if (this.#symbols.length < begin + length) this.#symbols = enlarge(this.#symbols, length)
    this.#symbols.set(symbols.subarray(0, length), begin)
    this.#begins[sequence + 1] = begin + length
    this.#hashes[sequence] = hash
    this.#slots[slot] = sequence + 1
    if (this.count === this.#hashes.length) this.#grow()
    return sequence
  }

  #isAt(sequence: number, symbols: Uint32Array, length: number): boolean {
    const kept = this.#symbols
    const begin = this.#begins[sequence]!
    if (this.#begins[sequence + 1]! - begin !== length) return false
    for (let i = 0; i < length; i++) {
      if (kept[begin + i] !== symbols[i]) return false
    }
    return true
  }

  #grow(): void {
    const hashes = new Int32Array(this.#hashes.length * 2)
    hashes.set(this.#hashes)
    this.#hashes = hashes
    this.#begins = enlarge(this.#begins, 0)
    this.#slots = new Int32Array(this.#slots.length * 2)
    this.#shift--
    const mask = this.#slots.length - 1
    for (let sequence = 0; sequence < this.count; sequence++) {
      let slot = hashes[sequence]! >>> this.#shift
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = sequence + 1
    }
  }

  /** Valid until the next is added. */
  symbolsOf(sequence: number): Uint32Array {
    return this.#symbols.subarray(this.#begins[sequence]!, this.#begins[sequence + 1]!)
  }
}
