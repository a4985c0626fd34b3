/** Queries under a name, which everybody sees; editors save and delete them. */

import type { SavedQuery } from '../../catalog/saved-queries.ts'
import { call, lister } from './client.ts'

export type { SavedQuery }

const path = '/api/v1/saved-queries'

export const listSavedQueries = lister<SavedQuery>(path, 'savedQueries')

/** Replaces the one of the same name. */
export function saveQuery(
  query: Pick<SavedQuery, 'name' | 'query' | 'columns'>,
): Promise<SavedQuery> {
  return call('POST', path, { body: query })
}

export function deleteSavedQuery(id: string): Promise<void> {
  return call('DELETE', `${path}/${encodeURIComponent(id)}`)
}
