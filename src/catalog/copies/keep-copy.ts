/** Puts a copy of the catalog into `catalog-copies/`, durable and whole, or nothing. */
import fs from 'node:fs'
import { syncDirectory } from '../../disk/sync-directory.ts'
import { readCatalogFile } from '../catalog-file.ts'
import { copiesDirectory, superfluousCopies } from './copy-files.ts'

/**
 * `write` makes the file at the path that it is given. Copies beyond those that are kept go then. Throws
 * when the copy cannot be written, or is not whole: copies that are older stay in this case.
 */
export async function keepCopy(
  dataDir: string,
  path: string,
  write: (path: string) => Promise<void>,
): Promise<void> {
  const directory = copiesDirectory(dataDir)
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
  const unfinished = `${path}.tmp`
  fs.rmSync(unfinished, { force: true })
  try {
    await write(unfinished)
    const damaged = readCatalogFile(unfinished)?.damaged ?? []
    if (damaged.length > 0) throw new Error(`${damaged.length} values are damaged`)
    await makeDurable(unfinished)
    fs.renameSync(unfinished, path)
  } catch (error) {
    fs.rmSync(unfinished, { force: true })
    throw error
  }
  await syncDirectory(directory)
  await syncDirectory(dataDir) // The directory's own name.
  for (const copy of superfluousCopies(dataDir)) fs.rmSync(copy.path, { force: true })
}

/** Syncs a file of the catalog, which is nobody else's to read. */
export async function makeDurable(path: string): Promise<void> {
  const file = await fs.promises.open(path, 'r+')
  try {
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
}
