/**
 * Who may do what. Every route names one rule; the decision falls before the body is read, and on
 * nothing but the `Authorization` header.
 */

import type { IngestionToken } from '../catalog/ingestion-tokens.ts'
import { type Role, roleAtLeast } from '../catalog/roles.ts'
import { ProblemError } from '../problems.ts'
import type { CatalogDoor } from './dependencies.ts'

/** `open`: anybody. A role: holders of an API key with this role or a higher one. */
export type Access = 'open' | 'ingestion-token' | Role

/**
 * The ingestion token that `header` carries. Whatever else it carries is refused the same way, with
 * `credential_missing` or `credential_invalid`: also a valid API key.
 */
export function grantIngestion(
  header: string,
  ingestionTokens: Pick<CatalogDoor['ingestionTokens'], 'find'>,
): IngestionToken {
  const secret = bearerSecret(header)
  if (secret === undefined) {
    throw missing('expected "Authorization: Bearer" with an ingestion token', header)
  }
  const token = ingestionTokens.find(secret)
  if (token === undefined) {
    throw invalid('the credential is not a live ingestion token')
  }
  return token
}

/**
 * Lets through whom `access` allows. Throws `credential_missing` or `credential_invalid`, or
 * `role_insufficient` for a valid credential that may not do this, an ingestion token among them.
 */
export function grantRole(
  access: Exclude<Access, 'ingestion-token'>,
  header: string,
  { apiKeys, ingestionTokens }: Pick<CatalogDoor, 'apiKeys' | 'ingestionTokens'>,
): void {
  if (access === 'open') {
    return
  }
  const secret = bearerSecret(header) ?? bareSecret(header)
  if (secret === undefined) {
    throw missing('expected "Authorization: Bearer" with an API key', header)
  }
  const apiKey = apiKeys.find(secret)
  if (apiKey !== undefined) {
    if (!roleAtLeast(apiKey.role, access)) {
      const detail = `expected an API key of role ${access} or higher, was ${apiKey.role}`
      throw new ProblemError('role_insufficient', detail)
    }
    return
  }
  if (ingestionTokens.find(secret) !== undefined) {
    const detail = `expected an API key of role ${access} or higher, was an ingestion token`
    throw new ProblemError('role_insufficient', detail)
  }
  throw invalid('the credential is not a live API key')
}

const scheme = 'bearer'

/** What follows `Bearer` (RFC 9110, 11.1: the scheme's case does not matter) and a space. */
function bearerSecret(header: string): string | undefined {
  const isBearer =
    header.length > scheme.length + 1 &&
    header.charCodeAt(scheme.length) === 0x20 &&
    header.slice(0, scheme.length).toLowerCase() === scheme
  return isBearer ? header.slice(scheme.length + 1).trimStart() : undefined
}

/** The whole header as the credential, as published clients of this API send an API key. */
function bareSecret(header: string): string | undefined {
  const isBare = header !== '' && !header.includes(' ') && header.toLowerCase() !== scheme
  return isBare ? header : undefined
}

function missing(expected: string, header: string): ProblemError {
  const found = header === '' ? 'nothing' : 'a header of another form'
  const detail = `${expected}, came ${found}`
  return new ProblemError('credential_missing', detail, { field: 'Authorization' })
}

function invalid(detail: string): ProblemError {
  return new ProblemError('credential_invalid', detail, { field: 'Authorization' })
}
