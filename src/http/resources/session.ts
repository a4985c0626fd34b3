/**
 * Signing in to the page: an API key is exchanged for a session in a cookie that no script can read. When
 * that cookie counts says `access/own-page.ts`.
 */

import assert from 'node:assert/strict'
import { Type } from 'typebox'
import type { ApiKey } from '../../catalog/api-keys.ts'
import { roles } from '../../catalog/roles.ts'
import { sessionLifeMs } from '../../catalog/sessions.ts'
import { type Answer, orNever } from '../../schema/answer.ts'
import { checkBody } from '../../schema/check.ts'
import {
  type BrowserHeaders,
  cookieName,
  isOverTls,
  requireOwnOrigin,
  requireOwnPage,
  sessionSecret,
} from '../access/own-page.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { described, jsonAnswer, noContentAnswer } from '../openapi/operation.ts'
import { changeProblems } from '../openapi/route-problems.ts'
import { jsonReply, type Reply } from '../reply/reply.ts'
import type { DescribedRoute } from '../route.ts'

type Dependencies = Pick<HttpDependencies, 'catalog' | 'config'>

export function sessionRoutes(dependencies: Dependencies): readonly DescribedRoute[] {
  return [signIn(dependencies), show(), signOut(dependencies)]
}

const path = '/api/v1/session'

const signInSchema = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 512, description: 'the text of an API key' }),
})

const sessionSchema = Type.Object({
  keyId: Type.String({ description: 'The `id` of the API key.' }),
  name: Type.String({ description: 'Of the API key.' }),
  role: Type.Enum([...roles]),
  expiresAt: orNever('Milliseconds since 1970: of the session, or of the key.'),
})

export type SessionInfo = Answer<typeof sessionSchema>

const cookie = { 'Set-Cookie': 'The session: `HttpOnly`, `SameSite=Strict`.' }

function signIn({ catalog: { sessions }, config }: Dependencies): DescribedRoute {
  const isTls = config.tlsCert !== undefined
  return {
    method: 'POST',
    path,
    access: 'open',
    body: 'json',
    about: {
      id: 'signIn',
      tag: 'Session',
      summary: 'Sign in',
      description: 'The session ends after a month, or as soon as its key does.',
      body: described(signInSchema, { key: 'An API key.' }),
      answers: { 200: { ...jsonAnswer('Who signed in.', sessionSchema), headers: cookie } },
      problems: [
        'credential_invalid',
        'credential_failures_too_many',
        'cross_site',
        ...changeProblems,
      ],
      sample: { body: { key: '$KEY' } },
    },
    async handle({ body, browser }) {
      // Nobody is to be signed in as somebody else by a page of theirs. A script sends neither header.
      if (browser.secFetchSite !== '' || browser.origin !== '') requireOwnOrigin(browser)
      const { key } = checkBody(signInSchema, body)
      const { secret, apiKey, expiresAt } = await sessions.create(key.trim())
      const earlier = sessionSecret(browser)
      if (earlier !== undefined) await sessions.end(earlier)
      return withCookie(shownSession(apiKey, expiresAt), cookieText(secret, browser, isTls))
    },
  }
}

function show(): DescribedRoute {
  return {
    method: 'GET',
    path,
    access: 'viewer',
    body: 'none',
    about: {
      id: 'showSession',
      tag: 'Session',
      summary: 'Who asks: the session, or the API key',
      answers: { 200: jsonAnswer('Whose credential it is.', sessionSchema) },
      sample: {},
    },
    handle({ caller: { apiKey, sessionExpiresAt } }) {
      assert(apiKey !== undefined, 'BUG: the route is open')
      return shownSession(apiKey, sessionExpiresAt ?? apiKey.expiresAt)
    },
  }
}

/** Takes any cookie off the browser, also that of a session that has ended already. */
function signOut({ catalog: { sessions }, config }: Dependencies): DescribedRoute {
  const isTls = config.tlsCert !== undefined
  return {
    method: 'DELETE',
    path,
    access: 'open',
    body: 'none',
    about: {
      id: 'signOut',
      tag: 'Session',
      summary: 'Sign out',
      description: 'Takes the cookie away, also of a session that has ended already.',
      answers: {
        204: { ...noContentAnswer('Signed out.'), headers: { 'Set-Cookie': 'Its end.' } },
      },
      problems: ['cross_site', ...changeProblems],
      sample: {},
    },
    async handle({ browser }) {
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
function cookieText(secret: string, browser: BrowserHeaders, isTls: boolean): string {
  const maxAge = secret === '' ? 0 : sessionLifeMs / 1_000
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`
  const secure = isOverTls(browser, isTls) ? '; Secure' : ''
  return `${cookieName(browser.host)}=${secret}; ${attributes}${secure}`
}
