/**
 * The work behind the scenes, one piece after the other: closed journal files are sealed into segments,
 * small segments compacted, old ones deleted.
 *
 * Each piece makes new files durable, adds their blocks to the index, swaps what queries see in one
 * turn of the event loop, and only then deletes the old files, after the last query that sees them.
 * It may be cut anywhere by a crash; the next start completes or repeats it (`segments.ts`).
 */
import type { Config } from '../../config/config.ts'
import type { ReasonName } from '../../health.ts'
import type { BlockIndex } from '../../index/block-index.ts'
import { journalPath } from '../../journal/files.ts'
import { LmdbSilent } from '../../lmdb/answer.ts'
import { messageWithCauses } from '../../problems.ts'
import type { ScanPool } from '../../query/scan-pool.ts'
import { readFooter } from '../../segment/footer.ts'
import { crashPoint } from '../crash-point.ts'
import type { StoreStats } from '../store.ts'
import type { WorkParts } from '../store-parts.ts'
import { type LiveSegment, liveSegment, type Segments } from '../view/segments.ts'
import type { CompactTask } from './compact.ts'
import { segmentsToCompact } from './compaction-choice.ts'
import { KeptClock } from './kept-clock.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { type RetentionBounds, segmentsToDelete } from './retention.ts'
import type { SealTask, WrittenSegment } from './seal.ts'
import type { SealFailure } from './seal-tasks.ts'
import type { SealThread } from './seal-thread.ts'

/** Of the bytes that retention allows, what one merged segment may hold. */
const mergedShareMax = 1 / 8

/** How often retention is looked at, and failed work tried again. */
const intervalMs = 10_000

export interface MaintenanceParts extends WorkParts {
  readonly config: Pick<Config, 'dataDir' | 'acceptClock'>
  /** Asked each time that it matters. */
  readonly retention: () => RetentionBounds
  /** Closed with the maintenance. */
  readonly sealThread: Pick<SealThread, 'seal' | 'compact' | 'close'>
  readonly paths: { readonly journal: string; readonly segments: string; readonly receipts: string }
  readonly index: BlockIndex
  readonly segments: Segments
  readonly pool: Pick<ScanPool, 'forgetSegments'>
  readonly nextNumber: number
  /** Told of a segment that cannot be read whole. */
  readonly onDamagedSegment: (number: number) => void
}

export type MaintenanceStats = Pick<
  StoreStats,
  'unsealedFiles' | 'sealedRecords' | 'sealMs' | 'compactions' | 'compactionMs' | 'deletedSegments'
>

/** A piece of work that cannot be done now, while others can. */
class PieceFailed extends Error {
  readonly details: { readonly reason: string; readonly file?: number }

  constructor(message: string, details: PieceFailed['details']) {
    super(message)
    this.details = details
  }
}

export class Maintenance {
  readonly #parts: MaintenanceParts
  readonly #timer: NodeJS.Timeout
  readonly #clock: KeptClock
  /** Closed journal files, oldest first. */
  readonly #toSeal: number[] = []
  /** Segments whose journal file is gone: only these may be merged or deleted. */
  readonly #settled: Set<number>
  /** Segments that cannot be read whole; merging would lose what is left of them. */
  readonly #damaged: Set<number>
  #nextNumber: number
  #running: Promise<void> | undefined
  #isClosing = false
  /** Callers that wait for the index to be rebuilt. */
  #rebuild: PromiseWithResolvers<void> | undefined
  /** Something new to do has come since the work under way last looked. */
  #isAsked = false
  #sealedRecords = 0
  #sealMs = 0
  #compactions = 0
  #compactionMs = 0
  #deletedSegments = 0

  constructor(parts: MaintenanceParts) {
    this.#parts = parts
    this.#nextNumber = parts.nextNumber
    this.#settled = new Set([...parts.segments.all].map(segment => segment.number))
    this.#damaged = new Set(parts.segments.damaged.keys())
    this.#clock = new KeptClock({
      ...parts,
      dataDir: parts.config.dataDir,
      isAccepted: parts.config.acceptClock,
      newestMadeAt: newestMadeAt(parts.segments.all),
    })
    this.#timer = setInterval(() => this.#wake(), intervalMs)
    this.#timer.unref()
    this.#wake()
  }

  /** A journal file was closed: no frame will be added to it. */
  journalClosed(file: number): void {
    this.#toSeal.push(file)
    this.#wake()
  }

  /** A segment turned out to be damaged. */
  noteDamaged(segment: number): void {
    this.#damaged.add(segment)
  }

  /** Other bounds hold from now on. */
  retentionChanged(): void {
    this.#wake()
  }

  /** The segments that bounds would delete now. */
  async wouldDelete(bounds: RetentionBounds): Promise<readonly LiveSegment[]> {
    return segmentsToDelete(this.#settledOnes(), bounds, await this.#clock.time())
  }

  #settledOnes(): readonly LiveSegment[] {
    return [...this.#parts.segments.all].filter(({ number }) => this.#settled.has(number))
  }

  /** Rebuilds the index between two pieces of work, because it is damaged. */
  rebuildIndex(): Promise<void> {
    const asked = this.#rebuild ?? Promise.withResolvers<void>()
    this.#rebuild = asked
    this.#wake()
    return asked.promise
  }

  stats(): MaintenanceStats {
    return {
      unsealedFiles: this.#toSeal.length,
      sealedRecords: this.#sealedRecords,
      sealMs: this.#sealMs,
      compactions: this.#compactions,
      compactionMs: this.#compactionMs,
      deletedSegments: this.#deletedSegments,
    }
  }

  /** Resolves when there is nothing left to do for now. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  /** Finishes the piece of work under way; the rest is for the next start. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    await this.#running
    await this.#clock.keep()
    this.#rebuild?.resolve() // The next start does it.
    await this.#parts.sealThread.close()
  }

  #wake(): void {
    if (this.#isClosing) return
    this.#isAsked = true
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined
    })
  }

  async #work(): Promise<void> {
    while (this.#isAsked && !this.#isClosing) {
      this.#isAsked = false
      try {
        let isDone = false
        while (!isDone && !this.#isClosing) {
          await this.#rebuildIfAsked()
          isDone = !(await this.#piece('sealing_failing', () => this.#sealNext()))
          await this.#piece('retention_failing', () => this.#deleteOld())
          if (isDone) {
            isDone = !(await this.#piece('compaction_failing', () => this.#compactNext()))
          }
        }
      } catch (error) {
        this.#parts.logger.error({ err: error }, 'maintenance failed; it is tried again')
      }
    }
  }

  /** Does a piece of work. While it cannot be done, and is tried again, health says why. */
  async #piece(reason: ReasonName, work: () => Promise<boolean>): Promise<boolean> {
    const { health, logger } = this.#parts
    try {
      const isMoreToDo = await work()
      health.clear(reason)
      return isMoreToDo
    } catch (error) {
      health.raise(reason, causesOf(error as Error))
      if (!(error instanceof PieceFailed)) throw error
      logger.error(error.details, error.message)
      return false
    }
  }

  async #rebuildIfAsked(): Promise<void> {
    const asked = this.#rebuild
    if (asked === undefined) return
    this.#rebuild = undefined
    try {
      await rebuildIndex(this.#parts)
      asked.resolve()
    } catch (error) {
      asked.reject(error)
    }
  }

  /** Seals the oldest closed journal file. Returns whether there was one. Throws when it cannot be. */
  async #sealNext(): Promise<boolean> {
    const file = this.#toSeal[0]
    if (file === undefined) return false
    const { disk, sealThread, paths, segments, ranges, now, logger, queries, index } = this.#parts
    const path = journalPath(paths.journal, file)
    const startedAt = performance.now()
    const task: SealTask = {
      journal: { path, file },
      directory: paths.segments,
      receiptsDirectory: paths.receipts,
      firstNumber: this.#nextNumber,
      createdAt: now(),
    }
    const written: WrittenSegment[] | SealFailure = await sealThread.seal(task)
    if ('failure' in written) {
      const details = { file, reason: written.reason }
      throw new PieceFailed('sealing failed; it is tried again', details)
    }
    this.#nextNumber += written.length
    crashPoint('seal:written')
    const shown = await this.#addToIndex(written)
    crashPoint('seal:indexed')
    segments.swap(shown, [])
    ranges.dropFile(file)
    this.#toSeal.shift()
    crashPoint('seal:swapped')
    await queries.whenPassed()
    await disk.removeDurably(path)
    crashPoint('seal:removed')
    await index.noteJournal(file, false)
    await this.#parts.receiptFiles.prune()
    for (const segment of shown) this.#settled.add(segment.number)
    const records = shown.reduce((sum, segment) => sum + segment.recordCount, 0)
    this.#sealedRecords += records
    this.#sealMs += performance.now() - startedAt
    logger.debug({ file, records, segments: shown.length }, 'journal file sealed')
    return true
  }

  /**
   * Merges small segments of one day, or finds one of them damaged. Returns false when there was nothing
   * worth it, or nothing that can be done. Throws when it cannot be done now.
   */
  async #compactNext(): Promise<boolean> {
    const { sealThread, paths, segments, now, retention } = this.#parts
    const mergeable = [...segments.all].filter(
      ({ number }) => this.#settled.has(number) && !this.#damaged.has(number),
    )
    const bytesMax = (retention().bytesMax ?? Number.POSITIVE_INFINITY) * mergedShareMax
    const chosen = segmentsToCompact(mergeable, bytesMax)
    if (chosen.length === 0) return false
    const startedAt = performance.now()
    const task: CompactTask = {
      segments: chosen.map(({ path, number }) => ({ path, number })),
      day: chosen[0]!.day,
      directory: paths.segments,
      number: this.#nextNumber,
      createdAt: now(),
    }
    const written: WrittenSegment[] | SealFailure = await sealThread.compact(task)
    if ('failure' in written) {
      if (written.failure === 'damaged') return this.#leaveOut(chosen, written)
      const { reason } = written
      throw new PieceFailed('compaction failed; it is tried again', { reason })
    }
    this.#nextNumber++
    crashPoint('compact:written')
    const shown = await this.#addToIndex(written)
    crashPoint('compact:indexed')
    await this.#replace(chosen, shown)
    for (const segment of shown) this.#settled.add(segment.number)
    this.#compactions++
    this.#compactionMs += performance.now() - startedAt
    return true
  }

  /** Leaves a damaged segment as it is from now on. Returns whether it was one of those to merge. */
  #leaveOut(
    chosen: readonly LiveSegment[],
    { path, reason }: { readonly path: string; readonly reason: string },
  ): boolean {
    const segment = chosen.find(one => one.path === path)?.number
    const text = 'a segment is damaged and is not merged with others'
    this.#parts.logger.error({ segment, reason }, text)
    if (segment !== undefined) {
      this.noteDamaged(segment)
      this.#parts.onDamagedSegment(segment)
    }
    return segment !== undefined
  }

  /** Returns whether anything was deleted. */
  async #deleteOld(): Promise<boolean> {
    const { logger, retention } = this.#parts
    const old = segmentsToDelete(this.#settledOnes(), retention(), await this.#clock.time())
    if (old.length === 0) return false
    crashPoint('retention:chosen')
    await this.#replace(old, [])
    this.#deletedSegments += old.length
    const records = old.reduce((sum, segment) => sum + segment.recordCount, 0)
    logger.info({ segments: old.length, records }, 'segments deleted, as retention says')
    return true
  }

  async #addToIndex(written: readonly WrittenSegment[]): Promise<LiveSegment[]> {
    const { disk, index } = this.#parts
    try {
      for (const { footer } of written) {
        await index.addSegment(footer.number, footer.blocks)
      }
    } catch (error) {
      // The work is done again under other numbers. A file left here would count beside those of the
      // next time after a restart, and double their records.
      for (const { path } of written) disk.removeSync(path)
      throw error
    }
    return written.map(({ path, day, footer }) =>
      liveSegment({ path, day, number: footer.number }, footer),
    )
  }

  /** Shows `shown` in the place of `hidden`, whose files go when no query sees them any more. */
  async #replace(hidden: readonly LiveSegment[], shown: readonly LiveSegment[]): Promise<void> {
    const { disk, segments, queries, pool, index, logger } = this.#parts
    const numbers = hidden.map(segment => segment.number)
    segments.swap(shown, numbers)
    for (const number of numbers) this.#settled.delete(number)
    await queries.whenPassed()
    pool.forgetSegments(new Set(numbers))
    crashPoint('compact:swapped')
    let isIndexSilent = false // Then no other change is made either, and each would wait in vain.
    for (const { path, number } of hidden) {
      try {
        const { blocks } = readFooter(path, number, disk)
        if (!isIndexSilent) await index.removeSegments(new Map([[number, blocks]]))
      } catch (error) {
        // The next start rebuilds the index; until then its entries are left aside.
        isIndexSilent ||= (error as Error).cause instanceof LmdbSilent
        logger.warn({ segment: number, err: error }, 'a deleted segment stays in the index')
      }
      await disk.removeDurably(path)
      crashPoint('retention:removed-one')
    }
  }
}

/** What an error says, with what caused it. */
function causesOf(error: Error): string {
  if (error instanceof PieceFailed) return `${error.message}: ${error.details.reason}`
  return messageWithCauses(error)
}

/** When the newest of the segments was made; undefined when there are none. */
function newestMadeAt(segments: Iterable<LiveSegment>): number | undefined {
  const times = Array.from(segments, segment => segment.madeAt)
  return times.length === 0 ? undefined : times.reduce((newest, at) => Math.max(newest, at))
}
