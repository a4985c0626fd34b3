/**
 * Numbers that seem to be of chance, and are the same for the same seed on every machine (mulberry32 by
 * Tommy Ettinger, period 2^32): for made-up records, never for secrets.
 */

/** Returns a source of whole numbers from 0 up to, not including, 2^32. */
export function mulberry32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
