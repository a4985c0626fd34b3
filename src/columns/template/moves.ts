/** How the words of a slot move the states of an expression on (`../template-states.ts`). */
import { decides } from '../template-states.ts'

export interface Moves {
  /** By state: the one after any word; `decides`: that depends on the word. */
  readonly jumps: Int16Array
  /** The state after the word `bytes[start, end)`, which is ASCII. */
  over(state: number, bytes: Uint8Array, start: number, end: number): number
}

/** Moves texts over words with codes: over a word once for all that are in a state. */
export function moveByCodes(
  states: Uint16Array,
  codes: ArrayLike<number>,
  { jumps }: Moves,
  over: (state: number, code: number) => number,
): void {
  const known: (number | undefined)[][] = []
  for (let i = 0; i < states.length; i++) {
    const state = states[i]!
    let next = jumps[state]!
    if (next === decides) {
      known[state] ??= []
      const ofState = known[state]
      const code = codes[i]!
      ofState[code] ??= over(state, code)
      next = ofState[code]
    }
    states[i] = next
  }
}
