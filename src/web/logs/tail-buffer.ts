/**
 * Records of a live tail, the newest first by their own time, whenever they arrived: those shown, and
 * while it is paused those that wait. Both have a bound: a tail runs for hours.
 */

import type { AnswerRecord } from '../api/records.ts'

export interface TailView {
  readonly shown: readonly AnswerRecord[]
  /** Arrived since the pause. */
  readonly waiting: number
  readonly isPaused: boolean
  /** Matching records that the service or this page left out. */
  readonly dropped: number
  /** Records per second, of the last few seconds. */
  readonly rate: number
}

const rateSpanMs = 5_000

export class TailBuffer {
  readonly #max: number
  #shown: readonly AnswerRecord[] = []
  #arrived: AnswerRecord[] = []
  #isPaused = false
  #dropped = 0
  readonly #counts: { readonly at: number; count: number }[] = []

  /** Keeps `max` records shown, and as many waiting. */
  constructor(max: number) {
    this.#max = max
  }

  /** @param isNew False for those that were there before the tail began: they are no rate. */
  add(record: AnswerRecord, now: number, isNew = true): void {
    this.#arrived.push(record)
    if (this.#arrived.length > 2 * this.#max) {
      this.#dropped += this.#arrived.length - this.#max
      this.#arrived = this.#arrived.slice(-this.#max)
    }
    if (!isNew) return
    const last = this.#counts.at(-1)
    if (last !== undefined && now - last.at < 250) last.count += 1
    else this.#counts.push({ at: now, count: 1 })
  }

  addDropped(count: number): void {
    this.#dropped += count
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
  }

  clear(): void {
    this.#shown = []
    this.#arrived = []
    this.#dropped = 0
  }

  /** Takes what waits into what is shown, unless it is paused, and tells how things stand. */
  look(now: number): TailView {
    if (!this.#isPaused && this.#arrived.length > 0) {
      this.#shown = merged(this.#arrived.toReversed(), this.#shown).slice(0, this.#max)
      this.#arrived = []
    }
    while (this.#counts.length > 0 && now - this.#counts[0]!.at > rateSpanMs) this.#counts.shift()
    const count = this.#counts.reduce((sum, one) => sum + one.count, 0)
    return {
      shown: this.#shown,
      waiting: this.#arrived.length,
      isPaused: this.#isPaused,
      dropped: this.#dropped,
      rate: (count * 1_000) / rateSpanMs,
    }
  }
}

/** Both in the order of the list; of the same time the one that arrived later is first, as in answers. */
function merged(
  fresh: readonly AnswerRecord[],
  shown: readonly AnswerRecord[],
): readonly AnswerRecord[] {
  const sorted = fresh.toSorted((a, b) => b.timestamp - a.timestamp)
  const oldest = sorted.at(-1)!.timestamp
  // Mostly all that is fresh is newer than what is there.
  const end = shown.findIndex(({ timestamp }) => timestamp <= oldest)
  const mixed = end < 0 ? shown : shown.slice(0, end)
  const rest = end < 0 ? [] : shown.slice(end)
  const all = [...sorted, ...mixed]
  if (mixed.length > 0) all.sort((a, b) => b.timestamp - a.timestamp)
  return [...all, ...rest]
}
