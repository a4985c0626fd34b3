/**
 * Chance that can be repeated: the same seed gives the same traffic. Good enough to make up logs
 * (see `mulberry32.ts`); never for secrets.
 */

import { mulberry32 } from './mulberry32.ts'

export interface Chance {
  /** From 0 up to, not including, 1. */
  unit(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** Around `middle`, with a long tail upwards, as durations are: half below it, 1 % above eight times. */
  skewed(middle: number): number
  /** The time to the next of things that happen `perSecond` times a second, ms. */
  gapMs(perSecond: number): number
  /** True with this probability. */
  happens(probability: number): boolean
  pick<T>(choices: readonly [T, ...T[]]): T
  /** So many lower-case hex digits. */
  hex(length: number): string
}

/** Random values from `seed`, an integer of 32 bits. */
export function makeChance(seed: number): Chance {
  const next32 = mulberry32(seed)
  const unit = () => next32() / 2 ** 32
  return {
    unit,
    between: (low, high) => low + Math.floor(unit() * (high - low + 1)),
    // The sum of three is nearly normal; its exponential nearly log-normal.
    skewed: middle =>
      Math.max(1, Math.round(middle * Math.exp(1.8 * (unit() + unit() + unit() - 1.5)))),
    gapMs: perSecond => (-Math.log(1 - unit()) * 1_000) / perSecond,
    happens: probability => unit() < probability,
    pick: choices => choices[Math.floor(unit() * choices.length)]!,
    hex: length => {
      let digits = ''
      while (digits.length < length) digits += (next32() + 2 ** 32).toString(16).slice(1)
      return digits.slice(0, length)
    },
  }
}
