/**
 * What a backup copies from: a snapshot that a running service holds, or the data directory itself, under
 * its lock, when no service has it. Either does not change while it is held.
 */
import fs from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiConfig } from '../../config/config.ts'
import { ConfigError } from '../../config/settings.ts'
import { DataDirLocked, lockDataDir } from '../../store/lock.ts'
import { snapshotsDirectory } from '../../store/view/snapshots.ts'
import { parseObject, request, strangeAnswer, Unreachable } from '../api.ts'
import { CommandError } from '../command-error.ts'
import type { BackupOptions } from './options.ts'

/** Time that a service may take to remove a snapshot, and how often we look, ms. */
const releaseMsMax = 10_000
const releaseLookMs = 10

export interface BackupSource {
  /** Laid out as a data directory. */
  readonly directory: string
  /** Aborts when it is not held any more: what was not copied yet may be gone. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Throws CommandError and ConfigError, which say what to do. */
export async function openSource({ api, dataDir }: BackupOptions): Promise<BackupSource> {
  refuseUnreadable(dataDir)
  if (api.key !== undefined) {
    try {
      return await heldByService(api, dataDir)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
    }
  }
  return lockedByUs(api, dataDir)
}

function refuseUnreadable(dataDir: string): void {
  try {
    fs.statSync(join(dataDir, 'catalog.lmdb'))
    fs.accessSync(dataDir, fs.constants.R_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new ConfigError('--data-dir', `there is no data directory at ${quoted(dataDir)}`)
    }
    const remedy = 'run this as the user of the service'
    throw new CommandError(`cannot read ${quoted(dataDir)} (${code}); ${remedy}`)
  }
}

async function heldByService(api: ApiConfig, dataDir: string): Promise<BackupSource> {
  const stop = new AbortController()
  const lost = new AbortController()
  const path = '/api/v1/settings/backup'
  const { signal } = stop
  const answer = await request(api, { method: 'POST', path, body: {}, signal })
  if (answer.body === null) throw strangeAnswer(api.url)
  // Lines come for as long as the snapshot is held. They are read to the end, or the service would stop.
  const lines = createInterface({ input: Readable.fromWeb(answer.body as ReadableStream) })
  const first = Promise.withResolvers<string>()
  const ended = new Promise<void>(done => {
    lines.on('line', first.resolve)
    lines.on('error', () => lines.close())
    lines.on('close', () => {
      first.resolve('')
      lost.abort()
      done()
    })
  })
  let directory: string | undefined
  const release = async () => {
    stop.abort()
    await ended
    if (directory !== undefined) await becomesFree(directory)
  }
  const { snapshot } = parseObject(await first.promise, api)
  if (typeof snapshot !== 'string' || !/^\w+$/.test(snapshot)) {
    await release()
    throw strangeAnswer(api.url)
  }
  directory = join(dataDir, snapshotsDirectory, snapshot)
  if (!fs.existsSync(directory)) {
    await release()
    const where = `${quoted(dataDir)} is not the data directory of the service at ${api.url}`
    throw new CommandError(`${where}; give its own with --data-dir`, { exitCode: 2 })
  }
  return { directory, lost: lost.signal, release }
}

/** The service notices soon that we have gone; only then it takes the next snapshot. */
async function becomesFree(directory: string): Promise<void> {
  const giveUpAtMs = performance.now() + releaseMsMax
  while (fs.existsSync(directory) && performance.now() < giveUpAtMs) await sleep(releaseLookMs)
}

function lockedByUs({ url, key }: ApiConfig, dataDir: string): BackupSource {
  try {
    const letGo = lockDataDir(dataDir)
    return {
      directory: resolve(dataDir),
      lost: new AbortController().signal,
      release: async () => letGo(),
    }
  } catch (error) {
    if (!(error instanceof DataDirLocked)) {
      const { code } = error as NodeJS.ErrnoException
      throw new CommandError(`cannot lock ${quoted(dataDir)} (${code ?? String(error)})`)
    }
    const remedy =
      key === undefined
        ? 'give an admin key with --key or LOGSTRATA_KEY, so that it can be asked for a snapshot'
        : `but no service answers at ${url}; say with --url where it is`
    const text = `a service is running on ${quoted(dataDir)}; ${remedy}`
    throw key === undefined ? new ConfigError('--key', text) : new CommandError(text)
  }
}

const quoted = (path: string) => JSON.stringify(path)
