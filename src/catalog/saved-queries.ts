/**
 * Queries that people keep under a name, for everybody who uses the service. A name is taken once: saving
 * under it again replaces what was there.
 */

import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import { type Answer, timestamp } from '../schema/answer.ts'
import { checkBody } from '../schema/check.ts'
import type { Collection } from './collection.ts'
import type { CatalogDatabase } from './database.ts'
import { nameSchema, queryTextSchema } from './names.ts'

export const saveQuerySchema = Type.Object({
  name: nameSchema('what the query is for'),
  query: queryTextSchema,
  columns: Type.Optional(
    Type.Array(Type.String({ maxLength: limits.nameLengthMax }), {
      maxItems: limits.savedQueryColumnsMax,
      description: `names of fields, ${limits.savedQueryColumnsMax} at most`,
    }),
  ),
})

/** The query is as it was written: it is not parsed, and may use what a later version knows. */
export const savedQuerySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  query: Type.String(),
  columns: Type.Array(Type.String(), { description: 'Fields that are shown as columns.' }),
  savedAt: timestamp,
})

/** A value of the collection `saved-queries`, under its id, has all but the id. */
export type SavedQuery = Answer<typeof savedQuerySchema>

type StoredQuery = Omit<SavedQuery, 'id'>

export class SavedQueries {
  readonly #database: CatalogDatabase
  readonly #now: () => number
  readonly #collection: Collection<StoredQuery>

  constructor(database: CatalogDatabase, now: () => number) {
    this.#database = database
    this.#now = now
    this.#collection = database.collection('saved-queries', 'msgpack')
  }

  /**
   * Saves what `request` (see `saveQuerySchema`) holds; it is on disk when the promise resolves. Throws
   * `field_invalid`, or `saved_queries_too_many` for a new name when there are as many as there may be.
   */
  async save(request: unknown): Promise<SavedQuery> {
    const { name: written, query, columns = [] } = checkBody(saveQuerySchema, request)
    const name = written.trim()
    const all = this.list()
    const id = all.find(one => one.name === name)?.id ?? randomUUID()
    if (!all.some(one => one.id === id) && all.length >= limits.savedQueriesMax) {
      const detail = `there are ${limits.savedQueriesMax} saved queries; delete one first`
      throw new ProblemError('saved_queries_too_many', detail)
    }
    const stored = { name, query, columns, savedAt: this.#now() }
    await this.#database.write(() => {
      this.#collection.put(id, stored)
    })
    return { id, ...stored }
  }

  /** All of them, by name. */
  list(): SavedQuery[] {
    const all = [...this.#collection.getRange()].map(({ key, value }) => ({ id: key, ...value }))
    return all.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
  }

  /** Deletes for good; it is on disk when the promise resolves. Throws `saved_query_unknown`. */
  async delete(id: string): Promise<void> {
    // An id longer than any of ours may be longer than any key that LMDB takes.
    if (id.length > limits.dashboardIdLengthMax || !this.#collection.doesExist(id)) {
      throw new ProblemError('saved_query_unknown', 'no saved query has this id')
    }
    await this.#database.write(() => {
      this.#collection.remove(id)
    })
  }
}
