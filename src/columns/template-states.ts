/**
 * A regular expression on the texts of one template, without these texts: the states that the expression is
 * in go over static parts once for all texts, and over a variable only where it matters what stands there.
 *
 * Mostly it does not. Of `port \d+ ssh2$` on "… port 0 ssh2" the slot's kind tells that all its words are
 * digits; of `rhost=.* user=root` every address leads to the same state, and only the user is looked at.
 */
import { lost, matched, type StateTable, type WordKind } from '../match/state-table.ts'
import type { StateRows } from './state-rows.ts'
import { staticParts } from './template/static-parts.ts'

/** Where the word of a variable decides how it goes on. */
export const decides = -1

/** Slots that are looked ahead at once. */
const slotsAheadMax = 250
/** Characters of static parts that are gone over to see whether variables matter; then they are taken to. */
const aheadMax = 2 ** 16

export class TemplateStates {
  readonly #table: StateTable
  /** The static parts, decoded: before each slot, and behind the last one. */
  readonly #parts: readonly string[]
  readonly #kinds: readonly WordKind[]
  /** Those of the jumps of each slot, behind them those of each part. */
  readonly #rows: StateRows
  readonly #jumpsRow: number
  readonly #settledRow: number
  #aheadLeft = aheadMax
  #slotsAhead = 0

  /** `rows`: of the table; `text`: in latin1, "0" for each variable; `kinds`: of each slot's words. */
  constructor(table: StateTable, rows: StateRows, text: string, kinds: readonly WordKind[]) {
    this.#table = table
    this.#rows = rows
    this.#jumpsRow = rows.add(2 * kinds.length + 1)
    this.#settledRow = this.#jumpsRow + kinds.length
    this.#parts = staticParts(text)
    this.#kinds = kinds
  }

  /** The state before the first slot. As any here it is `matched` or `lost` as soon as that is known. */
  get first(): number {
    return this.#after(0, this.#table.start)
  }

  /** The state before the next slot whatever word stands in this one; `decides`: that depends on the word. */
  jump(slot: number, state: number): number {
    if (state <= matched) return state
    const row = this.#jumpsRow + slot
    let jump = this.#rows.get(row, state)
    if (jump === undefined) {
      jump = this.#look(slot, state)
      this.#rows.set(row, state, jump)
    }
    return jump
  }

  /** The state before the next slot, after the word `bytes[start, end)`. */
  over(slot: number, state: number, bytes: Uint8Array, start: number, end: number): number {
    return this.#after(slot + 1, this.#table.overBytes(state, bytes, start, end))
  }

  #look(slot: number, state: number): number {
    const reached = this.#table.afterWords(state, this.#kinds[slot]!)
    if (reached === undefined || this.#slotsAhead === slotsAheadMax) return decides
    this.#slotsAhead++
    let jump: number | undefined
    for (const afterWord of reached) {
      this.#aheadLeft -= this.#parts[slot + 1]!.length + 1
      const next = this.#aheadLeft < 0 ? decides : this.#after(slot + 1, afterWord)
      jump ??= next
      if (next !== jump) jump = decides
      if (jump === decides) break
    }
    this.#slotsAhead--
    return jump!
  }

  /** The state behind a static part, before it `state`. */
  #after(part: number, state: number): number {
    if (state === lost) return lost
    const row = this.#settledRow + part
    let next = this.#rows.get(row, state)
    if (next === undefined) {
      next = this.#settle(part, this.#table.overText(state, this.#parts[part]!))
      this.#rows.set(row, state, next)
    }
    return next
  }

  /** A state before a slot from which it does not matter what follows is that end already. */
  #settle(slot: number, state: number): number {
    if (slot === this.#kinds.length) return this.#table.accepts(state) ? matched : lost
    const jump = this.jump(slot, state)
    return jump === matched || jump === lost ? jump : state
  }
}
