/**
 * Moves closed journal files to ClickHouse, one after the other in their order. A file goes from sight, and
 * then from the disk, when ClickHouse has all of its records; what fails is tried again until it succeeds.
 *
 * It may be cut anywhere: what was sent is known by its tokens, and a file that was noted as sent is removed
 * by the next start.
 */
import { journalPath } from '../../journal/files.ts'
import { pause } from '../../threads/pause.ts'
import { crashPoint } from '../crash-point.ts'
import type { ShippingStats } from '../store.ts'
import type { StorePaths } from '../store-directories.ts'
import type { WorkParts } from '../store-parts.ts'
import type { Backlog } from './backlog.ts'
import type { ClickHouseThreads } from './clickhouse-threads.ts'
import { type Position, writePosition } from './position-file.ts'
import type { Servers } from './servers.ts'

/** Between two attempts: doubled from one to the next, and each time a part of it by chance, ms. */
const firstPauseMs = 250
const pauseMsMax = 30_000

/** How long the end waits for a file that is being sent, ms. */
const closePatienceMs = 5_000

export interface ShipperParts extends WorkParts {
  readonly servers: Pick<Servers, 'url' | 'failed'>
  readonly dataDir: string
  readonly paths: StorePaths
  readonly backlog: Backlog
  readonly threads: Pick<ClickHouseThreads, 'ship' | 'close'>
  readonly cluster: string | undefined
  readonly position: Position
  /** Told before which time all that was acknowledged is in ClickHouse. */
  readonly onSent: (before: number) => void
  /** Called before the first file is sent, until it succeeds. */
  readonly prepare: () => Promise<void>
}

interface WaitingFile {
  readonly file: number
  /** When it was closed, or the start of this process. */
  readonly since: number
  readonly isOld: boolean
  mayBeThere: boolean
}

export class Shipper {
  readonly #parts: ShipperParts
  readonly #closing = new AbortController()
  readonly #waiting: WaitingFile[] = []
  readonly #removals = new Set<Promise<void>>()
  #position: Position
  #running: Promise<void> | undefined
  #stats = { records: 0, inserts: 0, bytes: 0, failures: 0 }
  #attempt = 0
  #isPrepared = false

  constructor(parts: ShipperParts) {
    this.#parts = parts
    this.#position = parts.position
  }

  /** A journal file was closed; `isOld`: by an earlier process, which may have sent some of it. */
  journalClosed(file: number, isOld = false): void {
    this.#waiting.push({ file, since: this.#parts.now(), isOld, mayBeThere: isOld })
    if (this.#closing.signal.aborted) return
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined
    })
  }

  /** Whether everything that was closed is with ClickHouse. */
  get isIdle(): boolean {
    return this.#waiting.length === 0
  }

  stats(): ShippingStats {
    const { now, backlog } = this.#parts
    const [oldest] = this.#waiting
    const lagMs = oldest === undefined ? 0 : Math.max(0, now() - oldest.since)
    return { ...this.#stats, files: this.#waiting.length, waitingBytes: backlog.bytes, lagMs }
  }

  /** Resolves when all files that were closed are with ClickHouse, and gone. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running
    await Promise.all(this.#removals)
  }

  /** How far ClickHouse has the journal. */
  get position(): Position {
    return this.#position
  }

  /** Finishes the file under way, if that is soon; the rest is for the next start. Ends the threads. */
  async close(): Promise<void> {
    this.#closing.abort()
    const isDone = new AbortController()
    const done = this.settled().finally(() => isDone.abort())
    await pause(closePatienceMs, isDone.signal)
    await this.#parts.threads.close()
    await done
  }

  async #work(): Promise<void> {
    const { signal } = this.#closing
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (signal.aborted) return
      const reason = await this.#ship(next).catch((error: Error) => error.message)
      if (reason === undefined) this.#succeeded()
      else await this.#failed(next, reason)
    }
  }

  /** Returns why it failed; undefined when it did not. */
  async #ship(waiting: WaitingFile): Promise<string | undefined> {
    const { file, mayBeThere, since, isOld } = waiting
    const { servers, cluster, dataDir, disk, paths, ranges, backlog, threads, logger } = this.#parts
    const { frontEnd } = this.#position
    if (!this.#isPrepared) await this.#parts.prepare()
    this.#isPrepared = true
    const url = await servers.url()
    const shipped = await threads.ship({
      url,
      cluster,
      frontEnd,
      mayBeThere,
      journal: { path: journalPath(paths.journal, file), file },
      receiptsDirectory: paths.receipts,
    })
    if ('failure' in shipped) {
      if (shipped.failure === 'unreachable') await servers.failed(url)
      return shipped.reason
    }
    crashPoint('ship:sent')
    const nextSequence = Math.max(this.#position.nextSequence, shipped.nextSequence)
    const position = { ...this.#position, shippedFile: file, nextSequence }
    await writePosition(dataDir, position, disk)
    this.#position = position
    crashPoint('ship:noted')
    ranges.dropFile(file)
    backlog.dropFile(file)
    this.#waiting.shift()
    // What was acknowledged before it was closed is in it or in one before it.
    if (!isOld) this.#parts.onSent(since)
    this.#removeLater(file)
    const { records, inserts, bytes } = shipped
    this.#stats.records += records
    this.#stats.inserts += inserts
    this.#stats.bytes += bytes
    logger.debug({ file, records, inserts, bytes }, 'journal file sent to ClickHouse')
    return undefined
  }

  /** When the queries that see it have ended; an export takes long, and others are sent meanwhile. */
  #removeLater(file: number): void {
    const { disk, paths, queries, receiptFiles, logger } = this.#parts
    const removal = queries
      .whenPassed()
      .then(() => disk.removeDurably(journalPath(paths.journal, file)))
      .then(() => crashPoint('ship:removed'))
      .then(() => receiptFiles.prune())
      // The next start removes it.
      .catch(error => logger.warn({ err: error, file }, 'a journal file that was sent stays'))
      .finally(() => this.#removals.delete(removal))
    this.#removals.add(removal)
  }

  #succeeded(): void {
    const { health, logger } = this.#parts
    if (this.#attempt > 0) logger.info('ClickHouse takes records again')
    this.#attempt = 0
    health.clear('clickhouse_failing')
  }

  async #failed(waiting: WaitingFile, reason: string): Promise<void> {
    const { health, logger } = this.#parts
    waiting.mayBeThere = true
    this.#stats.failures++
    const text = `records wait in the journal, because ClickHouse does not take them: ${reason}`
    health.raise('clickhouse_failing', text)
    if (this.#attempt === 0) logger.warn({ file: waiting.file, reason }, text)
    const pauseMs = Math.min(pauseMsMax, firstPauseMs * 2 ** Math.min(this.#attempt, 16))
    this.#attempt++
    await pause(pauseMs * (0.5 + Math.random() / 2), this.#closing.signal)
  }
}
