/**
 * When the cookie of a session counts.
 *
 * A browser sends a cookie with whatever any page makes it send, so a cookie counts only for requests
 * that came from our own page: `SameSite=Strict` keeps other sites out, and, because other ports of
 * the same host are the same site, the browser's word on where the request comes from is checked too, and
 * what changes something must be JSON, which no form can send.
 *
 * The cookie's name has the port of the address in it: cookies know no ports, and two services
 * tunnelled to one machine must not sign each other out.
 */

import { ProblemError } from '../../problems.ts'
import { requireContentType } from '../body/content-type.ts'

/** Headers of a request from a browser; empty when absent. */
export interface BrowserHeaders {
  readonly host: string
  readonly origin: string
  readonly secFetchSite: string
  readonly cookie: string
  readonly contentType: string
  /** Set by a proxy in front of us. Only ever makes our cookie stricter, and links as people see them. */
  readonly forwardedProto: string
}

/** The secret of the session that the request's cookie carries; undefined when it carries none. */
export function sessionSecret({ cookie, host }: BrowserHeaders): string | undefined {
  if (cookie === '') return undefined
  const prefix = `${cookieName(host)}=`
  const pair = cookie.split(';').find(one => one.trim().startsWith(prefix))
  return pair?.trim().slice(prefix.length) || undefined
}

/**
 * Throws `cross_site` unless a request that relies on its cookie came from our own page, or, when it
 * only reads, from nobody's page (an address typed in).
 */
export function requireOwnPage(method: string, headers: BrowserHeaders): void {
  const { secFetchSite, contentType } = headers
  if (method === 'GET') {
    if (secFetchSite === 'cross-site' || secFetchSite === 'same-site') {
      throw crossSite(`"Sec-Fetch-Site" was ${secFetchSite}`)
    }
    return
  }
  requireOwnOrigin(headers)
  try {
    requireContentType(contentType, ['application/json'])
  } catch (cause) {
    throw crossSite(`a session changes things only by JSON; ${(cause as Error).message}`)
  }
}

/** Browsers leave `Sec-Fetch-Site` out on plain HTTP, but never `Origin` on what changes something. */
export function requireOwnOrigin({ secFetchSite, origin, host }: BrowserHeaders): void {
  if (secFetchSite !== '') {
    if (secFetchSite !== 'same-origin') {
      throw crossSite(`"Sec-Fetch-Site" was ${JSON.stringify(secFetchSite.slice(0, 32))}`)
    }
  } else if (origin.replace(/^https?:\/\//i, '').toLowerCase() !== host.toLowerCase()) {
    throw crossSite('"Origin" is not the address that was asked')
  }
}

/** Whether whoever asks does so over TLS: to us, or to a proxy that says so. */
export function isOverTls(
  { forwardedProto }: Pick<BrowserHeaders, 'forwardedProto'>,
  isTls: boolean,
): boolean {
  return isTls || forwardedProto.split(',', 1)[0]!.trim().toLowerCase() === 'https'
}

/** `host`: the header, with the port if the address has one. */
export function cookieName(host: string): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1]
  return port === undefined ? 'logstrata_session' : `logstrata_session_${port}`
}

function crossSite(why: string): ProblemError {
  return new ProblemError('cross_site', `a session counts only on our own page: ${why}`)
}
