/**
 * `logstrata restore-catalog`: puts a copy of the catalog back. The name `catalog.lmdb` stands for the one
 * file or for the other at every moment, whatever happens meanwhile.
 */
import fs from 'node:fs'
import { join, resolve } from 'node:path'
import { CatalogUnusable, type FoundCatalog, readCatalogFile } from '../../catalog/catalog-file.ts'
import { copiesDirectory, newestWholeCopy, replacedPath } from '../../catalog/copies/copy-files.ts'
import { makeDurable } from '../../catalog/copies/keep-copy.ts'
import { catalogFileName } from '../../catalog/database.ts'
import { syncDirectory } from '../../disk/sync-directory.ts'
import { CommandError } from '../command-error.ts'
import { holdDataDir } from '../held-directory.ts'
import { numberText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { readRestoreCatalogOptions } from './restore-catalog-options.ts'

/** Resolves with 0. Throws ConfigError and CommandError. */
export async function runRestoreCatalog(
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { dataDir, from } = readRestoreCatalogOptions(argv, terminal.environment)
  const letGo = holdDataDir(dataDir)
  try {
    const copy = from ?? newestCopy(dataDir)
    const { values } = readCopy(copy)
    const replaced = await putBack(resolve(copy), dataDir)
    const kept = replaced === undefined ? '' : `; what was there is kept as ${replaced}`
    terminal.stderr.write(
      `restored ${join(dataDir, catalogFileName)} from ${copy}, ${numberText(values.length)} values${kept}\n`,
    )
    return 0
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new CommandError(`cannot restore the catalog: ${error.message}`, { cause: error })
  } finally {
    letGo()
  }
}

function newestCopy(dataDir: string): string {
  const copy = newestWholeCopy(dataDir)
  if (copy !== undefined) return copy
  const where = copiesDirectory(dataDir)
  throw new CommandError(`there is no copy that is whole in ${where}; name one by --from`)
}

/** What a copy holds; nothing of it is damaged. */
function readCopy(path: string): FoundCatalog {
  let what = 'nothing is there'
  try {
    const found = readCatalogFile(path)
    if (found?.damaged.length === 0) return found
    if (found !== undefined) what = `${found.damaged.length} of its values are damaged`
  } catch (error) {
    if (!(error instanceof CatalogUnusable)) throw error
    what = error.message
  }
  throw new CommandError(`${path} cannot be put back: ${what}`)
}

/** Returns the path of what was there; undefined when nothing was. */
async function putBack(copy: string, dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, catalogFileName)
  const fresh = `${path}.new`
  fs.rmSync(fresh, { force: true })
  fs.copyFileSync(copy, fresh)
  await makeDurable(fresh)
  const replaced = await keepAside(path, dataDir)
  fs.renameSync(fresh, path)
  fs.rmSync(`${path}-lock`, { force: true })
  await syncDirectory(dataDir)
  return replaced
}

/** Links what is there under a second name, so that the first never stands for nothing. */
async function keepAside(path: string, dataDir: string): Promise<string | undefined> {
  const found = fs.lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  const directory = copiesDirectory(dataDir)
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
  const replaced = replacedPath(dataDir, Date.now())
  if (found.isFile()) fs.linkSync(path, replaced)
  else fs.renameSync(path, replaced) // A directory has no second name, and was no catalog.
  await syncDirectory(directory)
  return replaced
}
