/**
 * What a token for pages in a browser may do. Everybody who opens the page has it, so it counts only when a
 * browser says that a page of an allowed origin sends, and only so often: by the address of each reader of
 * the page, and in all. Whoever is no browser can say any origin: against them there are the rates.
 */

import type { IngestionToken } from '../../catalog/ingestion-tokens.ts'
import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import { addressKey } from './client-address.ts'
import type { CrossOrigin } from './cross-origin.ts'
import { WindowCounts } from './window-counts.ts'

export interface BrowserGuardParts {
  readonly crossOrigin: Pick<CrossOrigin, 'allows'>
  /** Ms, from any origin; never goes back. */
  readonly now: () => number
}

/** Who sends, read when it is needed. */
export interface PageSender {
  /** The header; empty when absent. */
  readonly origin: string
  address(): string
}

export class BrowserGuard {
  readonly #crossOrigin: BrowserGuardParts['crossOrigin']
  readonly #ofTokens: WindowCounts
  readonly #ofAddresses: WindowCounts

  constructor({ crossOrigin, now }: BrowserGuardParts) {
    const windowMs = limits.browserWindowMs
    this.#crossOrigin = crossOrigin
    this.#ofTokens = new WindowCounts({
      ...{ countMax: limits.browserTokenRequestsMax, windowMs, now },
      keysMax: limits.browserTokensMax,
    })
    this.#ofAddresses = new WindowCounts({
      ...{ countMax: limits.browserAddressRequestsMax, windowMs, now },
      keysMax: limits.browserAddressesMax,
    })
  }

  /**
   * Lets a request with `token` through, which other tokens always are. Throws `origin_not_allowed`, or
   * `browser_rate` with the seconds to wait.
   */
  admit(token: IngestionToken, sender: PageSender): void {
    if (!token.isForBrowsers) return
    if (!this.#crossOrigin.allows(sender.origin)) {
      const found = sender.origin === '' ? 'none' : JSON.stringify(sender.origin.slice(0, 100))
      const detail = `this token is for pages of the origins that --cors-origins names, was ${found}`
      throw new ProblemError('origin_not_allowed', detail, { field: 'Origin' })
    }
    // The address first: what one of them sends too much does not count against all others.
    const ofAddress = this.#ofAddresses.note(`${token.id} ${addressKey(sender.address())}`)
    if (ofAddress.kind === 'beyond') {
      const { browserAddressRequestsMax } = limits
      throw tooMany(`${browserAddressRequestsMax} of one address`, ofAddress.retryAfterSeconds)
    }
    const ofToken = this.#ofTokens.note(token.id)
    if (ofToken.kind === 'beyond') {
      throw tooMany(`${limits.browserTokenRequestsMax} in all`, ofToken.retryAfterSeconds)
    }
  }
}

function tooMany(bound: string, retryAfterSeconds: number): ProblemError {
  const detail = `a token for pages may be used ${bound} a minute; again in ${retryAfterSeconds} s`
  return new ProblemError('browser_rate', detail, { retryAfterSeconds })
}
