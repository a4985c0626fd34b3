/** The data directory of a command that works on it itself, with no service on it. */
import fs from 'node:fs'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { ConfigError } from '../config/settings.ts'
import { DataDirLocked, lockDataDir } from '../store/lock.ts'
import { CommandError } from './command-error.ts'
import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'

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

/** Throws CommandError for a user, such as root, whose files the service could not read. */
export function refuseOtherUser(dataDir: string): void {
  const segments = join(dataDir, 'segments')
  const { uid } = fs.statSync(fs.existsSync(segments) ? segments : dataDir)
  if (process.getuid === undefined || process.getuid() === uid) return
  const what = `${JSON.stringify(dataDir)} belongs to another user (${uid})`
  throw new CommandError(`${what}; run this as the user of the service`)
}

/** What the store's log has to say of the directory, as lines for people. */
export function loggerFor({ stderr }: Terminal): Logger {
  const write = (line: string) => {
    const { msg, segment = '' } = JSON.parse(line)
    stderr.write(`logstrata: ${printable(segment === '' ? msg : `${segment}: ${msg}`)}\n`)
  }
  return pino({ level: 'warn', base: null }, { write })
}
