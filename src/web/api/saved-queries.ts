/** Queries under a name, which everybody sees; editors save and delete them. */

import type { SavedQuery } from '../../catalog/saved-queries.ts'
import { deleter, lister, saver } from './client.ts'

export type { SavedQuery }

const path = '/api/v1/saved-queries'

export const listSavedQueries = lister<SavedQuery>(path, 'savedQueries')

/** Replaces the one of the same name. */
export const saveQuery = saver<Pick<SavedQuery, 'name' | 'query' | 'columns'>, SavedQuery>(path)

export const deleteSavedQuery = deleter(path)
