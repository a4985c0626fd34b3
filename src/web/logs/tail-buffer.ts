/**
 * Records of a live tail, the newest first: those shown, and while it is paused those that wait. Both have
 * a bound: a tail runs for hours.
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
      const fresh = this.#arrived.toReversed()
      this.#shown = [...fresh, ...this.#shown].slice(0, this.#max)
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
