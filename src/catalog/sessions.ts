/**
 * Sessions of the page: who signed in with which API key. A session is at most as much as its key:
 * it has the key's role, and it ends at once when the key is deleted or expires.
 *
 * Its secret is a cookie's value, 192 random bits, and at rest only as a digest. It ends a month after
 * it began, however often it is used: nothing needs to be written while it is used, and nobody is
 * signed out in the middle of an incident for having looked elsewhere.
 */

import { randomBytes } from 'node:crypto'
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import type { Timestamp } from '../record.ts'
import { dayMs } from '../time-units.ts'
import type { ApiKey, ApiKeys } from './api-keys.ts'
import type { Collection } from './collection.ts'
import type { CatalogDatabase } from './database.ts'
import { digestOf } from './secrets/digest.ts'

export const sessionLifeMs = 30 * dayMs

export interface Session {
  /** The key that was signed in with, as it is now. */
  readonly apiKey: ApiKey
  readonly expiresAt: Timestamp
}

export interface CreatedSession extends Session {
  /** This once. */
  readonly secret: string
}

/** A value of the collection `sessions`, under the digest of the session's secret. */
interface StoredSession {
  readonly apiKeyId: string
  readonly createdAt: Timestamp
}

export class Sessions {
  readonly #database: CatalogDatabase
  readonly #apiKeys: Pick<ApiKeys, 'find' | 'get'>
  readonly #now: () => number
  readonly #collection: Collection<StoredSession>
  /** In the order in which they began. */
  readonly #byDigest = new Map<string, StoredSession>()

  constructor(
    database: CatalogDatabase,
    apiKeys: Pick<ApiKeys, 'find' | 'get'>,
    now: () => number,
  ) {
    this.#database = database
    this.#apiKeys = apiKeys
    this.#now = now
    this.#collection = database.collection('sessions', 'msgpack')
    const stored = [...this.#collection.getRange()]
    stored.sort((a, b) => a.value.createdAt - b.value.createdAt)
    for (const { key: digest, value } of stored) this.#byDigest.set(digest, value)
  }

  /**
   * Signs in with the text of an API key; the session is on disk when the promise resolves. Ends what
   * is dead, and the key's oldest sessions when it has too many. Throws `credential_invalid`.
   */
  async create(key: string): Promise<CreatedSession> {
    const apiKey = this.#apiKeys.find(key)
    if (apiKey === undefined) {
      throw new ProblemError('credential_invalid', 'this is not a live API key', { field: 'key' })
    }
    const secret = randomBytes(24).toString('base64url')
    const digest = digestOf(secret)
    const session = { apiKeyId: apiKey.id, createdAt: this.#now() }
    const ended = this.#superfluous(apiKey.id)
    await this.#database.write(() => {
      for (const one of ended) this.#collection.remove(one)
      this.#collection.put(digest, session)
    })
    for (const one of ended) this.#byDigest.delete(one)
    this.#byDigest.set(digest, session)
    return { secret, apiKey, expiresAt: endOf(session) }
  }

  /** The live session of this secret; undefined when unknown, over, or its key is gone. */
  find(secret: string): Session | undefined {
    const session = this.#byDigest.get(digestOf(secret))
    const apiKey = session && this.#keyOf(session)
    return apiKey && { apiKey, expiresAt: endOf(session) }
  }

  /** Ends the session of this secret, for every look-up from this call on; nothing when there is none. */
  async end(secret: string): Promise<void> {
    const digest = digestOf(secret)
    if (this.#byDigest.delete(digest)) {
      await this.#database.write(() => {
        this.#collection.remove(digest)
      })
    }
  }

  #keyOf(session: StoredSession): ApiKey | undefined {
    return this.#now() < endOf(session) ? this.#apiKeys.get(session.apiKeyId) : undefined
  }

  /** Digests of dead sessions, and of those that one more session of this key is too many for. */
  #superfluous(apiKeyId: string): string[] {
    const all = [...this.#byDigest]
    const dead = all.filter(([, session]) => this.#keyOf(session) === undefined)
    const ofKey = all.filter(([, session]) => session.apiKeyId === apiKeyId)
    const oldest = ofKey.slice(0, Math.max(0, ofKey.length + 1 - limits.sessionsPerKeyMax))
    return [...new Set([...dead, ...oldest].map(([digest]) => digest))]
  }
}

function endOf({ createdAt }: StoredSession): Timestamp {
  return createdAt + sessionLifeMs
}
