/**
 * Where rooms further down keep something of their own in the catalog, as safe as all else in it: with
 * checksums, in copies and backups, on disk when a change resolves.
 */
import type { KeyObject } from 'node:crypto'
import type { Collection } from './collection.ts'
import type { CatalogDatabase } from './database.ts'
import { decryptSecret, encryptSecret } from './secrets/encryption.ts'

export type ShelfCollection<V> = Pick<Collection<V>, 'get' | 'getRange' | 'put' | 'remove'>

export interface Shelf {
  collection<V>(name: string): ShelfCollection<V>
  /** As `CatalogDatabase.write`: all puts and removes of any collections, or none. */
  write(change: () => void): Promise<void>
  /** A secret that is used again, bound to what it belongs to. */
  encrypt(ownerId: string, secret: string): Uint8Array
  /** Undefined when it was made under another key or for another owner, or changed. */
  decrypt(ownerId: string, encrypted: Uint8Array): string | undefined
}

/** What has secrets in it; see `Shelf.encrypt`. */
export const receiversName = 'alert-receivers'

/** Whether anything of other rooms needs the secret key. */
export function isShelfEncrypted(database: CatalogDatabase): boolean {
  return database.collection(receiversName, 'msgpack').getKeysCount() > 0
}

export function openShelf(database: CatalogDatabase, secretKey: KeyObject): Shelf {
  return {
    collection: name => database.collection(name, 'msgpack'),
    write: change => database.write(change),
    encrypt: (ownerId, secret) => encryptSecret(secretKey, ownerId, secret),
    decrypt: (ownerId, encrypted) => decryptSecret(secretKey, ownerId, encrypted),
  }
}
