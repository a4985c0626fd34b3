/**
 * The settings of a primary, for front ends that keep a copy: all of them at first, and then what changed. A
 * change is numbered; `epoch` tells the life of one process from any other, whose numbers mean nothing.
 */
import { createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import type { Answer } from '../../schema/answer.ts'
import type { Place } from '../checked-value.ts'
import type { CatalogDatabase, ChangedValue } from '../database.ts'
import { decryptSecret, encryptSecret } from '../secrets/encryption.ts'

/** What each front end has of its own: who signed in there, what was used there, what it backs up. */
const ownCollections: ReadonlySet<string> = new Set([
  ...['sessions', 'ingestion-token-usage', 'backups', 'contents'],
])

export function isCopied({ collection }: Pick<Place, 'collection'>): boolean {
  return !ownCollections.has(collection)
}

/** So many changes back a copy may be, and get no more than them. */
const changesKept = 1_000

const valueSchema = Type.Tuple(
  [Type.String(), Type.String(), Type.Union([Type.String(), Type.Null()])],
  { description: 'Collection, key, and the stored value in base64; null: there is none any more.' },
)

export const settingsFeedSchema = Type.Object({
  format: Type.Literal(1),
  epoch: Type.String(),
  version: Type.Integer({ minimum: 0, description: 'Of the last change.' }),
  isWhole: Type.Boolean({ description: 'Whether `values` are all there are.' }),
  values: Type.Array(valueSchema),
  /** Which key secrets are encrypted under, and, when whole, that key under the one of front ends. */
  secretKeyId: Type.String(),
  secretKey: Type.Optional(Type.String()),
})

export type SettingsFeed = Answer<typeof settingsFeedSchema>

export interface AskedFeed {
  readonly epoch: string
  /** The number of the last change that is known. */
  readonly after: number
}

interface Change {
  readonly version: number
  readonly values: readonly ChangedValue[]
}

export class CatalogFeed {
  readonly #database: CatalogDatabase
  readonly #secretKey: KeyObject
  readonly #epoch = randomBytes(8).toString('hex')
  #version = 0
  #changes: Change[] = []
  #changed = Promise.withResolvers<void>()

  constructor(database: CatalogDatabase, secretKey: KeyObject) {
    this.#database = database
    this.#secretKey = secretKey
    database.watchChanges(values => this.#note(values.filter(isCopied)))
  }

  /** What has changed since; waits for a change, `waitMs` at most, when nothing has. */
  async since(asked: AskedFeed, waitMs: number, frontEndKey: string): Promise<SettingsFeed> {
    const isCurrent = asked.epoch === this.#epoch && asked.after === this.#version
    if (isCurrent && waitMs > 0) await within(this.#changed.promise, waitMs)
    const [oldest] = this.#changes
    const isKnown = asked.epoch === this.#epoch && asked.after <= this.#version
    const isNear = asked.after === this.#version || (oldest && oldest.version <= asked.after + 1)
    const isWhole = !(isKnown && isNear)
    const values = isWhole
      ? [...this.#database.storedValues()].filter(isCopied)
      : this.#changes.filter(({ version }) => version > asked.after).flatMap(one => one.values)
    const own = this.#secretKey
    return {
      format: 1,
      epoch: this.#epoch,
      version: this.#version,
      isWhole,
      values: values.map(one => [one.collection, one.key, one.stored?.toString('base64') ?? null]),
      secretKeyId: secretKeyId(own),
      ...(isWhole && { secretKey: sealSecretKey(own, frontEndKey) }),
    }
  }

  #note(values: readonly ChangedValue[]): void {
    if (values.length === 0) return
    this.#version++
    this.#changes.push({ version: this.#version, values })
    if (this.#changes.length > changesKept) this.#changes.shift()
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

async function within(done: Promise<void>, ms: number): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, ms)
  await Promise.race([done, over.promise])
  clearTimeout(timer)
}

/** Says which key it is, and nothing of it. */
export function secretKeyId(key: KeyObject): string {
  const digest = createHash('sha256').update('which key').update(key.export()).digest()
  return digest.toString('hex').slice(0, 16)
}

const sealedOwner = 'secret.key'

function sealing(frontEndKey: string): KeyObject {
  const derived = hkdfSync('sha256', frontEndKey, 'logstrata', 'secret.key of the primary', 32)
  return createSecretKey(Buffer.from(derived))
}

/** The key under that of front ends: whoever listens on the way does not read it. */
function sealSecretKey(key: KeyObject, frontEndKey: string): string {
  const text = key.export().toString('base64')
  return encryptSecret(sealing(frontEndKey), sealedOwner, text).toString('base64')
}

/** Undefined when it was sealed under another key, or changed. */
export function openSealedKey(sealed: string, frontEndKey: string): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64')
  const text = decryptSecret(sealing(frontEndKey), sealedOwner, bytes)
  return text === undefined ? undefined : Buffer.from(text, 'base64')
}
