/** What a start says of a catalog that it cannot use: the file, its newest copy, and the command. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newestWholeCopy } from './copies/copy-files.ts'

/** The launcher is not built; sources and what is built of them lie equally deep. */
const program = fileURLToPath(new URL('../../src/cli/logstrata.js', import.meta.url))

/** `what` is wrong with the file `catalogPath` in `dataDir`. */
export function catalogError(catalogPath: string, what: string, cause?: unknown): Error {
  const text = `open ${catalogPath}: ${what}; ${remedy(resolve(catalogPath, '..'))}`
  return new Error(text, cause === undefined ? undefined : { cause })
}

/** What to do about a catalog that is damaged, wholly or in part. */
export function remedy(dataDir: string): string {
  const copy = newestWholeCopy(dataDir)
  if (copy === undefined) {
    return 'there is no copy that is whole in catalog-copies; restore it from a backup'
  }
  return `its newest copy that is whole is ${copy}; to restore it: ${restoreCommand(dataDir)}`
}

/** The command line that puts the newest copy back. */
function restoreCommand(dataDir: string): string {
  const words = [process.execPath, program, 'restore-catalog', '--data-dir', resolve(dataDir)]
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
