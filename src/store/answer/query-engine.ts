/**
 * Runs queries over what is in sight: takes the index entries of segments and journal, plans, executes,
 * and takes blocks that turn out damaged out of sight.
 */
import type { EntryFilter, IndexEntry } from '../../index/entry.ts'
import type { SourceRef } from '../../index/source.ts'
import { journalPath } from '../../journal/files.ts'
import type { Collector } from '../../query/collect/collector.ts'
import { type ExecuteResult, execute } from '../../query/execute.ts'
import type { FirstRecords } from '../../query/first-records.ts'
import type { BlockPruner } from '../../query/kept-filters.ts'
import type { LevelEnds } from '../../query/level-ends.ts'
import { type Plan, plan } from '../../query/plan.ts'
import { Predicate } from '../../query/predicate.ts'
import type { ScanLanes } from '../../query/scan-pool.ts'
import { type ScanQuery, scanQueryOf } from '../../query/scan-task.ts'
import type { ExportRequest, SelectStats } from '../store.ts'
import { type DamageParts, takeBlockOut } from '../view/damaged-blocks.ts'
import type { JournalRanges } from '../view/journal-ranges.ts'
import type { QueriesUnderWay } from '../view/queries-under-way.ts'
import type { Segments } from '../view/segments.ts'
import { distinctOf, runWithDistinct } from './distinct.ts'
import type { QueryOutcome, RunQuery } from './explore.ts'
import { type Damage, exportText, exportView } from './export.ts'
import type { FilterLearner } from './learn-filters.ts'

/** How often a query is started again when it meets damaged blocks, each time without those. */
const attemptsMax = 5

/** Counts queries and what they find damaged. */
export interface QueryMetrics {
  noteQuery(stats: SelectStats): void
  noteFailedQuery(): void
  noteDamagedBlocks(count: number): void
}

export interface QueryEngineParts extends DamageParts {
  readonly paths: { readonly journal: string; readonly quarantine: string }
  readonly segments: Segments
  readonly ranges: JournalRanges
  readonly queries: QueriesUnderWay
  readonly pool: ScanLanes
  readonly levelEnds: LevelEnds
  readonly firstRecords: FirstRecords
  readonly blockPruner: BlockPruner
  readonly filterLearner: Pick<FilterLearner, 'start'>
  readonly metrics: QueryMetrics
}

export class QueryEngine {
  readonly #parts: QueryEngineParts
  readonly #pathOf = (source: SourceRef): string => {
    const { segments, paths } = this.#parts
    return source.kind === 'journal'
      ? journalPath(paths.journal, source.file)
      : segments.pathOf(source.segment)
  }

  constructor(parts: QueryEngineParts) {
    this.#parts = parts
  }

  /** `newCollector` returns an empty collector, or undefined when only count and records are wanted. */
  async run<T extends Collector | undefined>(
    query: Omit<ScanQuery, 'collector'>,
    newCollector: () => T,
    signal: AbortSignal,
  ): Promise<QueryOutcome<T>> {
    return runWithDistinct(query, newCollector, this.#runUntil(signal))
  }

  #runUntil(signal: AbortSignal): RunQuery {
    return (query, newCollector) => this.#run(query, newCollector, signal)
  }

  /** The same where `distinct` is no matter, or its records are chosen. */
  async #run<T extends Collector | undefined>(
    query: Omit<ScanQuery, 'collector'>,
    newCollector: () => T,
    signal: AbortSignal,
  ): Promise<QueryOutcome<T>> {
    const { queries, metrics } = this.#parts
    const startedAt = performance.now()
    const leave = queries.enter()
    try {
      const predicate = new Predicate(query.selector)
      for (let attempt = 1; ; attempt++) {
        const collector = newCollector()
        let damagedBlocks = 0
        const entries = this.#entries(query, predicate, () => damagedBlocks++)
        const { levelEnds, firstRecords, blockPruner } = this.#parts
        const sieve = blockPruner.sieveFor(predicate, entries.length)
        const { startTime, endTime, limit, order, after, arrived } = query
        const place = { startTime, endTime, limit, order, after, arrived }
        const planned = plan({ predicate, collector, levelEnds, sieve, ...place }, entries)
        const scanQuery = scanQueryOf(query, collector?.request)
        signal.throwIfAborted()
        const known = firstRecords.resultOf(planned, scanQuery)
        const result = known ?? (await this.#execute(planned, scanQuery, collector, signal))
        if (known === undefined) firstRecords.keep(planned, scanQuery, result)
        damagedBlocks += result.damaged.length
        // A damaged block goes out of sight, and the answer is made again without it, so that its
        // count, groups and records agree.
        const isFinal = result.damaged.length === 0 || attempt === attemptsMax
        this.#takeDamageOut(result)
        if (!isFinal) continue
        const elapsedMs = performance.now() - startedAt
        const stats = this.#statsOf(planned, result, damagedBlocks, elapsedMs)
        metrics.noteQuery(stats)
        return { result, collector, stats }
      }
    } catch (error) {
      metrics.noteFailedQuery()
      throw error
    } finally {
      leave()
    }
  }

  async #execute(
    planned: Plan,
    query: ScanQuery,
    collector: Collector | undefined,
    signal: AbortSignal,
  ): Promise<ExecuteResult> {
    const { pool, filterLearner } = this.#parts
    const result = await execute(planned, query, collector, this.#pathOf, pool, signal)
    filterLearner.start()
    return result
  }

  /**
   * Throws the signal's reason when it is aborted. What is yielded is valid until the next is asked for.
   */
  async *exportText(
    request: ExportRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { queries, pool } = this.#parts
    const leave = queries.enter()
    try {
      const distinct = await distinctOf(request, this.#runUntil(signal))
      const predicate = new Predicate(request.selector)
      const entries = this.#entries(request, predicate)
      const sources = exportView(entries, predicate, this.#pathOf)
      const takeDamageOut = (damage: Damage) => this.#takeDamageOut(damage)
      const asked = distinct === undefined ? request : { ...request, chosen: distinct.chosen }
      yield* exportText(asked, sources, { pool, takeDamageOut }, signal)
    } finally {
      leave()
    }
  }

  /** What is in sight at this moment. `onDamaged` is told of each block that would be there, were it not
   *  damaged. */
  #entries(
    { startTime, endTime, arrived }: Pick<ScanQuery, 'startTime' | 'endTime' | 'arrived'>,
    predicate: Predicate,
    onDamaged = () => {},
  ): IndexEntry[] {
    const { segments, ranges } = this.#parts
    const arrivedAfter = arrived?.after ?? -1
    const filter: EntryFilter = { streams: predicate, startTime, endTime, arrivedAfter }
    const entries = segments.entries(filter, onDamaged)
    for (const entry of ranges.entries(filter)) entries.push(entry)
    return entries
  }

  #takeDamageOut({ damaged, stats }: Damage): void {
    const { logger, metrics } = this.#parts
    if (stats.damagedFrames > 0) {
      logger.error({ damagedFrames: stats.damagedFrames }, 'a query met damaged frames')
    }
    metrics.noteDamagedBlocks(damaged.length)
    for (const { source, reason } of damaged) {
      if (source.kind === 'block') takeBlockOut(this.#parts, source, reason)
    }
  }

  #statsOf(
    planned: Pick<Plan, 'stats' | 'siftedCount'>,
    { stats }: ExecuteResult,
    damagedBlocks: number,
    elapsedMs: number,
  ): SelectStats {
    const { blockEntries, ...entries } = planned.stats
    const { segments, blocks } = this.#parts.segments.counts
    return {
      segments,
      blocks,
      blocksPrunedByTime: Math.max(0, blocks - blockEntries),
      ...entries,
      framesScanned: stats.frames,
      blocksScanned: stats.blocks,
      blocksPrunedByFilter: stats.blocksPrunedByFilter + planned.siftedCount,
      blocksPrunedByTemplate: stats.blocksPrunedByTemplate,
      recordsScanned: stats.records,
      bytesScanned: stats.bytes,
      damagedFrames: stats.damagedFrames,
      damagedBlocks,
      elapsedMs: Math.round(elapsedMs * 1000) / 1000,
    }
  }
}
