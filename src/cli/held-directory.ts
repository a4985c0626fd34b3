/** The data directory of a command that works on it itself, with no service on it. */
import fs from 'node:fs'
import { ConfigError } from '../config/settings.ts'
import { DataDirLocked, lockDataDir } from '../store/lock.ts'
import { CommandError } from './command-error.ts'

/**
 * Takes the lock of a data directory; the function it returns releases it. Throws ConfigError when
 * there is none, and CommandError when it is in use, or cannot be locked.
 */
export function holdDataDir(dataDir: string): () => void {
  if (fs.statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ConfigError('--data-dir', `there is no data directory at ${JSON.stringify(dataDir)}`)
  }
  try {
    return lockDataDir(dataDir)
  } catch (error) {
    const text = (error as Error).message
    const what =
      error instanceof DataDirLocked ? `${text.split(';')[0]}; stop it first` : `lock: ${text}`
    throw new CommandError(what, { cause: error })
  }
}
