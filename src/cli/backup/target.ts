/** Whether a backup may be made where it is wanted: nothing stands there, and it is apart from the data. */
import fs from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { ConfigError } from '../../config/settings.ts'

/** Throws ConfigError when there is something at `target`, or at `unfinished`. */
export function refuseExisting(target: string, unfinished: string): void {
  if (isThere(target)) {
    throw new ConfigError('', `${JSON.stringify(target)} exists already; name a new directory`)
  }
  if (isThere(unfinished)) {
    const what = 'is left of a backup that was cut, or is being made'
    throw new ConfigError('', `${JSON.stringify(unfinished)} ${what}; delete it, or name another`)
  }
}

/**
 * Throws ConfigError when the backup would lie in the data directory, or this in the backup, by whatever
 * links and steps up. `asked` is the target as it was named.
 */
export function refuseOverlap(asked: string, dataDir: string): void {
  const target = realPath(resolve(asked))
  const data = realPath(resolve(dataDir))
  const isInside = isWithin(target, data)
  if (!isInside && !isWithin(data, target)) return
  const [inner, outer] = isInside ? [asked, dataDir] : [dataDir, asked]
  const words = isInside
    ? ['the backup', 'the data directory']
    : ['the data directory', 'the backup']
  const text = `${words[0]} ${JSON.stringify(inner)} would lie in ${words[1]} ${JSON.stringify(outer)}`
  throw new ConfigError('', `${text} (${isInside ? data : target}); name a directory elsewhere`)
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path)
  return way !== '..' && !way.startsWith('../') && !way.startsWith('/')
}

/** Without symbolic links, as far as the path is there. */
function realPath(path: string): string {
  try {
    return fs.realpathSync(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(realPath(above), basename(path))
  }
}

/** Where nobody may look, making the directory says what is wrong. */
function isThere(path: string): boolean {
  try {
    fs.lstatSync(path)
    return true
  } catch {
    return false
  }
}
