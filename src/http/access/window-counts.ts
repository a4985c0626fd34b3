/**
 * Counts what comes under a key, so many times in a window of time, in bounded memory: beyond its keys the
 * one whose window began first is forgotten.
 */

export interface WindowCountsOptions {
  /** Of a key in a window that are within. */
  readonly countMax: number
  readonly windowMs: number
  /** Keys that are remembered. */
  readonly keysMax: number
  /** Ms, from any origin; never goes back. */
  readonly now: () => number
}

export type WindowVerdict =
  | { readonly kind: 'within' }
  /** `isFirst`: the window has had no other one before. */
  | { readonly kind: 'beyond'; readonly retryAfterSeconds: number; readonly isFirst: boolean }

interface Window {
  readonly endsAt: number
  count: number
}

const within: WindowVerdict = { kind: 'within' }

export class WindowCounts {
  readonly #options: WindowCountsOptions
  /** In the order in which the windows began, and so in which they end. */
  readonly #windows = new Map<string, Window>()

  constructor(options: WindowCountsOptions) {
    this.#options = options
  }

  /** Keys remembered now. */
  get keyCount(): number {
    return this.#windows.size
  }

  note(key: string): WindowVerdict {
    const { countMax, now } = this.#options
    const at = now()
    let window = this.#windows.get(key)
    if (window === undefined || at >= window.endsAt) window = this.#begin(key, at)
    window.count += 1
    if (window.count <= countMax) return within
    const retryAfterSeconds = Math.ceil((window.endsAt - at) / 1_000)
    return { kind: 'beyond', retryAfterSeconds, isFirst: window.count === countMax + 1 }
  }

  #begin(key: string, at: number): Window {
    const { windowMs, keysMax } = this.#options
    this.#windows.delete(key)
    if (this.#windows.size >= keysMax) {
      const [oldest] = this.#windows.keys()
      this.#windows.delete(oldest!)
    }
    const window = { endsAt: at + windowMs, count: 0 }
    this.#windows.set(key, window)
    return window
  }
}
