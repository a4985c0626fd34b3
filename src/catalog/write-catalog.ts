/**
 * Makes a catalog's file from its values, durable and under its name at once or not at all.
 *
 * LMDB never opens a catalog that it did not make a moment ago, from values that were checked: it trusts
 * all numbers on a page, and its list of free pages, and may end the process over one that is damaged.
 */
import fs from 'node:fs'
import { dirname } from 'node:path'
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import { syncDirectory } from '../disk/sync-directory.ts'
import { removeLmdbFile } from '../lmdb/remove.ts'
import type { FoundCatalog } from './catalog-file.ts'
import { contentsPlace } from './contents.ts'

/**
 * Pages that the file has and that are free: small changes find room in these also when the disk is full,
 * where LMDB may end the process if it needs more.
 */
const spareBytes = 256 * 1024
const sparePlace = { collection: contentsPlace.collection, key: 'spare' }
/** Beside the values and what is spare: LMDB's own pages, of which each collection has one at least. */
const ownBytes = 128 * 1024
const pageBytes = 4096

/**
 * Opens an LMDB file for a catalog, or makes it. Two of lmdb's defaults are off; the catalog changes
 * seldom, so their speed is not missed:
 * - `overlappingSync`: with it a write's promise resolves when the change is visible, the fdatasync
 *   follows, and one that fails leaves `flushed` pending for ever. Without it a commit is fdatasync,
 *   then the meta page through O_DSYNC, then the promise (seen with strace); a failure rejects.
 * - `eventTurnBatching`: with it lmdb makes a second promise for each commit that nobody can get at,
 *   and a commit that fails (disk full) ends the process by an unhandled rejection.
 */
export function openCatalogFile(path: string): RootDatabase {
  const options: RootDatabaseOptionsWithPath & { path: string; permissionsMode: number } = {
    path,
    noSubdir: true,
    overlappingSync: false,
    eventTurnBatching: false,
    maxDbs: 32, // Seventeen are used.
    permissionsMode: 0o600, // Not in lmdb's types; it is in its `env.cpp`.
  }
  return open(options)
}

/**
 * Writes `found` to `path`, in the place of what is there. Rejects, with nothing changed, when it
 * cannot.
 */
export async function writeCatalogFile(
  path: string,
  { values, contents }: Pick<FoundCatalog, 'values' | 'contents'>,
): Promise<void> {
  const fresh = `${path}.new`
  removeLmdbFile(fresh)
  const pages = values.reduce(
    (sum, { stored }) => sum + 1 + Math.ceil(stored.length / pageBytes),
    0,
  )
  requireRoom(fresh, pages * pageBytes + spareBytes + ownBytes)
  const root = openCatalogFile(fresh)
  try {
    const names = [...new Set(values.map(({ collection }) => collection))]
    const collections = new Map(
      [...names, contentsPlace.collection].map(name => [
        name,
        root.openDB<Buffer, string>({ name, encoding: 'binary' }),
      ]),
    )
    const own = collections.get(contentsPlace.collection)!
    await root.batch(() => {
      for (const { collection, key, stored } of values) {
        collections.get(collection)!.put(key, stored)
      }
      own.put(sparePlace.key, Buffer.alloc(spareBytes))
    })
    // Twice: both meta pages know all of it, and either may be lost.
    for (const transaction of [1, 2]) {
      await root.batch(() => {
        own.remove(sparePlace.key)
        own.put(contentsPlace.key, contents.encode(transaction))
      })
    }
  } finally {
    await root.close()
  }
  fs.renameSync(fresh, path)
  fs.rmSync(`${fresh}-lock`, { force: true })
  fs.rmSync(`${path}-lock`, { force: true })
  await syncDirectory(dirname(path))
}

/**
 * LMDB may end the process on a full disk: throws, with the code of the failure, when this many bytes do
 * not fit. Nothing stays at `path`.
 */
export function requireRoom(path: string, bytes: number): void {
  try {
    fs.writeFileSync(path, Buffer.alloc(bytes))
  } finally {
    fs.rmSync(path, { force: true })
  }
}
