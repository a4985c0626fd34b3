/** Puts what a primary says of its settings into the place of the copy that is here. */
import type { ApiKeys } from '../api-keys.ts'
import type { CatalogDatabase, ChangedValue } from '../database.ts'
import type { IngestionTokens } from '../ingestion-tokens.ts'
import { isCopied, type SettingsFeed } from './feed.ts'

/** What is in memory beside the file. */
export interface LiveCredentials {
  readonly 'api-keys': Pick<ApiKeys, 'refuse' | 'reload'>
  readonly 'ingestion-tokens': Pick<IngestionTokens, 'refuse' | 'reload'>
}

/**
 * What was deleted is refused at once, whether the rest can be written or not. Resolves with the collections
 * that have changed, when they are on disk.
 */
export async function takeCopy(
  database: CatalogDatabase,
  feed: Pick<SettingsFeed, 'values' | 'isWhole'>,
  live: LiveCredentials,
): Promise<ReadonlySet<string>> {
  const values = feed.values.map(([collection, key, stored]) => ({
    ...{ collection, key },
    stored: stored === null ? undefined : Buffer.from(stored, 'base64'),
  }))
  const foreign = values.find(value => !isCopied(value))
  if (foreign !== undefined) throw new Error(`"${foreign.collection}" is not the primary's to say`)
  const changed = feed.isWhole ? differences(database, values) : values
  if (changed.length === 0) return new Set()
  const credentials = (['api-keys', 'ingestion-tokens'] as const).map(name => {
    const ofIt = changed.filter(({ collection }) => collection === name)
    return { of: live[name], changed: ofIt.map(({ key }) => key), gone: ofIt.filter(isGone) }
  })
  for (const { of, gone } of credentials) of.refuse(gone.map(({ key }) => key))
  await database.putStored([...changed, ...usageOf(changed)])
  for (const one of credentials) one.of.reload(one.changed)
  return new Set(changed.map(({ collection }) => collection))
}

function isGone({ stored }: ChangedValue): boolean {
  return stored === undefined
}

/** What of the copy is to change, so that it has just these values. */
function differences(database: CatalogDatabase, values: readonly ChangedValue[]): ChangedValue[] {
  const nameOf = ({ collection, key }: ChangedValue) => JSON.stringify([collection, key])
  const present = new Map([...database.storedValues()].map(value => [nameOf(value), value]))
  const wanted = new Set(values.map(nameOf))
  const changed = values.filter(value => {
    const { stored } = present.get(nameOf(value)) ?? {}
    return stored === undefined || !value.stored?.equals(stored)
  })
  const gone = [...present.values()].filter(value => isCopied(value) && !wanted.has(nameOf(value)))
  return [...changed, ...gone.map(value => ({ ...value, stored: undefined }))]
}

/** What is counted here of tokens that are no more. */
function usageOf(changed: readonly ChangedValue[]): ChangedValue[] {
  const tokens = changed.filter(one => isGone(one) && one.collection === 'ingestion-tokens')
  return tokens.map(token => ({ ...token, collection: 'ingestion-token-usage' }))
}
