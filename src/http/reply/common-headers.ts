/**
 * The headers that every answer has. They are written after the first one in a single call, as one text
 * that is made once: each call into uWebSockets costs about 0.2 µs.
 *
 * - A body may be anybody's text, so no browser is to guess its type, run anything in it (unless the
 *   answer brings a policy of its own, as the page does), or put it into a page of others.
 * - Nothing here is the same when asked again, but for the page's own files.
 * - A client learns how long its connection may be idle, so that it does not send the next request on one
 *   that is just being closed.
 * - Over TLS the browser is told to stay with it (RFC 6797): for a year, for this host name.
 */

import { limits } from '../../limits.ts'

/** uWebSockets closes after 8 to 12 s, on a clock of its own. */
const keepAlive = `\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${limits.idleSeconds}`

/** Of what is no page: nothing in it is run or loaded, and no other page shows it. */
const noPage = "default-src 'none'; frame-ancestors 'none'"

/** A year: nobody switches TLS on for a day. */
const transportSecurity = '\r\nStrict-Transport-Security: max-age=31536000'

export interface HeaderChoices {
  /** Absent when there is no body. */
  readonly contentType?: string
  /** `no-store` when absent. */
  readonly cacheControl?: string
  /** A `Content-Security-Policy`; one that allows nothing when absent. */
  readonly policy?: string
}

/** By type of content. */
type KnownLines = Map<string, readonly [name: string, value: string]>

export class CommonHeaders {
  readonly #ending: string
  /** Of the answers that choose nothing but their type, which are nearly all. */
  readonly #usual: KnownLines = new Map()
  readonly #usualLast: KnownLines = new Map()

  constructor({ isTls }: { readonly isTls: boolean }) {
    this.#ending =
      '\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin' +
      (isTls ? transportSecurity : '')
  }

  /** The name of the first header, and its value with all others after it; `isKept`: the connection. */
  lines(
    { contentType, cacheControl, policy }: HeaderChoices,
    isKept: boolean,
  ): readonly [name: string, value: string] {
    const others = () => this.#others(cacheControl, policy) + (isKept ? keepAlive : '')
    if (contentType === undefined) return ['X-Content-Type-Options', `nosniff${others()}`]
    const usual = isKept ? this.#usual : this.#usualLast
    const isUsual = cacheControl === undefined && policy === undefined
    const known = isUsual ? usual.get(contentType) : undefined
    if (known !== undefined) return known
    const value = `${contentType}\r\nX-Content-Type-Options: nosniff${others()}`
    const lines = ['Content-Type', value] as const
    if (isUsual) usual.set(contentType, lines)
    return lines
  }

  #others(cacheControl = 'no-store', policy = noPage): string {
    const choices = `\r\nCache-Control: ${cacheControl}\r\nContent-Security-Policy: ${policy}`
    return choices + this.#ending
  }
}
