/**
 * API keys: who may query and change, by role. A key is shown once, when it is made; only its
 * digest is kept.
 *
 * One key may be chosen by the operator in the settings (`ensureAdmin`). It is an admin key like
 * any other, but for this: choosing another value replaces it.
 */

import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { orProblem, ProblemError } from '../problems.ts'
import { type Answer, orNever, timestamp } from '../schema/answer.ts'
import { checkBody } from '../schema/check.ts'
import type { Collection } from './collection.ts'
import type { CatalogDatabase } from './database.ts'
import { nameSchema } from './names.ts'
import { roleAtLeast, roles } from './roles.ts'
import { digestOf } from './secrets/digest.ts'
import { apiKeyPrefix, newSecret } from './secrets/new-secret.ts'

export const createApiKeySchema = Type.Object({
  name: nameSchema('what the key is for'),
  role: Type.Enum([...roles]),
  expiresAt: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 8.64e15,
      description: 'a time in milliseconds since 1970',
    }),
  ),
})

const keyFields = {
  id: Type.String(),
  name: Type.String(),
  role: Type.Enum([...roles]),
  createdAt: timestamp,
  expiresAt: orNever('Milliseconds since 1970; null if it never expires.'),
}

export const apiKeySchema = Type.Object(keyFields, {
  $id: 'ApiKey',
  description: 'An API key without its text.',
})

export type ApiKey = Answer<typeof apiKeySchema>

export const createdApiKeySchema = Type.Object({
  ...keyFields,
  key: Type.String({ description: 'The key itself, this once.' }),
})

export type CreatedApiKey = Answer<typeof createdApiKeySchema>

export interface AdminKey {
  readonly key: string
  /** False when the catalog held the operator's key already. */
  readonly isNew: boolean
}

/** A value of the collection `api-keys`, under the key's id. */
interface StoredApiKey extends Omit<ApiKey, 'id'> {
  readonly digest: string
  /** The operator chose the key's text in the settings; at most one key is so. */
  readonly isChosen: boolean
}

interface LiveApiKey {
  readonly apiKey: ApiKey
  readonly digest: string
  readonly isChosen: boolean
}

const firstAdminName = 'admin (first start)'
const chosenAdminName = 'admin (from the settings)'
const adminForGood = { role: 'admin', expiresAt: null } as const
const chosenLengthMin = 16

export class ApiKeys {
  readonly #database: CatalogDatabase
  readonly #now: () => number
  readonly #collection: Collection<StoredApiKey>
  readonly #byId = new Map<string, LiveApiKey>()
  readonly #byDigest = new Map<string, LiveApiKey>()

  constructor(database: CatalogDatabase, now: () => number) {
    this.#database = database
    this.#now = now
    this.#collection = database.collection('api-keys', 'msgpack')
    for (const { key: id, value: stored } of this.#collection.getRange()) {
      this.#keep(id, stored)
    }
  }

  /**
   * Makes a key for `{name, role, expiresAt?}`; it is on disk when the promise resolves.
   * `expiresAt` must lie in the future. Throws `field_invalid` with the field's name.
   */
  async create(request: unknown): Promise<CreatedApiKey> {
    const { name, role, expiresAt } = checkBody(createApiKeySchema, request)
    if (expiresAt !== undefined && expiresAt <= this.#now()) {
      const detail = `"expiresAt" must be in the future, was ${expiresAt}`
      throw new ProblemError('field_invalid', detail, { field: 'expiresAt' })
    }
    const key = newSecret(apiKeyPrefix)
    const fields = { name: name.trim(), role, expiresAt: expiresAt ?? null, isChosen: false }
    return { key, ...(await this.#add(key, fields)) }
  }

  /** All keys, expired ones too, the oldest first. */
  list(): ApiKey[] {
    const keys = [...this.#byId.values()].map(({ apiKey }) => apiKey)
    return keys.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  }

  /**
   * Deletes for good, for every look-up from this call on. Throws `api_key_unknown`;
   * `api_key_last_admin` when no other admin key would be left that has not expired; or
   * `catalog_failed`: then the key stays refused and listed, until the next start revives it.
   */
  async delete(id: string): Promise<void> {
    const live = this.#byId.get(id)
    if (live === undefined) {
      throw new ProblemError('api_key_unknown', 'no API key has this id')
    }
    const liveAdmins = this.#liveAdmins()
    if (liveAdmins.length === 1 && liveAdmins[0] === live) {
      throw new ProblemError('api_key_last_admin', 'make another admin key first')
    }
    await this.#remove([live])
  }

  /** The live key whose text is `key`; undefined when unknown or expired (see `digest.ts`). */
  find(key: string): ApiKey | undefined {
    const live = this.#byDigest.get(digestOf(key))
    return live !== undefined && this.#isLive(live) ? live.apiKey : undefined
  }

  /** The live key with this id; undefined when deleted or expired. */
  get(id: string): ApiKey | undefined {
    const live = this.#byId.get(id)
    const isKnown = live !== undefined && this.#byDigest.has(live.digest)
    return isKnown && this.#isLive(live) ? live.apiKey : undefined
  }

  /**
   * Called once at every start: sees to it that an admin key exists.
   *
   * - `chosen` given: it is an admin key afterwards. It takes the place of one that was chosen
   *   before, which is refused from then on. Deleted in the meantime, it is made again. A value that
   *   is an admin key already (say, the one printed on the first start) stays that key.
   * - `chosen` absent: a key chosen before stays, because a start by hand without the setting must
   *   not lock every client out. To revoke it, delete it or choose another.
   * - Neither chosen nor any admin key left that has not expired (as on the first start): makes one
   *   and returns it, to be printed this once. If it is lost, choosing a key is the way back in.
   *
   * Returns the chosen or the new key, or undefined when there was nothing to do. Throws an Error
   * that says what to do when `chosen` cannot be a key.
   */
  async ensureAdmin(chosen: string | undefined): Promise<AdminKey | undefined> {
    if (chosen !== undefined) {
      return { key: chosen, isNew: await this.#choose(chosen) }
    }
    if (this.#liveAdmins().length > 0) {
      return undefined
    }
    const key = newSecret(apiKeyPrefix)
    await this.#add(key, { name: firstAdminName, isChosen: false, ...adminForGood })
    return { key, isNew: true }
  }

  /**
   * Makes `chosen` the one chosen key, unless it is an admin key already. Returns whether it is new.
   * A crash between adding and removing leaves two chosen keys; the next start removes the one.
   */
  async #choose(chosen: string): Promise<boolean> {
    checkChosenKey(chosen)
    const holder = this.#byDigest.get(digestOf(chosen))
    if (holder !== undefined && !isAdminForGood(holder.apiKey)) {
      throw new Error(
        `the chosen admin key is already the API key "${holder.apiKey.name}", which is not ` +
          'an admin key for good; choose another',
      )
    }
    const earlier = [...this.#byId.values()].filter(live => live.isChosen && live !== holder)
    if (holder === undefined) {
      await this.#add(chosen, { name: chosenAdminName, isChosen: true, ...adminForGood })
    }
    if (earlier.length > 0) {
      await this.#remove(earlier)
    }
    return holder === undefined
  }

  async #add(
    key: string,
    fields: Pick<StoredApiKey, 'name' | 'role' | 'expiresAt' | 'isChosen'>,
  ): Promise<ApiKey> {
    const id = randomUUID()
    const stored: StoredApiKey = { digest: digestOf(key), createdAt: this.#now(), ...fields }
    await this.#database.write(() => {
      this.#collection.put(id, stored)
    })
    return this.#keep(id, stored)
  }

  /** Refuses the keys at once, then removes them from the disk, all or none. */
  async #remove(keys: readonly LiveApiKey[]): Promise<void> {
    for (const { apiKey, digest } of keys) {
      this.#byId.delete(apiKey.id)
      this.#byDigest.delete(digest)
    }
    try {
      await this.#database.write(() => {
        for (const { apiKey } of keys) {
          this.#collection.remove(apiKey.id)
        }
      })
    } catch (error) {
      for (const live of keys) {
        this.#byId.set(live.apiKey.id, live)
      }
      throw error
    }
  }

  /** Refuses keys that a copy is without, for every look-up from this call on. */
  refuse(ids: Iterable<string>): void {
    for (const id of ids) this.#forget(id)
  }

  /** The values of these ids were changed by a copy. */
  reload(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#forget(id)
      const stored = orProblem(() => this.#collection.get(id))
      if (stored !== undefined && !(stored instanceof ProblemError)) this.#keep(id, stored)
    }
  }

  #forget(id: string): void {
    const live = this.#byId.get(id)
    this.#byId.delete(id)
    if (live !== undefined) this.#byDigest.delete(live.digest)
  }

  #liveAdmins(): LiveApiKey[] {
    return [...this.#byDigest.values()].filter(
      live => roleAtLeast(live.apiKey.role, 'admin') && this.#isLive(live),
    )
  }

  #isLive({ apiKey }: LiveApiKey): boolean {
    return apiKey.expiresAt === null || this.#now() < apiKey.expiresAt
  }

  #keep(id: string, stored: StoredApiKey): ApiKey {
    const { digest, isChosen, name, role, createdAt, expiresAt } = stored
    const apiKey = Object.freeze({ id, name, role, createdAt, expiresAt })
    const live = { apiKey, digest, isChosen }
    this.#byId.set(id, live)
    this.#byDigest.set(digest, live)
    return apiKey
  }
}

function isAdminForGood({ role, expiresAt }: ApiKey): boolean {
  return role === adminForGood.role && expiresAt === adminForGood.expiresAt
}

/** It is sent in a header, where white space ends it and anything but ASCII is ambiguous. */
function checkChosenKey(chosen: string): void {
  if (chosen.length < chosenLengthMin) {
    throw new Error(
      `the chosen admin key must have at least ${chosenLengthMin} characters, had ${chosen.length}`,
    )
  }
  if (!/^[\x21-\x7e]*$/.test(chosen)) {
    throw new Error('the chosen admin key must be ASCII letters, digits and signs, no white space')
  }
}
