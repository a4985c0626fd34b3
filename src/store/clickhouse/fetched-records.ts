/**
 * Records of ClickHouse, put down in files of the data directory for the queries that they were fetched for.
 */
import { join } from 'node:path'
import type { Disk } from '../../disk/disk.ts'
import type { EntryFilter, IndexEntry } from '../../index/entry.ts'
import { fetchedFilesFrom, journalPath } from '../../journal/files.ts'
import type { JournalRange } from '../../journal/range.ts'
import { ProblemError } from '../../problems.ts'
import { JournalRanges } from '../view/journal-ranges.ts'
import type { ClickHouseThreads } from './clickhouse-threads.ts'
import type { Failure } from './clickhouse-worker.ts'
import { failureOf, type Statement } from './connection.ts'
import type { Fetched } from './fetch.ts'
import { orAborted } from './or-aborted.ts'
import type { Servers } from './servers.ts'

export interface FetchedRecordsParts {
  readonly servers: Pick<Servers, 'url' | 'failed'>
  /** For nothing else; what is in it is removed. */
  readonly directory: string
  readonly disk: Disk
  readonly bytesMax: number
  readonly threads: Pick<ClickHouseThreads, 'fetch'>
}

/** One file, which its query releases. */
export interface FetchedFile {
  readonly file: number
  readonly recordCount: number
  /** Of its streams and times. */
  entries(filter: Omit<EntryFilter, 'arrivedAfter'>): readonly IndexEntry[]
  release(): void
}

const retrySeconds = 5

export class FetchedRecords {
  readonly #parts: FetchedRecordsParts
  #next = fetchedFilesFrom

  constructor(parts: FetchedRecordsParts) {
    const { directory, disk } = parts
    this.#parts = parts
    disk.makeDirectorySync(directory)
    for (const name of disk.listSync(directory)) disk.removeSync(join(directory, name))
  }

  /** That one query may fetch at once. */
  get bytesMax(): number {
    return this.#parts.bytesMax
  }

  pathOf(file: number): string {
    return journalPath(this.#parts.directory, file)
  }

  /**
   * Fetches the rows of a statement. Throws the signal's reason, ProblemError `query_too_large` when they are
   * more than may be, `clickhouse_unreachable`.
   */
  async fetch(statement: Statement, signal: AbortSignal): Promise<FetchedFile> {
    const { bytesMax, disk } = this.#parts
    const file = this.#next
    this.#next = file + 1 === 2 ** 32 ? fetchedFilesFrom : file + 1
    const path = this.pathOf(file)
    const release = () => disk.removeSync(path)
    try {
      const fetched = await this.#fetchInto(path, file, statement, signal)
      signal.throwIfAborted()
      if (fetched === 'too-large') throw tooLarge(bytesMax)
      if (fetched === 'cancelled') throw new Error('records were not fetched to their end')
      if ('failure' in fetched) throw problemOfFailure(fetched)
      return viewOf(file, fetched.ranges, release)
    } catch (error) {
      release()
      throw error
    }
  }

  /** From the next address, when one does not answer. */
  async #fetchInto(
    path: string,
    file: number,
    { query, params, settings }: Statement,
    signal: AbortSignal,
  ): Promise<Fetched | Failure> {
    const { servers, bytesMax, threads, disk } = this.#parts
    const statement = { query, ...(params && { params }), ...(settings && { settings }) }
    for (;;) {
      const url = await orAborted(servers.url(), signal).catch(error => {
        signal.throwIfAborted()
        throw problemOf(error)
      })
      const fetched = await threads.fetch({ url, statement, path, file, bytesMax }, signal)
      if (typeof fetched !== 'object' || !('failure' in fetched)) return fetched
      const isAway = fetched.failure === 'unreachable' && !signal.aborted
      if (!isAway || !(await orAborted(servers.failed(url), signal))) return fetched
      disk.removeSync(path)
    }
  }
}

function viewOf(file: number, ranges: readonly JournalRange[], release: () => void): FetchedFile {
  const view = new JournalRanges()
  for (const range of ranges) view.addWhole(range)
  return {
    file,
    recordCount: view.recordCount,
    entries: filter => view.entries(filter),
    release,
  }
}

function tooLarge(bytesMax: number): ProblemError {
  const detail = `the query needs more than ${bytesMax} bytes of records from ClickHouse (--clickhouse-fetch-bytes); ask for a shorter time, or for fewer streams`
  return new ProblemError('query_too_large', detail, { field: 'query' })
}

/** What a client is told of an error of a connection. */
export function problemOf(error: unknown): ProblemError {
  const { code, message: reason } = failureOf(error)
  return problemOfFailure({ failure: code === undefined ? 'unreachable' : 'refused', reason })
}

function problemOfFailure({ failure, reason }: Pick<Failure, 'failure' | 'reason'>): ProblemError {
  if (failure === 'disk') {
    const detail = 'the disk has no room for the records that the query needs from ClickHouse'
    return new ProblemError('query_too_large', detail, { field: 'query' })
  }
  const what = failure === 'unreachable' ? 'cannot be reached' : 'refused what it was asked'
  const detail = `ClickHouse ${what}: ${reason}`
  return new ProblemError('clickhouse_unreachable', detail, { retryAfterSeconds: retrySeconds })
}
