/**
 * Signing in to the page: an API key is exchanged for a session in a cookie that no script can read.
 *
 * A browser sends a cookie with whatever any page makes it send, so a cookie counts only for requests
 * that came from our own page: `SameSite=Strict` keeps other sites out, and, because other ports of
 * the same host are the same site, the browser's word on where the request comes from is checked too, and
 * what changes something must be JSON, which no form can send.
 *
 * The cookie's name has the port of the address in it: cookies know no ports, and two services
 * tunnelled to one machine must not sign each other out.
 */

import assert from 'node:assert/strict'
import { Type } from 'typebox'
import type { ApiKey } from '../../catalog/api-keys.ts'
import { sessionLifeMs } from '../../catalog/sessions.ts'
import { ProblemError } from '../../problems.ts'
import { checkBody } from '../../schema/check.ts'
import { requireContentType } from '../body/content-type.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { jsonReply, type Reply } from '../reply/reply.ts'
import type { JsonRequest, PlainRequest } from '../routes.ts'

/** Headers of a request from a browser; empty when absent. */
export interface BrowserHeaders {
  readonly host: string
  readonly origin: string
  readonly secFetchSite: string
  readonly cookie: string
  readonly contentType: string
  /** Set by a proxy in front of us. Only ever makes our cookie stricter. */
  readonly forwardedProto: string
}

export const signInSchema = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 512, description: 'the text of an API key' }),
})

/** The secret of the session that the request's cookie carries; undefined when it carries none. */
export function sessionSecret({ cookie, host }: BrowserHeaders): string | undefined {
  if (cookie === '') return undefined
  const prefix = `${cookieName(host)}=`
  const pair = cookie.split(';').find(one => one.trim().startsWith(prefix))
  return pair?.trim().slice(prefix.length) || undefined
}

/**
 * Throws `cross_site` unless a request that stands on its cookie came from our own page, or, when it
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
function requireOwnOrigin({ secFetchSite, origin, host }: BrowserHeaders): void {
  if (secFetchSite !== '') {
    if (secFetchSite !== 'same-origin') {
      throw crossSite(`"Sec-Fetch-Site" was ${JSON.stringify(secFetchSite.slice(0, 32))}`)
    }
  } else if (origin.replace(/^https?:\/\//i, '').toLowerCase() !== host.toLowerCase()) {
    throw crossSite('"Origin" is not the address that was asked')
  }
}

export function sessionHandlers({ catalog, config }: Pick<HttpDependencies, 'catalog' | 'config'>) {
  const { sessions } = catalog
  const isTls = config.tlsCert !== undefined
  return {
    async signIn({ body, browser }: JsonRequest): Promise<Reply> {
      // Nobody is to be signed in as somebody else by a page of theirs. A script sends neither header.
      if (browser.secFetchSite !== '' || browser.origin !== '') requireOwnOrigin(browser)
      const { key } = checkBody(signInSchema, body)
      const { secret, apiKey, expiresAt } = await sessions.create(key.trim())
      const earlier = sessionSecret(browser)
      if (earlier !== undefined) await sessions.end(earlier)
      return withCookie(shownSession(apiKey, expiresAt), cookieText(secret, browser, isTls))
    },

    show({ caller: { apiKey, sessionExpiresAt } }: PlainRequest): Reply {
      assert(apiKey !== undefined, 'BUG: the route is open')
      return shownSession(apiKey, sessionExpiresAt ?? apiKey.expiresAt)
    },

    /** Takes any cookie off the browser, also that of a session that has ended already. */
    async signOut({ browser }: PlainRequest): Promise<Reply> {
      const secret = sessionSecret(browser)
      if (secret !== undefined) {
        requireOwnPage('DELETE', browser)
        await sessions.end(secret)
      }
      return withCookie({ status: 204 }, cookieText('', browser, isTls))
    },
  }
}

function shownSession({ id, name, role }: ApiKey, expiresAt: number | null): Reply {
  return jsonReply({ keyId: id, name, role, expiresAt })
}

function withCookie(reply: Reply, cookie: string): Reply {
  return { ...reply, headers: [...(reply.headers ?? []), ['Set-Cookie', cookie]] }
}

/** The cookie with this secret, or, without one, its end. */
function cookieText(
  secret: string,
  { host, forwardedProto }: BrowserHeaders,
  isTls: boolean,
): string {
  const isSecure = isTls || forwardedProto.split(',', 1)[0]!.trim().toLowerCase() === 'https'
  const maxAge = secret === '' ? 0 : sessionLifeMs / 1_000
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`
  return `${cookieName(host)}=${secret}; ${attributes}${isSecure ? '; Secure' : ''}`
}

function cookieName(host: string): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1]
  return port === undefined ? 'logstrata_session' : `logstrata_session_${port}`
}

function crossSite(why: string): ProblemError {
  return new ProblemError('cross_site', `a session counts only on our own page: ${why}`)
}
