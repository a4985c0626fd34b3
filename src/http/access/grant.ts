/**
 * Who may do what. Every route names one rule; the decision falls before the body is read, on the
 * `Authorization` header, or, without one, on the session of the page that the cookie carries.
 */

import type { ApiKey } from '../../catalog/api-keys.ts'
import type { IngestionToken } from '../../catalog/ingestion-tokens.ts'
import { type Role, roleAtLeast } from '../../catalog/roles.ts'
import { orProblem, ProblemError } from '../../problems.ts'
import type { CatalogDoor, FrontEndsDoor } from '../dependencies.ts'
import { bareSecret, basicSecret, bearerSecret } from './authorization.ts'
import { type IngestionHeaders, ingestionSecrets, secretOfAddress } from './ingestion-secret.ts'
import { type BrowserHeaders, requireOwnOrigin, requireOwnPage, sessionSecret } from './own-page.ts'

/**
 * `open`: anybody. A role: holders of an API key with this role or a higher one. `front-end`: whoever has
 * the key that a primary and its front ends share, and nobody else, whatever the role.
 */
export type Access = 'open' | 'ingestion-token' | 'front-end' | Role

/**
 * The ingestion token that `headers` carry (`ingestion-secret.ts`), or, where they carry none, one for pages
 * in a browser that `query`, still encoded, has. Whatever else they carry is refused the same way, with
 * `credential_missing` or `credential_invalid`: also a valid API key.
 */
export function grantIngestion(
  headers: IngestionHeaders,
  query: string,
  ingestionTokens: Pick<CatalogDoor['ingestionTokens'], 'find'>,
): IngestionToken {
  const secrets = ingestionSecrets(headers)
  for (const secret of secrets) {
    const token = ingestionTokens.find(secret)
    if (token !== undefined) return token
  }
  const inAddress = secrets.length === 0 ? secretOfAddress(query) : undefined
  if (inAddress !== undefined) {
    const token = ingestionTokens.find(inAddress)
    if (token?.isForBrowsers) return token
    throw invalid('in the address there may be a live token for pages in a browser alone', 'token')
  }
  if (secrets.length > 0) throw invalid('the credential is not a live ingestion token')
  throw missing('expected "Authorization: Bearer" with an ingestion token', headers.authorization)
}

/** Who asks. All is absent on a route that is open. */
export interface Caller {
  /** The key of the header, or the one that was signed in with. */
  readonly apiKey?: ApiKey
  /** Ms since 1970; with a session only. */
  readonly sessionExpiresAt?: number
}

/** What of a route says who may. */
export interface AskedRoute {
  readonly access: Exclude<Access, 'ingestion-token'>
  readonly method: string
  readonly body?: string
  /** Whether an API key may come as the password of `Basic` credentials. */
  readonly takesBasic?: boolean
}

/** What a request shows of who sent it. */
export interface Shown {
  /** The `Authorization` header; empty when absent. */
  readonly credential: string
  readonly browser: BrowserHeaders
  /** Of a front end that passes a request on: the id of the API key that it came with there. */
  readonly callerId?: string
}

/** Where it is looked up. */
type Known = Pick<CatalogDoor, 'apiKeys' | 'ingestionTokens' | 'sessions' | 'frontEnds'>

/**
 * Lets through whom `access` allows, and tells who it is. Throws `credential_missing` or
 * `credential_invalid`; `role_insufficient` for a valid credential that may not do this, an ingestion
 * token among them; `cross_site` for a session that speaks from another page than ours.
 */
export function grantRole(
  { access, method, body, takesBasic = false }: AskedRoute,
  { credential, browser, callerId = '' }: Shown,
  catalog: Known,
): Caller {
  if (access === 'open') {
    return {}
  }
  const cookie = credential === '' ? sessionSecret(browser) : undefined
  if (cookie === undefined) {
    const secret = (takesBasic ? basicSecret(credential) : undefined) ?? keySecret(credential)
    const { frontEnds } = catalog
    if (frontEnds?.isKey(secret)) return grantFrontEnd(access, callerId, frontEnds)
    return { apiKey: grantKey(access, secret, catalog) }
  }
  // Of an answer other pages see nothing, but of what comes on a WebSocket all.
  if (body === 'socket') requireOwnOrigin(browser)
  else requireOwnPage(method, browser)
  const session = catalog.sessions.find(cookie)
  if (session === undefined) {
    throw invalid('the session has ended; sign in again', 'Cookie')
  }
  requireRole(session.apiKey, access)
  return { apiKey: session.apiKey, sessionExpiresAt: session.expiresAt }
}

/** Whether `grantRole` lets this through. */
export function isGranted(...asked: Parameters<typeof grantRole>): boolean {
  return !(orProblem(() => grantRole(...asked)) instanceof ProblemError)
}

/** A front end asks for itself, or for whoever asked it: who may do what that one may here and now. */
function grantFrontEnd(
  access: Role | 'front-end',
  callerId: string,
  frontEnds: FrontEndsDoor,
): Caller {
  if (access === 'front-end') return {}
  const apiKey = callerId === '' ? undefined : frontEnds.callerOf(callerId)
  if (apiKey === undefined) throw invalid('the API key of who asked a front end is not live')
  requireRole(apiKey, access)
  return { apiKey }
}

function grantKey(
  access: Role | 'front-end',
  secret: string,
  { apiKeys, ingestionTokens }: Pick<CatalogDoor, 'apiKeys' | 'ingestionTokens'>,
): ApiKey {
  const apiKey = apiKeys.find(secret)
  if (apiKey !== undefined) {
    requireRole(apiKey, access)
    return apiKey
  }
  if (ingestionTokens.find(secret) !== undefined) {
    const detail = `expected ${expectedKey(access)}, was an ingestion token`
    throw new ProblemError('role_insufficient', detail)
  }
  throw invalid('the credential is not a live API key')
}

/** The API key that the header carries in a form that every route takes. */
function keySecret(header: string): string {
  const secret = bearerSecret(header) ?? bareSecret(header)
  if (secret === undefined) {
    throw missing('expected "Authorization: Bearer" with an API key', header)
  }
  return secret
}

function expectedKey(access: Role | 'front-end'): string {
  return access === 'front-end' ? 'the key of front ends' : `an API key of role ${access} or higher`
}

function requireRole({ role }: ApiKey, access: Role | 'front-end'): void {
  if (access === 'front-end' || !roleAtLeast(role, access)) {
    const detail = `expected ${expectedKey(access)}, was ${role}`
    throw new ProblemError('role_insufficient', detail)
  }
}

function missing(expected: string, header: string): ProblemError {
  const found = header === '' ? 'nothing' : 'a header of another form'
  const detail = `${expected}, came ${found}`
  return new ProblemError('credential_missing', detail, { field: 'Authorization' })
}

function invalid(detail: string, field = 'Authorization'): ProblemError {
  return new ProblemError('credential_invalid', detail, { field })
}
