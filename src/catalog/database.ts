/**
 * The catalog's LMDB file: opens it, hands out its collections, and writes so that a change is on
 * disk when its promise resolves.
 *
 * Changes are made one after the other, because each one counts what all values come to (`contents.ts`);
 * each is two transactions, so that both meta pages know of it and either may be lost.
 */

import fs from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, RootDatabase } from 'lmdb'
import { isDiskFull } from '../disk/disk-full.ts'
import { refuseDirectory } from '../disk/refuse-directory.ts'
import { getOrInsertComputed } from '../get-or-insert.ts'
import { Health } from '../health.ts'
import { answered, LmdbSilent, lmdbAnswerMs } from '../lmdb/answer.ts'
import { commitCause, lmdbIsWhole } from '../lmdb/file.ts'
import { ProblemError } from '../problems.ts'
import { InTurn } from '../threads/in-turn.ts'
import { catalogError, remedy } from './catalog-error.ts'
import { CatalogUnusable, type FoundCatalog, readCatalogFile } from './catalog-file.ts'
import { decodeChecked, type Place } from './checked-value.ts'
import { Collection, type ValueEncoding } from './collection.ts'
import { Contents, contentsPlace, formatVersion } from './contents.ts'
import { copiesDirectory, copyPath, listCopies } from './copies/copy-files.ts'
import { keepCopy } from './copies/keep-copy.ts'
import { openCatalogFile, requireRoom, writeCatalogFile } from './write-catalog.ts'

/** In the data directory. */
export const catalogFileName = 'catalog.lmdb'

/** Names of things that are done once in a directory's life. */
export const marksName = 'marks'

export interface CatalogWatch {
  /** A change may take so long, ms. */
  readonly answerMs: number
  /** Called when one took longer: no change will be written any more, until the process is restarted. */
  readonly onFatal: (error: Error) => void
  /** Is told while changes cannot be written, or values are damaged. */
  readonly health: Pick<Health, 'raise' | 'clear' | 'text'>
  /** Told what a person should know, once. */
  readonly say: (text: string) => void
  /**
   * Time until a failed change is followed by one that changes nothing, to know whether it works again,
   * ms.
   */
  readonly retryMs: number
}

const unwatched: CatalogWatch = {
  answerMs: lmdbAnswerMs,
  onFatal: () => {},
  health: new Health(),
  say: () => {},
  retryMs: 5_000,
}

/** A value with its checksum; one that was removed has nothing stored. */
export interface ChangedValue extends Place {
  readonly stored: Buffer | undefined
}

/** What a change has done so far. */
interface Change {
  contents: Contents
  /** By collection and key. */
  readonly places: Map<string, ChangedValue>
}

/** Up to this many bytes a change finds room in pages that the file has spare. */
const smallChangeBytes = 8 * 1024

export class CatalogDatabase {
  readonly #dataDir: string
  readonly #root: RootDatabase
  readonly #watch: CatalogWatch
  readonly #stored = new Map<string, Database<Buffer, string>>()
  readonly #watchers: ((values: readonly ChangedValue[]) => void)[] = []
  /** Of what is committed. */
  #contents: Contents
  /** Of the record of the contents: only that it never stays the same counts. */
  #transaction = Date.now()
  #change: Change | undefined
  readonly #inTurn = new InTurn()
  readonly #damaged = new Set<string>()
  /** Whether a change was given up: then closing would wait for it. */
  #isSilent = false
  #isClosed = false
  #retry: NodeJS.Timeout | undefined

  private constructor(
    dataDir: string,
    root: RootDatabase,
    { values, contents, damaged }: FoundCatalog,
    watch: CatalogWatch,
  ) {
    this.#dataDir = dataDir
    this.#root = root
    this.#contents = contents
    this.#watch = watch
    for (const place of damaged) this.#noteDamaged(place)
    for (const { collection } of values) this.#storedIn(collection)
  }

  /**
   * Opens `<dataDir>/catalog.lmdb`, or makes it; one of format 1 gets checksums, and a copy is kept of it
   * as it was. One process at a time may have it open. Throws an Error that names the file and says what
   * to do when it cannot be used.
   */
  static async open(dataDir: string, given: Partial<CatalogWatch> = {}): Promise<CatalogDatabase> {
    const watch = { ...unwatched, ...given }
    const path = join(dataDir, catalogFileName)
    refuseDirectory(`${path}-lock`)
    const found = read(dataDir, path)
    if (found.format < formatVersion && fs.existsSync(path)) {
      const copy = copyPath(dataDir, Date.now(), formatVersion)
      await keepCopy(dataDir, copy, async to => fs.copyFileSync(path, to))
      watch.say(`the catalog gets format ${formatVersion}; as it was it is kept as ${copy}`)
    }
    await freshen(path, found)
    return new CatalogDatabase(dataDir, openCatalogFile(path), found, watch)
  }

  collection<V>(name: string, encoding: ValueEncoding): Collection<V> {
    return new Collection<V>({
      name,
      encoding,
      stored: this.#storedIn(name),
      change: (place, stored) => this.#note(place, stored),
      onDamaged: place => this.#noteDamaged(place),
    })
  }

  /**
   * Does all puts and removes that `change` makes, as one transaction; they are on disk when the
   * promise resolves. Throws `catalog_failed` when they are not: then none of them is.
   */
  write(change: () => void): Promise<void> {
    return this.#inTurn.run(() => this.#write(change))
  }

  /** All values as they are stored, but damaged ones. */
  *storedValues(): Generator<ChangedValue> {
    for (const [collection, values] of this.#stored) {
      for (const key of [...values.getKeys()]) {
        const stored = values.get(key)
        const place = { collection, key }
        if (stored && decodeChecked(place, stored) !== undefined) yield { ...place, stored }
      }
    }
  }

  /** Puts values in as they are stored, as one change. Rejects, with nothing changed, when one is damaged. */
  async putStored(values: readonly ChangedValue[]): Promise<void> {
    for (const { stored, ...place } of values) {
      if (stored !== undefined && decodeChecked(place, stored) === undefined) {
        throw new Error(`the value ${placeName(place)} is damaged`)
      }
    }
    await this.write(() => {
      for (const { stored, ...place } of values) this.#note(place, stored)
    })
  }

  /** Each change that is on disk is told. */
  watchChanges(watcher: (values: readonly ChangedValue[]) => void): void {
    this.#watchers.push(watcher)
  }

  /** Writes all that is committed to a new file, without free pages. */
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
    await this.#inTurn.settled()
    if (!this.#isSilent) await this.#root.close()
  }

  async #write(change: () => void): Promise<void> {
    try {
      await this.#attempt(change)
    } catch (cause) {
      throw new ProblemError('catalog_failed', 'the change could not be written', { cause })
    }
    // Now it is on disk; what may fail here is only that the other meta page knows of it too.
    await this.#attempt(() => {}).catch(() => {})
  }

  async #attempt(change: () => void): Promise<void> {
    const { answerMs, onFatal, health } = this.#watch
    try {
      if (this.#isSilent) throw new LmdbSilent(answerMs)
      await answered(this.#commit(change), answerMs)
      health.clear('catalog_failing')
    } catch (cause) {
      const why = (cause as Error).message
      health.raise('catalog_failing', `changes of tokens, keys and dashboards are refused: ${why}`)
      if (!(cause instanceof LmdbSilent)) this.#retryLater()
      else if (!this.#isSilent) {
        this.#isSilent = true
        onFatal(new Error('write the catalog', { cause }))
      }
      throw cause
    }
  }

  async #commit(make: () => void): Promise<void> {
    const change: Change = { contents: this.#contents, places: new Map() }
    this.#change = change
    try {
      make()
    } finally {
      this.#change = undefined
    }
    const changed = [...change.places.values()]
    const bytes = changed.reduce((sum, { stored }) => sum + (stored?.length ?? 0), 0)
    if (bytes > smallChangeBytes) {
      requireRoom(join(this.#dataDir, `${catalogFileName}.room`), 2 * bytes)
    }
    this.#transaction++
    const record = change.contents.encode(this.#transaction)
    try {
      await this.#root.batch(() => {
        for (const { collection, key, stored } of changed) {
          const values = this.#storedIn(collection)
          if (stored === undefined) values.remove(key)
          else values.put(key, stored)
        }
        this.#storedIn(contentsPlace.collection).put(contentsPlace.key, record)
      })
    } catch (error) {
      throw await commitCause(error)
    }
    this.#contents = change.contents
    for (const name of change.places.keys()) this.#forgetDamaged(name)
    for (const watcher of this.#watchers) watcher(changed)
  }

  /** Makes a value part of the change under way. */
  #note({ collection, key }: Place, stored: Buffer | undefined): void {
    const change = this.#change
    if (change === undefined) throw new Error('a value of the catalog changes outside of a change')
    const name = placeName({ collection, key })
    const earlier = change.places.get(name)
    const before = earlier === undefined ? this.#storedIn(collection).get(key) : earlier.stored
    change.contents = change.contents.with(stored, before)
    change.places.set(name, { collection, key, stored })
  }

  #storedIn(collection: string): Database<Buffer, string> {
    return getOrInsertComputed(this.#stored, collection, () =>
      this.#root.openDB<Buffer, string>({ name: collection, encoding: 'binary' }),
    )
  }

  /** Nobody may want a change for days: whether one can be written again shows only when one is. */
  #retryLater(): void {
    this.#retry ??= setTimeout(async () => {
      this.#retry = undefined
      const { health } = this.#watch
      if ((await health.text('catalog_failing')) === undefined) return
      // On a full disk LMDB may end the process: whoever wants a change may try, but nobody else.
      if ((await health.text('disk_full')) !== undefined) return this.#retryLater()
      if (!this.#isClosed) await this.write(() => {}).catch(() => {})
    }, this.#watch.retryMs).unref()
  }

  #noteDamaged(place: Place): void {
    const name = placeName(place)
    if (this.#damaged.has(name)) return
    this.#damaged.add(name)
    const what = `the value ${name} of ${catalogFileName} is damaged and is not used`
    this.#watch.say(`${what}; ${remedy(this.#dataDir)}`)
    this.#raiseDamaged()
  }

  #forgetDamaged(name: string): void {
    if (this.#damaged.delete(name)) this.#raiseDamaged()
  }

  #raiseDamaged(): void {
    const { health } = this.#watch
    const count = this.#damaged.size
    if (count === 0) {
      health.clear('catalog_damaged')
      return
    }
    const what = `${count} of the values of ${catalogFileName} cannot be used`
    health.raise('catalog_damaged', `${what}; the log says which, and what to do`)
  }
}

function placeName({ collection, key }: Place): string {
  return `${collection}/${key}`
}

function read(dataDir: string, path: string): FoundCatalog {
  let found: FoundCatalog | undefined
  try {
    found = readCatalogFile(path)
  } catch (error) {
    if (error instanceof CatalogUnusable) throw catalogError(path, error.message, error)
    throw new Error(`open ${path}: ${(error as Error).message}`, { cause: error })
  }
  if (found !== undefined) return found
  if (listCopies(dataDir).length > 0) {
    const anew = `to begin with an empty one, remove ${copiesDirectory(dataDir)}`
    throw catalogError(path, `it is missing or empty, and there are copies of it (${anew})`)
  }
  return { format: 1, values: [], contents: new Contents(), damaged: [] }
}

/** Puts a file into the place of the one that was read, with the same values. */
async function freshen(path: string, found: FoundCatalog): Promise<void> {
  try {
    await writeCatalogFile(path, found)
  } catch (cause) {
    // A start on a full disk must work: then LMDB gets the file as it is.
    if (isDiskFull(cause) && found.format === formatVersion && lmdbIsWhole(path)) return
    throw new Error(`write ${path}: ${(cause as Error).message}`, { cause })
  }
}

/** LMDB says only in words that the disk is full. */
function copyFailed(cause: Error): Error {
  const isFull = /no space left|quota/i.test(cause.message)
  const error = new Error(`copy the catalog: ${cause.message}`, { cause })
  return isFull ? Object.assign(error, { code: 'ENOSPC' }) : error
}
