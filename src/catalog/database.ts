/**
 * The catalog's LMDB file: opens it, hands out its collections, and writes so that a change is on
 * disk when its promise resolves.
 *
 * Two of lmdb's defaults are off; the catalog changes seldom, so their speed is not missed:
 * - `overlappingSync`: with it a write's promise resolves when the change is visible, the fdatasync
 *   follows, and one that fails leaves `flushed` pending for ever. Without it a commit is fdatasync,
 *   then the meta page through O_DSYNC, then the promise (seen with strace); a failure rejects.
 * - `eventTurnBatching`: with it lmdb makes a second promise for each commit that nobody can get at,
 *   and a commit that fails (disk full) ends the process by an unhandled rejection.
 */

import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import { refuseDirectory } from '../disk/refuse-directory.ts'
import { answered, LmdbSilent, lmdbAnswerMs } from '../lmdb-answer.ts'
import { commitCause, lmdbFileAt } from '../lmdb-file.ts'
import { Health } from '../observe/health.ts'
import { ProblemError } from '../problems.ts'
import { syncDirectory } from '../sync-directory.ts'

/** How values of a collection are stored: objects of ours as msgpack, or text as it is. */
export type ValueEncoding = 'msgpack' | 'string'

/** In the data directory. */
export const catalogFileName = 'catalog.lmdb'

export interface CatalogWatch {
  /** A change may take so long, ms. */
  readonly answerMs: number
  /** Told when one took longer: no change will be written any more, until the process begins anew. */
  readonly onFatal: (error: Error) => void
  /** Is told while changes cannot be written. */
  readonly health: Pick<Health, 'raise' | 'clear' | 'text'>
  /** Time until a change is tried again that nobody waits for, only to know whether it can be written, ms. */
  readonly retryMs: number
}

const unwatched: CatalogWatch = {
  answerMs: lmdbAnswerMs,
  onFatal: () => {},
  health: new Health(),
  retryMs: 5_000,
}

/** Names of things that are done once in a directory's life, and of the last try to write. */
export const marksName = 'marks'
const triedMark = 'tried'

export class CatalogDatabase {
  readonly #root: RootDatabase
  readonly #watch: CatalogWatch
  /** Whether a change was given up: then closing would wait for it. */
  #isSilent = false
  #isClosed = false
  #retry: NodeJS.Timeout | undefined

  private constructor(root: RootDatabase, watch: CatalogWatch) {
    this.#root = root
    this.#watch = watch
  }

  /**
   * Opens `<dataDir>/catalog.lmdb`, or makes it. One process at a time may have it open. Throws an
   * Error that says what to do when the file is not LMDB's, or was cut off.
   */
  static async open(dataDir: string, watch: Partial<CatalogWatch> = {}): Promise<CatalogDatabase> {
    const options = {
      path: join(dataDir, catalogFileName),
      noSubdir: true,
      overlappingSync: false,
      eventTurnBatching: false,
      maxDbs: 16, // Eight are used.
      permissionsMode: 0o600, // Not in lmdb's types; it is in its `env.cpp`.
    }
    const root = openRoot(options)
    await syncDirectory(dataDir) // A new file's name must survive a power cut as its pages do.
    return new CatalogDatabase(root, { ...unwatched, ...watch })
  }

  collection<V>(name: string, encoding: ValueEncoding): Database<V, string> {
    return this.#root.openDB<V, string>({ name, encoding })
  }

  /**
   * Does all puts and removes that `change` makes, as one transaction; they are on disk when the
   * promise resolves. Throws `catalog_failed` when they are not: then none of them is.
   */
  async write(change: () => void): Promise<void> {
    const { answerMs, onFatal, health } = this.#watch
    try {
      await answered(this.#commit(change), answerMs)
      health.clear('catalog_failing')
    } catch (cause) {
      const why = (cause as Error).message
      health.raise('catalog_failing', `changes of tokens, keys and dashboards are refused: ${why}`)
      if (cause instanceof LmdbSilent) {
        this.#isSilent = true
        onFatal(new Error('write the catalog', { cause }))
      } else this.#retryLater()
      throw new ProblemError('catalog_failed', 'the change could not be written', { cause })
    }
  }

  /** Nobody may want a change for days: whether one can be written again shows only when one is. */
  #retryLater(): void {
    this.#retry ??= setTimeout(async () => {
      this.#retry = undefined
      const { health } = this.#watch
      if ((await health.text('catalog_failing')) === undefined) return
      // On a full disk LMDB may end the process: whoever wants a change may try, but nobody else.
      if ((await health.text('disk_full')) !== undefined) return this.#retryLater()
      if (this.#isClosed) return
      const marks = this.collection<string>(marksName, 'string')
      await this.write(() => void marks.put(triedMark, new Date().toISOString())).catch(() => {})
    }, this.#watch.retryMs).unref()
  }

  async #commit(change: () => void): Promise<void> {
    try {
      await this.#root.batch(change)
    } catch (error) {
      throw await commitCause(error)
    }
  }

  /** Writes all that is committed to a new file, without free pages, while changes go on. */
  async copyTo(path: string): Promise<void> {
    try {
      await this.#root.backup(path, true)
    } catch (error) {
      throw copyFailed(error as Error)
    }
    await chmod(path, 0o600)
  }

  /** Waits for writes under way, but not for one that was given up. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    if (!this.#isSilent) await this.#root.close()
  }
}

function openRoot(options: RootDatabaseOptionsWithPath & { path: string }): RootDatabase {
  const { path } = options
  for (const file of [path, `${path}-lock`]) refuseDirectory(file)
  const found = lmdbFileAt(path)
  if (found === 'foreign') {
    throw new Error(`open ${path}: it is not an LMDB file; restore it from a backup`)
  }
  if (found === 'cut') {
    throw new Error(`open ${path}: the end of the file is missing; restore it from a backup`)
  }
  try {
    return open(options)
  } catch (cause) {
    throw new Error(`open ${path}: ${(cause as Error).message}; restore it from a backup`, {
      cause,
    })
  }
}

/** LMDB says only in words that the disk is full. */
function copyFailed(cause: Error): Error {
  const isFull = /no space left|quota/i.test(cause.message)
  const error = new Error(`copy the catalog: ${cause.message}`, { cause })
  return isFull ? Object.assign(error, { code: 'ENOSPC' }) : error
}
