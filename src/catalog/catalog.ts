/**
 * The source of truth for what people set up: ingestion tokens, API keys, sessions of the page,
 * dashboards, saved queries.
 *
 * All of it lies in `<dataDir>/catalog.lmdb`; nothing here can be rebuilt from the log records, so
 * every change is on disk before its promise resolves. Secrets are at rest only as digests and as
 * ciphertext (`encryption.ts`) under a key outside that file (`secret-key.ts`).
 */

import type { KeyObject } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Health } from '../health.ts'
import { ApiKeys } from './api-keys.ts'
import { Dashboards } from './dashboards.ts'
import { CatalogDatabase, catalogFileName } from './database.ts'
import { IngestionTokens } from './ingestion-tokens.ts'
import { LastBackup } from './last-backup.ts'
import { copyCopyNote } from './primary/copy-file.ts'
import { CatalogFeed, type SettingsFeed } from './primary/feed.ts'
import { takeCopy } from './primary/take-copy.ts'
import { SavedQueries } from './saved-queries.ts'
import { copySecretKey, openSecretKey } from './secrets/secret-key.ts'
import { Sessions } from './sessions.ts'
import { isShelfEncrypted, openShelf, type Shelf } from './shelf.ts'
import { ensureStarterDashboards } from './starter-dashboards.ts'

export interface Catalog {
  readonly ingestionTokens: IngestionTokens
  readonly apiKeys: ApiKeys
  readonly sessions: Sessions
  readonly dashboards: Dashboards
  readonly savedQueries: SavedQueries
  readonly lastBackup: LastBackup
  /** For what other rooms keep. */
  readonly shelf: Shelf
  /** Under which secrets are encrypted. */
  readonly secretKey: KeyObject
  /** For front ends that keep a copy. */
  feed(): CatalogFeed
  /** Takes what a primary has; resolves with the collections that have changed. */
  takeCopy(feed: Pick<SettingsFeed, 'values' | 'isWhole'>): Promise<ReadonlySet<string>>
  /** Makes the dashboards that a new directory begins with; does nothing later on. */
  ensureStarterDashboards(): Promise<void>
  /** Puts a copy into a directory, as `openCatalog` finds it; not synced. Rejects on a full disk. */
  copyInto(directory: string): Promise<void>
  /** Writes a copy of the catalog's file alone; not synced. Rejects on a full disk. */
  copyTo(path: string): Promise<void>
  /** Saves usage and waits for writes under way. Nothing may be called afterwards. */
  close(): Promise<void>
}

/** The clock and the directory of one catalog. `now` returns Unix time in milliseconds. */
export interface CatalogOptions {
  readonly dataDir: string
  readonly now: () => number
  /** Told when no change can be written any more. */
  readonly onFatal?: (error: Error) => void
  /** Is told while changes cannot be written, or values are damaged. */
  readonly health?: Health
  /** Told what a person should know of damage, and of a change of the file's format. */
  readonly say?: (text: string) => void
}

/** Opens the catalog of `dataDir`, or makes it. The caller holds the directory's lock. */
export async function openCatalog({
  dataDir,
  now,
  onFatal = () => {},
  health = new Health(),
  say = () => {},
}: CatalogOptions): Promise<Catalog> {
  await mkdir(dataDir, { recursive: true })
  const database = await CatalogDatabase.open(dataDir, { onFatal, health, say })
  try {
    const isNeeded = IngestionTokens.areStoredIn(database) || isShelfEncrypted(database)
    const secretKey = await openSecretKey(dataDir, { isNeeded })
    const ingestionTokens = new IngestionTokens(database, secretKey, now)
    const apiKeys = new ApiKeys(database, now)
    const sessions = new Sessions(database, apiKeys, now)
    const dashboards = new Dashboards(database, now)
    const savedQueries = new SavedQueries(database, now)
    const shelf = openShelf(database, secretKey)
    return {
      ingestionTokens,
      apiKeys,
      sessions,
      dashboards,
      savedQueries,
      lastBackup: new LastBackup(shelf),
      shelf,
      secretKey,
      feed: () => new CatalogFeed(database, secretKey),
      takeCopy: feed =>
        takeCopy(database, feed, { 'api-keys': apiKeys, 'ingestion-tokens': ingestionTokens }),
      ensureStarterDashboards: () => ensureStarterDashboards(database, dashboards),
      async copyInto(directory) {
        await copyCopyNote(dataDir, directory)
        // Then the key: it is never replaced, so it fits whatever the catalog holds a moment later.
        await copySecretKey(dataDir, directory)
        await database.copyTo(join(directory, catalogFileName))
      },
      copyTo: path => database.copyTo(path),
      async close() {
        try {
          await ingestionTokens.close()
        } finally {
          await database.close()
        }
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
