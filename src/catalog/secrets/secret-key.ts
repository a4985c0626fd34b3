/**
 * `secret.key` in the data directory: 32 random bytes, readable by the service's user only.
 *
 * It encrypts what the catalog must be able to show again, and lies beside it, not in it, so that a
 * copied `catalog.lmdb` alone reveals no secret. It is made once, on the first start, and never
 * replaced: without it ingestion continues (tokens are found by digest), but no token can be shown.
 */

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { chmod, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refuseDirectory } from '../../disk/refuse-directory.ts'
import { syncDirectory } from '../../disk/sync-directory.ts'

const fileName = 'secret.key'
const keyBytes = 32
const fileMode = 0o600

/**
 * Reads the key of `dataDir`, or makes it. `isNeeded`: something is encrypted under it already.
 * Throws when the file is missing though needed, or is not a key; the text says what to do.
 */
export async function openSecretKey(
  dataDir: string,
  { isNeeded }: { isNeeded: boolean },
): Promise<KeyObject> {
  const path = join(dataDir, fileName)
  const stored = await readIfThere(path)
  if (stored === undefined && isNeeded) {
    throw new Error(
      `${path} is missing, and ingestion tokens or receivers of alerts are encrypted under it; ${remedy(path)}`,
    )
  }
  if (stored !== undefined && stored.length !== keyBytes) {
    throw new Error(
      `${path} must hold ${keyBytes} bytes, but holds ${stored.length}; ${remedy(path)}`,
    )
  }
  if (stored === undefined) {
    const key = randomBytes(keyBytes)
    await writeKey(dataDir, path, key)
    return createSecretKey(key)
  }
  await restrictMode(path)
  return createSecretKey(stored)
}

/** Makes `key` that of `dataDir`. Throws when it has another. */
export async function putSecretKey(dataDir: string, key: Buffer): Promise<void> {
  const path = join(dataDir, fileName)
  const stored = await readIfThere(path)
  if (stored === undefined) return writeKey(dataDir, path, key)
  if (!stored.equals(key)) {
    throw new Error(`${path} is another key than the primary's: give another --data-dir`)
  }
}

/** Copies the key of `dataDir` into another directory, which has none. */
export async function copySecretKey(dataDir: string, directory: string): Promise<void> {
  const key = await readFile(join(dataDir, fileName))
  await writeFile(join(directory, fileName), key, { flag: 'wx', mode: fileMode })
}

function remedy(path: string): string {
  return (
    'restore it from the backup that the catalog came from. Without a backup, make a new one with ' +
    `"head -c ${keyBytes} /dev/urandom > ${path}": all tokens keep working, ` +
    'but those made before can no longer be shown, and receivers of alerts are to be made anew'
  )
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  refuseDirectory(path)
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined
    }
    throw new Error(`read ${path}: ${(error as Error).message}`, { cause: error })
  }
}

/** A crash leaves either no key or a whole one, and never a token encrypted under a lost key. */
async function writeKey(dataDir: string, path: string, key: Buffer): Promise<void> {
  const temporaryPath = `${path}.tmp`
  await rm(temporaryPath, { force: true }) // Left by a crash; its mode may be another.
  const file = await open(temporaryPath, 'wx', fileMode)
  try {
    await file.writeFile(key)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporaryPath, path)
  await syncDirectory(dataDir)
}

/** A key that was restored from a backup may have come back readable by others. */
async function restrictMode(path: string): Promise<void> {
  const { mode } = await stat(path)
  const isOpenToOthers = (mode & 0o077) !== 0
  if (isOpenToOthers) {
    await chmod(path, fileMode)
  }
}
