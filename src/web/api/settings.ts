/** Ingestion tokens and API keys, for admins; how storage stands, for everybody. */

import type { ApiKey, CreatedApiKey } from '../../catalog/api-keys.ts'
import type {
  CreatedIngestionToken,
  IngestionTokenSummary,
} from '../../catalog/ingestion-tokens.ts'
import type { Role } from '../../catalog/roles.ts'
import type { RetentionAnswer } from '../../http/resources/retention.ts'
import type { StorageStats } from '../../http/resources/storage-stats.ts'
import { call, deleter, lister, reader, saver } from './client.ts'

export type * from '../../catalog/api-keys.ts'
export type * from '../../catalog/ingestion-tokens.ts'
export type { RetentionAnswer, StorageStats }

const tokens = '/api/v1/settings/ingestion-tokens'
const keys = '/api/v1/settings/api-keys'

export const listTokens = lister<IngestionTokenSummary>(tokens, 'tokens')

export const createToken = saver<
  Pick<IngestionTokenSummary, 'serviceName' | 'environment' | 'parse' | 'browser'>,
  CreatedIngestionToken
>(tokens)

/** The token itself, to be copied. */
export async function tokenSecret(id: string): Promise<string> {
  return (await call<{ token: string }>('GET', `${tokens}/${encodeURIComponent(id)}/secret`)).token
}

export const deleteToken = deleter(tokens)

export const listKeys = lister<ApiKey>(keys, 'keys')

export const createKey = saver<
  { readonly name: string; readonly role: Role; readonly expiresAt?: number },
  CreatedApiKey
>(keys)

export const deleteKey = deleter(keys)

export const showRetention = reader<RetentionAnswer>('/api/v1/settings/retention')

/** @param isTrial Nothing changes: it is only asked what would be deleted. */
export function changeRetention(
  bounds: Pick<RetentionAnswer, 'ageMs' | 'bytes'>,
  { isTrial }: { readonly isTrial: boolean },
): Promise<RetentionAnswer> {
  return call('PUT', '/api/v1/settings/retention', { body: { ...bounds, isTrial } })
}

export const showStorage = reader<StorageStats>('/api/v1/settings/storage')
