/** Ingestion tokens and API keys, for admins; how storage stands, for everybody. */

import type { ApiKey, CreatedApiKey } from '../../catalog/api-keys.ts'
import type {
  CreatedIngestionToken,
  IngestionTokenSummary,
} from '../../catalog/ingestion-tokens.ts'
import type { Role } from '../../catalog/roles.ts'
import type { RetentionAnswer } from '../../http/resources/retention.ts'
import type { StorageStats } from '../../http/resources/storage-stats.ts'
import { call, lister } from './client.ts'

export type * from '../../catalog/api-keys.ts'
export type * from '../../catalog/ingestion-tokens.ts'
export type { RetentionAnswer, StorageStats }

const tokens = '/api/v1/settings/ingestion-tokens'
const keys = '/api/v1/settings/api-keys'

export const listTokens = lister<IngestionTokenSummary>(tokens, 'tokens')

export function createToken(token: {
  readonly serviceName: string
  readonly environment: string
  readonly parse: 'json' | null
  readonly browser: boolean
}): Promise<CreatedIngestionToken> {
  return call('POST', tokens, { body: token })
}

/** The token itself, to be copied. */
export async function tokenSecret(id: string): Promise<string> {
  return (await call<{ token: string }>('GET', `${tokens}/${encodeURIComponent(id)}/secret`)).token
}

export function deleteToken(id: string): Promise<void> {
  return call('DELETE', `${tokens}/${encodeURIComponent(id)}`)
}

export const listKeys = lister<ApiKey>(keys, 'keys')

export function createKey(key: {
  readonly name: string
  readonly role: Role
  readonly expiresAt?: number
}): Promise<CreatedApiKey> {
  return call('POST', keys, { body: key })
}

export function deleteKey(id: string): Promise<void> {
  return call('DELETE', `${keys}/${encodeURIComponent(id)}`)
}

export function showRetention(signal?: AbortSignal): Promise<RetentionAnswer> {
  return call('GET', '/api/v1/settings/retention', { signal })
}

/** @param isTrial Nothing changes: it is only asked what would be deleted. */
export function changeRetention(
  bounds: Pick<RetentionAnswer, 'ageMs' | 'bytes'>,
  { isTrial }: { readonly isTrial: boolean },
): Promise<RetentionAnswer> {
  return call('PUT', '/api/v1/settings/retention', { body: { ...bounds, isTrial } })
}

export function showStorage(signal?: AbortSignal): Promise<StorageStats> {
  return call('GET', '/api/v1/settings/storage', { signal })
}
