/**
 * Snapshots of the whole data directory, for backups of a running service: `snapshots/<name>/` looks like
 * a data directory, and a service that starts on it, or on a copy, has every event that was acknowledged
 * before the snapshot was taken, once.
 *
 *     journal   the file being written is closed; all files that are not sealed yet are linked
 *     segments  those that queries see at the same moment are linked
 *     catalog   copied by LMDB, with the key beside it
 *
 * Links take no time and no space, and keep the bytes whatever sealing, compaction and retention do with
 * the names meanwhile. No name or path comes from a client, and nothing is written outside of the data
 * directory. A snapshot lives as long as its holder; those of an earlier process are removed at the start.
 */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { join } from 'node:path'
import { isDiskFull } from '../../disk/disk-full.ts'
import { ProblemError } from '../../problems.ts'
import { listDataFiles } from './data-files.ts'

export interface Snapshot {
  /** Of its directory below `snapshots/`. */
  readonly name: string
  readonly fileCount: number
  readonly bytes: number
  /** Removes it. */
  release(): Promise<void>
}

export interface SnapshotParts {
  readonly dataDir: string
  /** Puts all records acknowledged so far below a directory. */
  readonly store: { linkInto(directory: string): Promise<void> }
  readonly catalog: {
    copyInto(directory: string): Promise<void>
    /** Keeps when the last one was taken, ms since 1970. */
    readonly lastBackup: { readonly at: number | undefined; note(at: number): Promise<void> }
  }
}

/** Below the data directory. */
export const snapshotsDirectory = 'snapshots'

export class Snapshots {
  readonly #parts: SnapshotParts
  readonly #directory: string
  #isTaken = false

  /** The caller holds the lock of the data directory. */
  constructor(parts: SnapshotParts) {
    this.#parts = parts
    this.#directory = join(parts.dataDir, snapshotsDirectory)
    fs.rmSync(this.#directory, { recursive: true, force: true })
  }

  /** When the last one was taken, ms since 1970; undefined when none was. */
  get lastAt(): number | undefined {
    return this.#parts.catalog.lastBackup.at
  }

  /** One at a time: throws ProblemError `backup_under_way`; `storage_full`, and nothing is left behind. */
  async take(): Promise<Snapshot> {
    if (this.#isTaken) {
      const detail = 'another backup holds a snapshot; try again when it is done'
      throw new ProblemError('backup_under_way', detail)
    }
    this.#isTaken = true
    const name = randomBytes(12).toString('hex')
    const directory = join(this.#directory, name)
    const release = async () => {
      try {
        await fs.promises.rm(directory, { recursive: true, force: true })
      } finally {
        this.#isTaken = false
      }
    }
    try {
      for (const part of ['journal', 'segments']) {
        fs.mkdirSync(join(directory, part), { recursive: true, mode: 0o700 })
      }
      await this.#parts.store.linkInto(directory)
      await this.#parts.catalog.copyInto(directory)
      const files = listDataFiles(directory)
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
      await this.#parts.catalog.lastBackup.note(Date.now())
      return { name, fileCount: files.length, bytes, release }
    } catch (error) {
      await release()
      throw problemOf(error)
    }
  }
}

function problemOf(error: unknown): unknown {
  if (!isDiskFull(error)) return error
  return new ProblemError('storage_full', 'the disk is full; no snapshot could be taken', {
    cause: error,
  })
}
