/**
 * `logstrata backup`: a copy of the data directory on which a service can be started.
 *
 *   source held ─▶ copied to DIR.unfinished ─▶ source let go ─▶ list of files ─▶ verified ─▶ renamed to DIR
 *
 * What fails or is interrupted removes what it made; what is killed leaves `DIR.unfinished`.
 */
import fs from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { version } from '../../config/version.ts'
import { isDiskFull } from '../../disk/disk-full.ts'
import { syncDirectory } from '../../disk/sync-directory.ts'
import { writeManifest } from '../../store/backup-manifest.ts'
import { type DataFile, listDataFiles } from '../../store/view/data-files.ts'
import { CommandError } from '../command-error.ts'
import { startProgress } from '../import/progress.ts'
import { verdictText, verifyDirectory } from '../inspect/verify.ts'
import { byteText, numberText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { copyFiles } from './copy.ts'
import { type BackupOptions, readBackupOptions } from './options.ts'
import { openSource } from './source.ts'
import { refuseExisting, refuseOverlap } from './target.ts'

/**
 * Resolves with 0 when the backup is whole, 1 when something in it is damaged, 130 when interrupted.
 * Throws ConfigError and CommandError.
 */
export async function runBackup(argv: readonly string[], terminal: Terminal): Promise<number> {
  const options = readBackupOptions(argv, terminal.environment)
  const interrupt = terminal.interrupts()
  const target = resolve(options.target)
  const unfinished = `${target}.unfinished`
  refuseOverlap(options.target, options.dataDir)
  refuseExisting(target, unfinished)
  try {
    await fs.mkdir(unfinished, { mode: 0o700 })
  } catch (error) {
    throw cannotWrite(unfinished, error)
  }
  try {
    const startedAtMs = performance.now()
    const files = await copyFrom(options, unfinished, terminal, interrupt)
    const isWhole =
      options.skipVerify || (await verify(unfinished, files, options, terminal, interrupt))
    interrupt.throwIfAborted()
    await fs.rename(unfinished, target)
    await syncDirectory(dirname(target))
    if (!options.quiet) {
      const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1)
      const size = `${numberText(files.length)} files, ${byteText(totalBytes(files))}`
      const state = options.skipVerify
        ? 'not verified'
        : isWhole
          ? 'verified'
          : 'DAMAGED, see above'
      terminal.stderr.write(`backed up ${size}, to ${options.target} in ${seconds} s; ${state}\n`)
    }
    return isWhole ? 0 : 1
  } catch (error) {
    await fs.rm(unfinished, { recursive: true, force: true })
    if (interrupt.aborted) {
      terminal.stderr.write('logstrata: interrupted; nothing is left of the backup\n')
      return 130
    }
    if (error instanceof Error && 'syscall' in error) throw cannotWrite(unfinished, error)
    throw error
  }
}

/** Resolves with what was copied, durable, its list too. */
async function copyFrom(
  options: BackupOptions,
  to: string,
  terminal: Terminal,
  interrupt: AbortSignal,
): Promise<readonly DataFile[]> {
  const createdAt = Date.now()
  const source = await openSource(options)
  const signal = AbortSignal.any([interrupt, source.lost])
  let files: readonly DataFile[]
  let stopProgress = () => {}
  try {
    files = listDataFiles(source.directory)
    const progress = new Passed(files, performance.now())
    if (!options.quiet) stopProgress = startProgress(terminal, () => progress.shown())
    const onFile = (file: DataFile) => progress.add(file)
    await copyFiles({ from: source.directory, to, files, signal, onFile })
    signal.throwIfAborted()
  } catch (error) {
    if (interrupt.aborted || !source.lost.aborted) throw error
    throw new CommandError('the service stopped while it was backed up; try again', {
      cause: error,
    })
  } finally {
    stopProgress()
    await source.release()
  }
  writeManifest(to, { createdAt, version: version(), files })
  await syncDirectory(to)
  return files
}

/** Prints what is wrong. Resolves with whether nothing is. */
async function verify(
  directory: string,
  files: readonly DataFile[],
  { quiet, target }: BackupOptions,
  terminal: Terminal,
  interrupt: AbortSignal,
): Promise<boolean> {
  const sizes = new Map(files.map(file => [`${directory}/${file.path}`, file]))
  const progress = new Passed(files, performance.now())
  const stopProgress = quiet ? () => {} : startProgress(terminal, () => progress.shown())
  const faulty: string[] = []
  try {
    for await (const verdict of verifyDirectory(directory)) {
      interrupt.throwIfAborted()
      const file = sizes.get(verdict.path)
      if (file !== undefined) progress.add(file)
      if (verdict.faults.length === 0) continue
      const path = verdict.path.replace(directory, target)
      faulty.push(verdictText({ ...verdict, path }))
    }
  } finally {
    stopProgress()
  }
  for (const text of faulty) terminal.stderr.write(text)
  return faulty.length === 0
}

/** How much of some files is done. */
class Passed {
  readonly #totalBytes: number
  readonly #startedAtMs: number
  #bytes = 0

  constructor(files: readonly DataFile[], startedAtMs: number) {
    this.#totalBytes = totalBytes(files)
    this.#startedAtMs = startedAtMs
  }

  add({ bytes }: DataFile): void {
    this.#bytes += bytes
  }

  shown() {
    return {
      elapsedMs: performance.now() - this.#startedAtMs,
      recordCount: undefined,
      sentBytes: this.#bytes,
      share: this.#totalBytes === 0 ? undefined : this.#bytes / this.#totalBytes,
    }
  }
}

function totalBytes(files: readonly DataFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

function cannotWrite(path: string, error: unknown): CommandError {
  const { code, syscall } = error as NodeJS.ErrnoException
  const remedy = isDiskFull(error) ? ': there is no space left' : ''
  const what = `cannot make the backup ${JSON.stringify(path)} (${code}, ${syscall})${remedy}`
  return new CommandError(what, { cause: error })
}
