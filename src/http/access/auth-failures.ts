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

import { WindowCounts, type WindowVerdict } from './window-counts.ts'

export interface AuthFailuresOptions {
  /** Failures of one address in a window that are answered as what they are. */
  readonly failuresMax: number
  readonly windowMs: number
  /** Addresses that are remembered; beyond it the one whose window began first is forgotten. */
  readonly addressesMax: number
  /** Ms, from any origin; never goes back. */
  readonly now: () => number
}

export class AuthFailures {
  readonly #counts: WindowCounts

  constructor({ failuresMax, windowMs, addressesMax, now }: AuthFailuresOptions) {
    this.#counts = new WindowCounts({ countMax: failuresMax, windowMs, keysMax: addressesMax, now })
  }

  /** Addresses remembered now. */
  get addressCount(): number {
    return this.#counts.keyCount
  }

  /** Counts a failure of `address`, a key as `addressKey` returns it. */
  note(address: string): WindowVerdict {
    return this.#counts.note(address)
  }
}
