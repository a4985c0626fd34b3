/**
 * Chance that can be repeated: the same seed gives the same numbers on every machine and version of
 * Node. Only integer arithmetic, multiplication and `toFixed` are used, because `Math.log` and its
 * kin may differ in the last bit between engines.
 *
 * Good enough to make test data; never for secrets.
 */

import { mulberry32 } from '../src/demo/mulberry32.ts'

export interface Random {
  /** From 0 up to, not including, 1. */
  readonly unit: () => number
  /** An integer from 0 up to, not including, `bound` (1…2^32). */
  readonly below: (bound: number) => number
  /** Like `below`, but small numbers are far likelier, as sizes and durations are in real logs. */
  readonly skewedBelow: (bound: number) => number
  readonly pick: <T>(choices: readonly T[]) => T
  /** `length` lower-case hex digits; `length` is a multiple of 4. */
  readonly hex: (length: number) => string
}

/** All four-digit hex numbers: looking them up is four times faster than `toString(16)`. */
const hexQuads: readonly string[] = Array.from({ length: 65_536 }, (_, value) =>
  value.toString(16).padStart(4, '0'),
)

export function makeRandom(seed: number): Random {
  const next32 = mulberry32(seed)
  const unit = (): number => next32() / 4_294_967_296
  const below = (bound: number): number => Math.floor(unit() * bound)

  return {
    unit,
    below,
    skewedBelow: bound => {
      const chance = unit()
      return Math.floor(chance * chance * chance * bound)
    },
    pick: choices => choices[below(choices.length)]!,
    hex: length => {
      let digits = ''
      for (let made = 0; made < length; made += 4) {
        digits += hexQuads[next32() >>> 16]!
      }
      return digits
    },
  }
}

/** Picks an index with the given relative weights. The table is made once and looked up often. */
export function makeWeightedPick(random: Random, weights: readonly number[]): () => number {
  const slotCount = 4_096
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const slots = new Uint8Array(slotCount)
  let filled = 0
  let reached = 0
  for (const [index, weight] of weights.entries()) {
    reached += weight
    const end = Math.round((reached / total) * slotCount)
    slots.fill(index, filled, end)
    filled = end
  }
  return () => slots[random.below(slotCount)]!
}
