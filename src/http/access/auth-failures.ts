/**
 * Bounds how often one address may be told that its credential is wrong: so many times in a window, then
 * 429 until the window is over. It is the same count for API keys, ingestion tokens and signing in.
 *
 * Only failing requests are refused. Behind one address there may be many senders, and one of them with
 * a deleted token must not lock the others out, so a good credential is let in at any time, and costs
 * nothing here: nobody looks before a request has failed. What makes guessing hopeless is the length of
 * the secrets; this makes it cheap for us, and visible: it is counted, and logged once a window.
 *
 * Not counted: no credential at all, a valid one that may not do this, and the cookie of a session that
 * has ended (a page with twenty charts sends it twenty times before it can ask to sign in again).
 */

export interface AuthFailuresOptions {
  /** Failures of one address in a window that are answered as what they are. */
  readonly failuresMax: number
  readonly windowMs: number
  /** Addresses that are remembered; beyond it the one whose window began first is forgotten. */
  readonly addressesMax: number
  /** Ms, from any origin; never goes back. */
  readonly now: () => number
}

export type FailureVerdict =
  | { readonly kind: 'within' }
  /** `isFirst`: the window has had no other one before. */
  | { readonly kind: 'beyond'; readonly retryAfterSeconds: number; readonly isFirst: boolean }

interface Window {
  readonly endsAt: number
  count: number
}

const within: FailureVerdict = { kind: 'within' }

export class AuthFailures {
  readonly #options: AuthFailuresOptions
  /** In the order in which the windows began, and so in which they end. */
  readonly #windows = new Map<string, Window>()

  constructor(options: AuthFailuresOptions) {
    this.#options = options
  }

  /** Addresses remembered now. */
  get addressCount(): number {
    return this.#windows.size
  }

  /** Counts a failure of `address`, a key as `addressKey` gives it. */
  note(address: string): FailureVerdict {
    const { failuresMax, now } = this.#options
    const at = now()
    let window = this.#windows.get(address)
    if (window === undefined || at >= window.endsAt) window = this.#begin(address, at)
    window.count += 1
    if (window.count <= failuresMax) return within
    const retryAfterSeconds = Math.ceil((window.endsAt - at) / 1_000)
    return { kind: 'beyond', retryAfterSeconds, isFirst: window.count === failuresMax + 1 }
  }

  #begin(address: string, at: number): Window {
    const { windowMs, addressesMax } = this.#options
    this.#windows.delete(address)
    if (this.#windows.size >= addressesMax) {
      const [oldest] = this.#windows.keys()
      this.#windows.delete(oldest!)
    }
    const window = { endsAt: at + windowMs, count: 0 }
    this.#windows.set(address, window)
    return window
  }
}
