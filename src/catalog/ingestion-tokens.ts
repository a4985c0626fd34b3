/**
 * Ingestion tokens: who may append, and to which stream.
 *
 * All tokens are in memory, keyed by digest, because every event looks one up. In LMDB each has two
 * values: the token itself, written once (no edit exists), and its usage, written in the
 * background. Usage is for people ("is this token still in use?"): a crash loses the last seconds
 * of it, and nothing else depends on it.
 */

import { type KeyObject, randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { orProblem, ProblemError } from '../problems.ts'
import type { Stream, Timestamp } from '../record.ts'
import { type Answer, orNever, timestamp } from '../schema/answer.ts'
import { checkBody } from '../schema/check.ts'
import type { Collection } from './collection.ts'
import type { CatalogDatabase } from './database.ts'
import { nameSchema } from './names.ts'
import { digestOf } from './secrets/digest.ts'
import { decryptSecret, encryptSecret } from './secrets/encryption.ts'
import { ingestionTokenPrefix, newSecret } from './secrets/new-secret.ts'

export const createTokenSchema = Type.Object({
  serviceName: nameSchema("the sender's name"),
  environment: nameSchema('the environment that it runs in'),
  parse: Type.Optional(Type.Union([Type.Literal('json'), Type.Null()])),
  browser: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
})

/** What an event's token says about it. The same object for as long as the token lives. */
export interface IngestionToken {
  readonly id: string
  /** The same object at every look-up, so that it may be a key by identity. */
  readonly stream: Stream
  /** Whether messages that are JSON are taken apart, unless a request says otherwise. */
  readonly parse?: 'json' | undefined
  /** Whether it stands in a page: then it is bounded, see `http/access/browser-guard.ts`. */
  readonly isForBrowsers?: boolean
}

const tokenFields = {
  id: Type.String(),
  serviceName: Type.String(),
  environment: Type.String(),
  parse: Type.Union([Type.Literal('json'), Type.Null()], {
    description: 'Whether messages that are JSON are taken apart.',
  }),
  browser: Type.Boolean({ description: 'Whether it is for pages in a browser.' }),
  createdAt: timestamp,
}

export const createdTokenSchema = Type.Object({
  ...tokenFields,
  token: Type.String({ description: 'The secret.' }),
})

export type CreatedIngestionToken = Answer<typeof createdTokenSchema>

/** Its hint is empty when the secret cannot be decrypted. */
export const tokenSummarySchema = Type.Object(
  {
    ...tokenFields,
    lastUsedAt: orNever('Milliseconds since 1970; null if it was never used.'),
    eventCount: Type.Integer({ minimum: 0, description: 'Events accepted with it.' }),
    hint: Type.String({ description: 'The last four characters of the secret.' }),
  },
  { $id: 'IngestionToken', description: 'An ingestion token without its secret.' },
)

export type IngestionTokenSummary = Answer<typeof tokenSummarySchema>

/** A value of the collection `ingestion-tokens`, under the token's id. */
interface StoredToken {
  readonly digest: string
  readonly encryptedSecret: Uint8Array
  readonly serviceName: string
  readonly environment: string
  readonly parse?: 'json'
  readonly browser?: true
  readonly createdAt: Timestamp
}

/** A value of the collection `ingestion-token-usage`, under the token's id. */
interface StoredUsage {
  readonly lastUsedAt: Timestamp | null
  readonly eventCount: number
}

interface LiveToken extends IngestionToken {
  readonly stored: StoredToken
  lastUsedAt: Timestamp | null
  eventCount: number
}

const collectionName = 'ingestion-tokens'
const hintLength = 4
/** How much usage a crash may lose, against one fdatasync per interval while events arrive. */
const usageSaveIntervalMs = 5_000

export class IngestionTokens {
  readonly #database: CatalogDatabase
  readonly #secretKey: KeyObject
  readonly #now: () => number
  readonly #tokens: Collection<StoredToken>
  readonly #usage: Collection<StoredUsage>
  readonly #byId = new Map<string, LiveToken>()
  readonly #byDigest = new Map<string, LiveToken>()
  readonly #withUnsavedUsage = new Set<LiveToken>()
  #usageTimer: NodeJS.Timeout | undefined
  #usageSaving: Promise<void> | undefined

  /** Whether any token needs the secret key. */
  static areStoredIn(database: CatalogDatabase): boolean {
    return database.collection<StoredToken>(collectionName, 'msgpack').getKeysCount() > 0
  }

  constructor(database: CatalogDatabase, secretKey: KeyObject, now: () => number) {
    this.#database = database
    this.#secretKey = secretKey
    this.#now = now
    this.#tokens = database.collection(collectionName, 'msgpack')
    this.#usage = database.collection('ingestion-token-usage', 'msgpack')
    const usage = new Map([...this.#usage.getRange()].map(({ key, value }) => [key, value]))
    for (const { key: id, value: stored } of this.#tokens.getRange()) {
      this.#keep(id, stored, usage.get(id))
    }
  }

  /**
   * Makes a token for `{serviceName, environment, parse?, browser?}`; it is on disk when the promise
   * resolves, and not findable before. Throws `field_invalid` with the field's name.
   */
  async create(request: unknown): Promise<CreatedIngestionToken> {
    const names = checkBody(createTokenSchema, request)
    const id = randomUUID()
    const token = newSecret(ingestionTokenPrefix)
    const stored: StoredToken = {
      digest: digestOf(token),
      encryptedSecret: encryptSecret(this.#secretKey, id, token),
      serviceName: names.serviceName.trim(),
      environment: names.environment.trim(),
      ...(names.parse === 'json' && { parse: names.parse }),
      ...(names.browser === true && { browser: true as const }),
      createdAt: this.#now(),
    }
    await this.#database.write(() => {
      this.#tokens.put(id, stored)
    })
    this.#keep(id, stored, undefined)
    const { serviceName, environment, parse = null, browser = false, createdAt } = stored
    return { id, token, serviceName, environment, parse, browser, createdAt }
  }

  /** All tokens without their secrets, the oldest first. */
  list(): IngestionTokenSummary[] {
    const tokens = [...this.#byId.values()]
    tokens.sort((a, b) => a.stored.createdAt - b.stored.createdAt || (a.id < b.id ? -1 : 1))
    return tokens.map(token => ({
      id: token.id,
      serviceName: token.stored.serviceName,
      environment: token.stored.environment,
      parse: token.stored.parse ?? null,
      browser: token.stored.browser ?? false,
      createdAt: token.stored.createdAt,
      lastUsedAt: token.lastUsedAt,
      eventCount: token.eventCount,
      hint: this.#decrypt(token)?.slice(-hintLength) ?? '',
    }))
  }

  /** The token's text, to be shown to an admin. Throws `token_unknown`. */
  secret(id: string): string {
    const secret = this.#decrypt(this.#get(id))
    if (secret === undefined) {
      throw new Error(
        `the secret of ingestion token ${id} cannot be decrypted: secret.key is not the key that ` +
          'it was made under, or the catalog was changed; the token works, but cannot be shown',
      )
    }
    return secret
  }

  /**
   * Deletes for good. No look-up finds the token from this call on, also before the promise
   * resolves, which is when the deletion is on disk. Throws `token_unknown`, or `catalog_failed`:
   * then the token stays refused and listed, for another try, until the next start revives it.
   */
  async delete(id: string): Promise<void> {
    const token = this.#get(id)
    this.#byId.delete(id)
    this.#byDigest.delete(token.stored.digest)
    this.#withUnsavedUsage.delete(token)
    try {
      await this.#database.write(() => {
        this.#tokens.remove(id)
        this.#usage.remove(id)
      })
    } catch (error) {
      this.#byId.set(id, token)
      throw error
    }
  }

  /** The live token whose secret is `token`: on the path of every request (see `digest.ts`). */
  find(token: string): IngestionToken | undefined {
    return this.#byDigest.get(digestOf(token))
  }

  /**
   * The live token of this id or, as `serviceName/environment`, of these names: the oldest of them, since
   * their records are of one stream. For settings, which must not hold secrets.
   */
  named(name: string): IngestionToken | undefined {
    const known = this.#byId.get(name)
    if (known !== undefined && this.#isLive(known)) return known
    let oldest: LiveToken | undefined
    for (const token of this.#byId.values()) {
      const { serviceName, environment, createdAt } = token.stored
      const isNamed = `${serviceName}/${environment}` === name && this.#isLive(token)
      if (isNamed && (oldest === undefined || createdAt < oldest.stored.createdAt)) oldest = token
    }
    return oldest
  }

  /** Whether a token that was found still counts. */
  isLive(token: IngestionToken): boolean {
    const live = this.#byId.get(token.id)
    return live !== undefined && this.#isLive(live)
  }

  /** A token whose deletion could not be written is listed, and refused. */
  #isLive(token: LiveToken): boolean {
    return this.#byDigest.has(token.stored.digest)
  }

  /** Counts events that arrived with a token at time `at`. A token deleted meanwhile is left out. */
  noteUse(token: IngestionToken, eventCount: number, at: Timestamp): void {
    const live = this.#byId.get(token.id)
    if (live === undefined) {
      return
    }
    live.eventCount += eventCount
    live.lastUsedAt = Math.max(live.lastUsedAt ?? at, at)
    this.#withUnsavedUsage.add(live)
    this.#usageTimer ??= setTimeout(() => this.#saveUsageLater(), usageSaveIntervalMs).unref()
  }

  /** Refuses tokens that a copy is without, for every look-up from this call on. */
  refuse(ids: Iterable<string>): void {
    for (const id of ids) {
      const token = this.#byId.get(id)
      if (token === undefined) continue
      this.#byId.delete(id)
      this.#byDigest.delete(token.stored.digest)
      this.#withUnsavedUsage.delete(token)
    }
  }

  /** The values of these ids were changed by a copy: a token is made or deleted, and never changed. */
  reload(ids: Iterable<string>): void {
    for (const id of ids) {
      const stored = orProblem(() => this.#tokens.get(id))
      if (stored === undefined || stored instanceof ProblemError) this.refuse([id])
      else if (!this.#byId.has(id)) this.#keep(id, stored, undefined)
    }
  }

  /** Saves the usage. The database stays open: it is the catalog's. */
  async close(): Promise<void> {
    clearTimeout(this.#usageTimer)
    await this.#usageSaving
    await this.#saveUsage()
  }

  #saveUsageLater(): void {
    this.#usageTimer = undefined
    // Not worth an error when it fails: the counts are kept, and go with the next save.
    this.#usageSaving = this.#saveUsage().catch(() => undefined)
  }

  async #saveUsage(): Promise<void> {
    if (this.#withUnsavedUsage.size === 0) {
      return
    }
    const tokens = [...this.#withUnsavedUsage]
    const usage = tokens.map(({ id, lastUsedAt, eventCount }) => ({ id, lastUsedAt, eventCount }))
    this.#withUnsavedUsage.clear()
    try {
      await this.#database.write(() => {
        for (const { id, ...used } of usage) this.#usage.put(id, used)
      })
    } catch (error) {
      for (const token of tokens.filter(({ id }) => this.#byId.has(id))) {
        this.#withUnsavedUsage.add(token)
      }
      throw error
    }
  }

  #keep(id: string, stored: StoredToken, usage: StoredUsage | undefined): void {
    const stream = Object.freeze({ service: stored.serviceName, environment: stored.environment })
    const lastUsedAt = usage?.lastUsedAt ?? null
    const { parse } = stored
    const token: LiveToken = {
      id,
      stream,
      parse,
      isForBrowsers: stored.browser === true,
      stored,
      lastUsedAt,
      eventCount: usage?.eventCount ?? 0,
    }
    this.#byId.set(id, token)
    this.#byDigest.set(stored.digest, token)
  }

  #get(id: string): LiveToken {
    const token = this.#byId.get(id)
    if (token === undefined) {
      throw new ProblemError('token_unknown', 'no ingestion token has this id')
    }
    return token
  }

  #decrypt(token: LiveToken): string | undefined {
    return decryptSecret(this.#secretKey, token.id, token.stored.encryptedSecret)
  }
}
